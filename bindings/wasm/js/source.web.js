// The modules, from beside this file. The expressions are what bundlers look for.
const urls = {
  scalar: new URL("./module/scalar_bg.wasm", import.meta.url),
  simd128: new URL("./module/simd128_bg.wasm", import.meta.url),
};

export function source(build) {
  return fetch(urls[build]);
}
