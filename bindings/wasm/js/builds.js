// The two builds, of which an engine without vectors refuses one as a whole.
import { source } from "#source";

const glue = {
  scalar: () => import("./module/scalar.js"),
  simd128: () => import("./module/simd128.js"),
};

// A module of one function, `() -> v128`: i32.const 0, i8x16.splat.
const VECTORS = Uint8Array.of(
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  1, 5, 1, 0x60, 0, 1, 0x7b,
  3, 2, 1, 0,
  10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f, 0x0b,
);

/** Whether this engine takes the build with vector instructions. */
export function hasVectors() {
  return WebAssembly.validate(VECTORS);
}

const started = new Map();

async function begin(build) {
  const module = await glue[build]();
  await module.default({ module_or_path: await source(build) });
  return module;
}

/** The functions of a build, which is started once. */
export function start(build) {
  if (!Object.hasOwn(glue, build)) {
    throw new TypeError(`no build is called \`${build}\`; known: ${Object.keys(glue).join(", ")}`);
  }
  if (!started.has(build)) {
    const begun = begin(build);
    started.set(build, begun);
    // What failed, say without a network, may be tried again.
    begun.catch(() => started.delete(build));
  }
  return started.get(build);
}
