// The same figures as a table.
import { bytes, text } from "../language";
import { rate, type Engine, type Row } from "./rows";

function figure(row: Row): string {
  if (!row.agrees) return text("differs");
  const value = rate(row);
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function cell(tag: "td" | "th", main: string, small = ""): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = main;
  if (small !== "") {
    const note = document.createElement("small");
    note.textContent = small;
    element.append(note);
  }
  return element;
}

/** How many times the scalar build's rate. */
function times(row: Row, scalar: Row | undefined): string {
  if (scalar === undefined || !row.agrees || !scalar.agrees) return "";
  return `× ${(rate(row) / rate(scalar)).toFixed(1)}`;
}

export function fill(body: Element, groups: ReadonlyMap<string, readonly Row[]>): void {
  const longest = Math.max(...[...groups.values()].flat().map((row) => row.size));
  const lines = [...groups].map(([, rows]) => {
    const line = document.createElement("tr");
    const of = (engine: Engine) => rows.find((row) => row.engine === engine);
    const [scalar, simd128] = [of("scalar"), of("simd128")];
    const [{ algorithm, operation, size }] = rows as [Row, ...Row[]];
    const shorter = size === longest ? "" : `, ${bytes(size)}`;
    const head = cell("th", algorithm, `${operation}${shorter}`);
    head.setAttribute("scope", "row");
    line.append(head, cell("td", scalar ? figure(scalar) : "–"));
    line.append(simd128 ? cell("td", figure(simd128), times(simd128, scalar)) : cell("td", "–"));
    const others = rows.filter((row) => row !== scalar && row !== simd128);
    const [other] = others;
    line.append(other ? cell("td", figure(other), other.engine) : cell("td", "–"));
    return line;
  });
  body.replaceChildren(...lines);
}
