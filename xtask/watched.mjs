// Runs a program for WASI that has been rewritten to tell what it touches (xtask/src/prove/wasm), and compares
// what it tells of one run with what it told of the first: node watched.mjs PROGRAM.wasm [ARGUMENT…]

import { run } from "./wasi-host.mjs";

// The most events of one run: half a GiB. A kilobyte in CFB1 is 35 million.
const ROOM = 1 << 26;

// Of the first run: sites and values in turn.
let first = new Int32Array(1 << 20);
let length = 0;
// Of the run that goes on.
let events = 0;
let compares = false;
let parting = -1;

// What was selected in the first run, and how much of it the run that goes on has passed; an engine may make a
// branch of it, so places where it differs are told at the end, but part nothing.
let choices = new Uint8Array(1 << 20);
let chosen = 0;
const differ = new Set();

const listens = new WebAssembly.Global({ value: "i32", mutable: true }, 0);

// Called a hundred million times: no objects, no large numbers.
function event(site, value) {
  if (site < 0) {
    choice(site, value);
    return;
  }
  const at = 2 * events;
  events += 1;
  if (compares) {
    if (parting < 0 && (events > length || first[at] !== site || first[at + 1] !== value)) {
      parting = events - 1;
    }
    return;
  }
  if (at === first.length && !grow()) return;
  first[at] = site;
  first[at + 1] = value;
}

function choice(site, value) {
  const at = chosen;
  chosen += 1;
  if (compares) {
    if (parting < 0 && choices[at] !== value) differ.add(~site);
    return;
  }
  if (at === choices.length) choices = doubled(choices);
  choices[at] = value;
}

function doubled(array) {
  const more = new array.constructor(2 * array.length);
  more.set(array);
  return more;
}

function grow() {
  if (events > ROOM) {
    listens.value = 0;
    return false;
  }
  first = doubled(first);
  return true;
}

const watcher = {
  event,
  listens,
  begin(slot) {
    compares = slot !== 0;
    events = 0;
    chosen = 0;
    parting = -1;
    listens.value = 1;
  },
  end() {
    listens.value = 0;
    if (events > ROOM) return -1;
    if (!compares) {
      length = events;
    } else if (parting < 0 && events < length) {
      parting = events;
    }
    return events;
  },
  parting_step: () => parting,
  // A run that goes on after the first has ended parts at the first's last site.
  parting_place: () => first[2 * Math.min(parting, length - 1)],
};

await run({ cipherlane_prove: watcher });
console.error(`selected by secrets: ${[...differ].join(" ")}`);
