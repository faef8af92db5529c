// The page: languages, files, laboratory, and the service worker that keeps it.
import { startFiles } from "./files/ui";
import { startLaboratory } from "./lab/ui";
import { element } from "./dom";
import { show, startLanguages } from "./language";

startFiles();
startLaboratory();
startLanguages();

/** Absent where the page did not come over a secure connection. */
const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
if (import.meta.env.PROD && workers !== undefined) {
  workers
    .register("offline.js")
    .then(() => workers.ready)
    .then(() => show(element("offline"), "offlineReady"))
    // The page works without it, only not offline.
    .catch(() => {});
}
