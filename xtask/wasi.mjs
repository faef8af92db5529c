// Runs a program for WASI under Node.js, as cargo's runner of test programs:
// node wasi.mjs PROGRAM.wasm [ARGUMENT…]

import { run } from "./wasi-host.mjs";

await run({});
