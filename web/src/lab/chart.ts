// A dot plot of rates on a logarithmic axis. Engines differ by shape as well as by colour; the
// table holds the same figures for those who see neither.
import { text } from "../language";
import { ENGINES, rate, type Engine, type Row } from "./rows";

const SVG = "http://www.w3.org/2000/svg";
/** Pixels of an operation's row, of its two lines of label, and around the plot. */
const LANE = 42;
const SIDE = 20;
const HEAD = 24;
const DOT = 6;
/** Marks that are nearer to each other than this stand one above the other. */
const APART = 2 * DOT + 2;

function make(name: string, attributes: Record<string, string | number>, content = ""): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = content;
  return element;
}

/** The mark of an engine around a point. */
function mark(engine: Engine, x: number, y: number): SVGElement {
  const side = engine.toLowerCase();
  const shapes: Record<Engine, string> = {
    scalar: `M${x - DOT} ${y}a${DOT} ${DOT} 0 1 0 ${2 * DOT} 0a${DOT} ${DOT} 0 1 0 ${-2 * DOT} 0`,
    simd128: `M${x} ${y - DOT}l${DOT} ${DOT}l${-DOT} ${DOT}l${-DOT} ${-DOT}z`,
    "sm-crypto": `M${x} ${y - DOT}l${DOT} ${2 * DOT - 1}h${-2 * DOT}z`,
    WebCrypto: `M${x - DOT + 1} ${y - DOT + 1}h${2 * DOT - 2}v${2 * DOT - 2}h${-2 * DOT + 2}z`,
  };
  return make("path", { d: shapes[engine], class: side });
}

/** What each mark means. */
export function legend(list: Element): void {
  const items = ENGINES.map((engine) => {
    const item = document.createElement("li");
    const picture = make("svg", { width: 18, height: 18, "aria-hidden": "true" });
    picture.append(mark(engine, 9, 9));
    item.append(picture, engine);
    return item;
  });
  list.replaceChildren(...items);
}

/** The marks of one row: equal rates beside the line, one above the other, none over another. */
function marks(rows: readonly Row[], y: number, at: (value: number) => number): SVGElement[] {
  const placed = rows.map((row) => ({ engine: row.engine, x: at(rate(row)) }));
  placed.sort((a, b) => a.x - b.x);
  const crowds: (typeof placed)[] = [];
  for (const it of placed) {
    const crowd = crowds.at(-1);
    const last = crowd?.at(-1);
    if (crowd && last && it.x - last.x < APART) crowd.push(it);
    else crowds.push([it]);
  }
  return crowds.flatMap((crowd) => {
    crowd.sort((a, b) => ENGINES.indexOf(a.engine) - ENGINES.indexOf(b.engine));
    return crowd.map(({ engine, x }, i) => mark(engine, x, y + (i - (crowd.length - 1) / 2) * APART));
  });
}

/** The width of a text on the page. */
const canvas = document.createElement("canvas").getContext("2d");

function widest(place: HTMLElement, names: readonly string[]): number {
  if (canvas === null) return 0;
  canvas.font = `600 13px ${getComputedStyle(place).fontFamily}`;
  return Math.max(...names.map((name) => canvas.measureText(name).width));
}

/** The powers of ten from the slowest to the fastest of all rows. */
export function axis(rows: readonly Row[]): [number, number] {
  const all = rows.filter((row) => row.agrees).map(rate);
  const from = Math.floor(Math.log10(Math.min(...all)));
  return [from, Math.max(Math.ceil(Math.log10(Math.max(...all))), from + 1)];
}

/** Draws the rows, grouped by operation in the order given, on an axis that charts share. */
export function draw(
  place: HTMLElement,
  groups: readonly (readonly Row[])[],
  [from, to]: [number, number],
): void {
  const width = place.clientWidth;
  if (width === 0) return;
  if (groups.length === 0) return place.replaceChildren();
  const heads = groups.flatMap(([row]) => (row ? [row.algorithm, row.operation] : []));
  const left = Math.ceil(widest(place, heads)) + SIDE;
  const at = (value: number) => left + ((Math.log10(value) - from) / (to - from)) * (width - left - SIDE);
  const height = HEAD + LANE * groups.length;
  const picture = make("svg", { width, height, role: "img", "aria-label": text("chartAlt") });
  for (let power = from; power <= to; power++) {
    const x = at(10 ** power);
    const tick = make("g", { class: "tick" });
    tick.append(
      make("line", { x1: x, x2: x, y1: HEAD - 6, y2: height }),
      make("text", { x, y: 14, "text-anchor": "middle" }, power < 3 ? String(10 ** power) : `${10 ** (power - 3)}k`),
    );
    picture.append(tick);
  }
  for (const [i, rows] of groups.entries()) {
    const [{ algorithm, operation }] = rows as readonly [Row, ...Row[]];
    const y = HEAD + i * LANE + LANE / 2;
    picture.append(
      make("text", { x: 0, y: y - 3, class: "name" }, algorithm),
      make("text", { x: 0, y: y + 13, class: "of" }, operation),
      make("line", { x1: left, x2: width - SIDE, y1: y, y2: y, class: "lane" }),
      ...marks(rows.filter((it) => it.agrees), y, at),
    );
  }
  place.replaceChildren(picture);
}
