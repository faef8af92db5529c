// What is measured: read off the registry, so that a cipher added there is measured here.
import { load, type Cipherlane } from "cipherlane";

import { PEERS, type Request, type Task } from "./peers";
import type { Engine } from "./rows";

export interface Cell {
  readonly algorithm: string;
  readonly operation: string;
  readonly engine: Engine;
  /** Bytes of its message. */
  readonly size: number;
  readonly task: Task;
}

/** What a cipher does most of its work by, and what else others may offer to compare with. */
const BULK = ["ctr", "keystream", "gcm-seal"];
const COMPARED = ["ecb-encrypt", "cbc-encrypt"];

/** 128 bits where the algorithm leaves a choice. */
const KEY = 16;

/** Bytes that are never zeros and the same everywhere: a generator of Marsaglia's. */
function bytes(length: number, seed: number): Uint8Array<ArrayBuffer> {
  let x = seed;
  return Uint8Array.from({ length }, () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 11) | 1;
  });
}

function ours(library: Cipherlane, request: Request): Task {
  const { algorithm, operation, key, iv, data } = request;
  const level = library.level;
  const make = () => library.bench(algorithm, operation, { key, iv, data, level });
  const bench = make();
  return {
    run: (times) => bench.run(times),
    once() {
      const single = make();
      single.run(1);
      const output = single.result();
      single.free();
      return output;
    },
  };
}

/** All cells; those of one operation stand together. */
export async function cells(size: number): Promise<Cell[]> {
  const libraries: [Engine, Cipherlane][] = [["scalar", await load({ build: "scalar" })]];
  // Refused as a whole by a browser without vectors.
  const vectors = await load();
  if (vectors.build === "simd128") libraries.push(["simd128", vectors]);
  const found: Cell[] = [];
  const message = bytes(size, 0x9e3779b9);
  const seen = new Set<string>();
  for (const entry of vectors.registry()) {
    const { algorithm, operation } = entry;
    const name = `${algorithm}/${operation}`;
    if (seen.has(name) || ![...BULK, ...COMPARED].includes(operation)) continue;
    seen.add(name);
    const key = bytes(Math.min(Math.max(entry.key.min, KEY), entry.key.max), 0x2545f491);
    // Some standards end a message early.
    const data = message.subarray(0, Math.min(size, entry.data.max, entry.limit ?? size));
    const request = { algorithm, operation, key, iv: bytes(entry.usualIv, 0x6c078965), data };
    const others: Cell[] = [];
    for (const [engine, make] of PEERS) {
      const task = await make(request);
      if (task !== undefined) others.push({ algorithm, operation, engine, size: data.length, task });
    }
    if (others.length === 0 && COMPARED.includes(operation)) continue;
    for (const [engine, library] of libraries) {
      const task = ours(library, request);
      found.push({ algorithm, operation, engine, size: data.length, task });
    }
    found.push(...others);
  }
  return found;
}
