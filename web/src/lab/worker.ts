// The laboratory's work, off the page's own thread.
import { cells, type Cell } from "./cells";
import { resolution, sample } from "./clock";
import type { News, Order, Row } from "./rows";

const say = (news: News) => self.postMessage(news);

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Cells whose output differs from that of the first of their operation. */
async function differing(all: readonly Cell[]): Promise<Set<Cell>> {
  const expected = new Map<string, Uint8Array>();
  const wrong = new Set<Cell>();
  for (const cell of all) {
    const name = `${cell.algorithm}/${cell.operation}`;
    const output = await cell.task.once();
    const first = expected.get(name);
    if (first === undefined) expected.set(name, output);
    else if (!same(first, output)) wrong.add(cell);
  }
  return wrong;
}

async function measure({ size: longest, passes, sample: least }: Order): Promise<void> {
  const all = await cells(longest);
  say({ kind: "begun", cells: all.length, resolution: resolution() });
  const wrong = await differing(all);
  const taken = new Map<Cell, number[]>(all.map((cell) => [cell, []]));
  let done = 0;
  // Passes run over all cells, so that a slow moment of the machine hits one pass of many.
  for (let pass = 0; pass < passes; pass++) {
    for (const cell of all) {
      const { algorithm, operation, engine, size, task } = cell;
      const samples = taken.get(cell) ?? [];
      const agrees = !wrong.has(cell);
      samples.push(await sample(task, least));
      done += 1;
      const row: Row = { algorithm, operation, engine, size, passes: [...samples], agrees };
      say({ kind: "row", row, done, of: all.length * passes });
    }
  }
  say({ kind: "ended" });
}

self.addEventListener("message", ({ data }: MessageEvent<Order>) => {
  measure(data).catch((error: unknown) => say({ kind: "failed", why: String(error) }));
});
