// A dot plot of rates on a logarithmic axis. Engines differ by shape as well as by colour; the
// table holds the same figures for those who see neither.
import { text } from "../language";
import { ENGINES, rate, type Engine, type Row } from "./rows";

const SVG = "http://www.w3.org/2000/svg";
/** Pixels of an operation's label and dots, and around the plot. */
const LANE = 44;
const SIDE = 22;
const HEAD = 24;
const DOT = 7;

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
    simd128: `M${x} ${y - DOT - 1}l${DOT + 1} ${DOT + 1}l${-DOT - 1} ${DOT + 1}l${-DOT - 1} ${-DOT - 1}z`,
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

/** Draws the rows, grouped by operation in the order given. */
export function draw(place: HTMLElement, groups: ReadonlyMap<string, readonly Row[]>): void {
  const width = place.clientWidth;
  const all = [...groups.values()].flat().filter((row) => row.agrees).map(rate);
  if (width === 0 || all.length === 0) return;
  const from = Math.floor(Math.log10(Math.min(...all)));
  const to = Math.max(Math.ceil(Math.log10(Math.max(...all))), from + 1);
  const at = (value: number) =>
    SIDE + ((Math.log10(value) - from) / (to - from)) * (width - 2 * SIDE);
  const height = HEAD + LANE * groups.size;
  const picture = make("svg", { width, height, role: "img", "aria-label": text("chartAlt") });
  for (let power = from; power <= to; power++) {
    const x = at(10 ** power);
    const tick = make("g", { class: "tick" });
    tick.append(
      make("line", { x1: x, x2: x, y1: HEAD - 6, y2: height }),
      make("text", { x, y: 14, "text-anchor": "middle" }, String(10 ** power)),
    );
    picture.append(tick);
  }
  let top = HEAD;
  for (const [name, rows] of groups) {
    const y = top + LANE - 14;
    picture.append(
      make("text", { x: SIDE, y: top + 16 }, name),
      make("line", { x1: SIDE, x2: width - SIDE, y1: y, y2: y, class: "lane" }),
    );
    for (const row of rows.filter((it) => it.agrees)) {
      picture.append(mark(row.engine, at(rate(row)), y));
    }
    top += LANE;
  }
  place.replaceChildren(picture);
}
