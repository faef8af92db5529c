// The laboratory's part of the page.
import { download, element } from "../dom";
import { clear, duration, show, whenChanged } from "../language";
import { sentence } from "../files/reasons";
import { axis, draw, legend } from "./chart";
import { SAMPLE } from "./clock";
import { rate, type News, type Order, type Row } from "./rows";
import { fill } from "./table";

/** Passes over all cells; each has samples of its own. */
const PASSES = 5;

/** Milliseconds of a sample: those of an address that ends with `?sample=5` are for a glance. */
function sample(): number {
  const asked = Number(new URLSearchParams(location.search).get("sample"));
  return asked >= 1 && asked <= 1000 ? asked : SAMPLE;
}

/** What most come for, and what others can be compared with; the rest is folded. */
const FIRST = [
  "sm4 ecb-encrypt",
  "sm4 ctr",
  "sm4 gcm-seal",
  "zuc-128 keystream",
  "aes-128 ctr",
  "aes-128 gcm-seal",
];

const groups = new Map<string, Row[]>();
let begun = 0;
let worker: Worker | undefined;
let about: { resolution: number; complete: boolean } | undefined;

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
    const shown = [...groups.values()].flat();
    if (!shown.some((row) => row.agrees)) return;
    const first = FIRST.flatMap((name) => [groups.get(name) ?? []]).filter((rows) => rows.length > 0);
    const rest = [...groups.values()].filter((rows) => !first.includes(rows));
    const ends = axis(shown);
    draw(element("chart"), first, ends);
    draw(element("rest-chart"), rest, ends);
    show(element("rest-title"), "rest", { count: String(rest.length) });
    element("rest").hidden = rest.length === 0;
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
    sample_ms: sample(),
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
  const focused = document.activeElement === element("stop");
  element("stop").hidden = true;
  element("lab-progress").hidden = true;
  const run = element("run");
  run.setAttribute("aria-disabled", "false");
  // The button that was pressed is gone.
  if (focused) run.focus();
}

function hear(news: News): void {
  const said = element("lab-said");
  switch (news.kind) {
    case "begun":
      about = { resolution: news.resolution, complete: false };
      begun = performance.now();
      break;
    case "row":
      take(news.row);
      element<HTMLProgressElement>("lab-progress").value = news.done / news.of;
      // Not every sample is read out.
      if (news.done % 25 === 1) {
        const took = (performance.now() - begun) / 1000;
        const left = duration((took / news.done) * (news.of - news.done));
        const known = news.done > 25 ? "runningLeft" : "running";
        show(said, known, { done: String(news.done), all: String(news.of), left });
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
      show(element("lab-fault"), "labFailed", { why: sentence(news.why) });
  }
}

function begin(): void {
  if (worker !== undefined) return;
  groups.clear();
  clear(element("lab-fault"));
  element("results").hidden = false;
  element("stop").hidden = false;
  element("lab-progress").hidden = false;
  element<HTMLProgressElement>("lab-progress").value = 0;
  element("run").setAttribute("aria-disabled", "true");
  element<HTMLButtonElement>("download").disabled = true;
  element("rows").replaceChildren();
  element("chart").replaceChildren();
  element("rest-chart").replaceChildren();
  element("rest").hidden = true;
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<News>) => hear(data));
  worker.addEventListener("error", ({ message }) => hear({ kind: "failed", why: message }));
  const size = Number(element<HTMLSelectElement>("size").value);
  const order: Order = { size, passes: PASSES, sample: sample() };
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
  // Also when its tab or its fold is opened.
  const sizes = new ResizeObserver(redraw);
  for (const id of ["chart", "rest-chart"]) sizes.observe(element(id));
}
