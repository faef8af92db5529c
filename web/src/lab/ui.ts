// The laboratory's part of the page.
import { download, element } from "../dom";
import { clear, show, whenChanged } from "../language";
import { draw, legend } from "./chart";
import { rate, type News, type Order, type Row } from "./rows";
import { fill } from "./table";

/** Passes over all cells; each has samples of its own. */
const PASSES = 5;

const groups = new Map<string, Row[]>();
let worker: Worker | undefined;
let about: { size: number; resolution: number; complete: boolean } | undefined;

function take(row: Row): void {
  const name = `${row.algorithm} ${row.operation}`;
  const rows = groups.get(name) ?? [];
  const at = rows.findIndex((it) => it.engine === row.engine);
  if (at < 0) rows.push(row);
  else rows[at] = row;
  groups.set(name, rows);
}

let waiting = false;

/** Draws with the next frame: many rows come between two. */
function redraw(): void {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw(element("chart"), groups);
    fill(element("rows"), groups);
  });
}

/** The results with all that is needed to judge them. */
function json(): Blob {
  const rows = [...groups.values()].flat().map((row) => ({
    ...row,
    mb_per_s: row.agrees ? Number(rate(row).toPrecision(5)) : null,
  }));
  const results = {
    schema: "cipherlane-web-results/1",
    created: new Date().toISOString(),
    machine: { agent: navigator.userAgent, cores: navigator.hardwareConcurrency },
    clock: { name: "performance.now", smallest_step_ms: about?.resolution },
    model: "message",
    placement: { scalar: "in-place", simd128: "in-place", "sm-crypto": "disjoint", WebCrypto: "disjoint" },
    complete: about?.complete ?? false,
    unit_of_passes: "ns per message, the best sample of each pass",
    rows,
  };
  return new Blob([`${JSON.stringify(results, null, 1)}\n`], { type: "application/json" });
}

function stop(): void {
  worker?.terminate();
  worker = undefined;
  element("stop").hidden = true;
  element("lab-progress").hidden = true;
  element<HTMLButtonElement>("run").disabled = false;
}

function hear(news: News): void {
  const said = element("lab-said");
  switch (news.kind) {
    case "begun":
      about = { size: 0, resolution: news.resolution, complete: false };
      break;
    case "row":
      take(news.row);
      element<HTMLProgressElement>("lab-progress").value = news.done / news.of;
      // Not every sample is read out.
      if (news.done % 25 === 1) {
        show(said, "running", { done: String(news.done), all: String(news.of) });
      }
      redraw();
      break;
    case "ended": {
      if (about !== undefined) about.complete = true;
      const count = [...groups.values()].flat().reduce((sum, row) => sum + row.passes.length, 0);
      const step = (about?.resolution ?? 0).toPrecision(2);
      stop();
      show(said, "measured", { all: String(count), step });
      element<HTMLButtonElement>("download").disabled = false;
      break;
    }
    case "failed":
      stop();
      clear(said);
      said.textContent = news.why;
  }
}

function begin(): void {
  groups.clear();
  element("results").hidden = false;
  element("stop").hidden = false;
  element("lab-progress").hidden = false;
  element<HTMLProgressElement>("lab-progress").value = 0;
  element<HTMLButtonElement>("run").disabled = true;
  element<HTMLButtonElement>("download").disabled = true;
  element("rows").replaceChildren();
  element("chart").replaceChildren();
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<News>) => hear(data));
  worker.addEventListener("error", ({ message }) => hear({ kind: "failed", why: message }));
  const size = Number(element<HTMLSelectElement>("size").value);
  const order: Order = { size, passes: PASSES };
  worker.postMessage(order);
}

export function startLaboratory(): void {
  legend(element("legend"));
  element("run").addEventListener("click", begin);
  element("stop").addEventListener("click", () => {
    stop();
    show(element("lab-said"), "stopped");
    element<HTMLButtonElement>("download").disabled = groups.size === 0;
  });
  element("download").addEventListener("click", () => download("cipherlane-web.json", json()));
  whenChanged(redraw);
  new ResizeObserver(redraw).observe(element("chart"));
}
