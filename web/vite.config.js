import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

/** Adds the service worker, which keeps exactly the files of this build. */
function offline() {
  return {
    name: "offline",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter((name) => !name.endsWith(".map")).sort();
      // Names hold a digest of their content, but for the page's own.
      const page = files.map((name) => bundle[name].source ?? bundle[name].code);
      const hash = createHash("sha256").update(files.join()).update(page.map(String).join());
      const code = readFileSync(new URL("./src/offline.js", import.meta.url), "utf8")
        .replace("FILES", JSON.stringify(["./", ...files, "icon.svg"]))
        .replace("VERSION", JSON.stringify(hash.digest("hex").slice(0, 16)));
      this.emitFile({ type: "asset", fileName: "offline.js", source: code });
    },
  };
}

export default defineConfig({
  // The page works under any path.
  base: "./",
  plugins: [offline()],
  worker: { format: "es" },
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
