// What the laboratory says of itself and of each measured cell.

/** Who did the work. */
export type Engine = "scalar" | "simd128" | "sm-crypto" | "WebCrypto";

export const ENGINES: readonly Engine[] = ["scalar", "simd128", "sm-crypto", "WebCrypto"];

/** One cell: an operation done by an engine. */
export interface Row {
  readonly algorithm: string;
  readonly operation: string;
  readonly engine: Engine;
  /** Bytes of a message. */
  readonly size: number;
  /** Nanoseconds a message, the best sample of each pass. */
  readonly passes: readonly number[];
  /** Whether its output is that of the other engines; no figure counts without. */
  readonly agrees: boolean;
}

/** Megabytes (10^6) a second in the best pass. */
export function rate(row: Row): number {
  return (row.size / Math.min(...row.passes)) * 1000;
}

export interface Order {
  readonly size: number;
  readonly passes: number;
  /** The shortest sample in milliseconds. */
  readonly sample: number;
}

export type News =
  | { readonly kind: "begun"; readonly cells: number; readonly resolution: number }
  | { readonly kind: "row"; readonly row: Row; readonly done: number; readonly of: number }
  | { readonly kind: "ended" }
  | { readonly kind: "failed"; readonly why: string };
