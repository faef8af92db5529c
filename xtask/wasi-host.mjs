// Runs a program for WASI under Node.js: the one that is the first argument of this process, with the others.

import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

// `more`: what the program imports beside WASI.
export async function run(more) {
  const [program, ...rest] = process.argv.slice(2);
  const wasi = new WASI({
    version: "preview1",
    args: [program, ...rest],
    env: process.env,
    preopens: { "/": "/" },
  });
  // Through functions of this language: where a module calls Node.js's own ones, V8 takes a short cut, behind which
  // its collector of garbage, if it is marking at that time, breaks what it finds (seen with Node.js 20 and 22, as
  // SIGSEGV at the end).
  const calls = Object.entries(wasi.wasiImport);
  const system = Object.fromEntries(calls.map(([name, call]) => [name, (...all) => call(...all)]));
  const imports = { wasi_snapshot_preview1: system, ...more };
  const { instance } = await WebAssembly.instantiate(await readFile(program), imports);
  process.exitCode = wasi.start(instance);
}
