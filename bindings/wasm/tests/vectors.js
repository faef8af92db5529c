// The published vectors, as lines that `cargo xtask web` writes.
import { readFileSync } from "node:fs";

const hex = (text) => new Uint8Array(Buffer.from(text, "hex"));

function read(line) {
  const fields = line.split("\t");
  const [kind, id, algorithm, operation, inverse] = fields;
  const [key, iv, aad, input, output, tag] = fields.slice(5, 11).map(hex);
  const [offset, bits, valid, parameters] = fields.slice(11);
  const names = ["effectiveKeyBits", "wordBits", "rounds"];
  const given = parameters.split(",").map((value, i) => [names[i], value]);
  const family = given.filter(([, value]) => value).map(([name, value]) => [name, Number(value)]);
  return {
    ...{ kind, id: `${id}@${offset}`, algorithm, operation, inverse, key, iv, aad, input, output },
    ...{ tag, offset: Number(offset), bits: bits === "" ? undefined : Number(bits) },
    ...{ valid: valid === "1", family: Object.fromEntries(family) },
  };
}

/** Those of one kind. */
export function vectors(kind) {
  const file = process.env.CIPHERLANE_VECTORS;
  if (!file) throw new Error("CIPHERLANE_VECTORS names no file: run the tests by cargo xtask web");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n").slice(1);
  const found = lines.map(read).filter((vector) => vector.kind === kind);
  if (found.length === 0) throw new Error(`${file} has no vectors of kind ${kind}`);
  return found;
}

/** The builds with each of their levels. */
export const BUILDS = [
  ["scalar", "portable"],
  ["simd128", "portable"],
  ["simd128", "simd128"],
];
