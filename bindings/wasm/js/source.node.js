// The modules, from beside this file: Node.js fetches no files.
import { readFile } from "node:fs/promises";

export function source(build) {
  return readFile(new URL(`./module/${build}_bg.wasm`, import.meta.url));
}
