// Runs a program for WASI under Node.js, as cargo's runner of test programs:
// node wasi.mjs PROGRAM.wasm [ARGUMENT…]

import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [program, ...rest],
  env: process.env,
  preopens: { "/": "/" },
});
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const { instance } = await WebAssembly.instantiate(await readFile(program), imports);
process.exitCode = wasi.start(instance);
