// The page: languages, parts, files, laboratory, and the service worker that keeps it.
import { startFiles } from "./files/ui";
import { startLaboratory } from "./lab/ui";
import { element } from "./dom";
import { show, startLanguages } from "./language";
import { startTabs } from "./tabs";

startTabs();
startFiles();
startLaboratory();
startLanguages();

/** Whether the worker has every file of the page. */
function complete(worker: ServiceWorker): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<boolean>) => resolve(data);
    worker.postMessage("complete?", [port2]);
  });
}

/** Absent where the page did not come over a secure connection. */
const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
if (import.meta.env.PROD && workers !== undefined) {
  workers
    .register("offline.js")
    .then(() => workers.ready)
    .then(({ active }) => active !== null && complete(active))
    .then((all) => {
      if (all) show(element("offline"), "offlineReady");
    })
    // The page works without it, only not offline.
    .catch(() => {});
}
