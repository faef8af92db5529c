// Why something failed, in words for people and in their language.
import type { FileFault } from "cipherlane";

import type { Text } from "../texts";

type Gaps = Record<string, string>;

/** A reason that the user can do something about, at a field of the form. */
export class Advice extends Error {
  constructor(
    readonly text: Text,
    readonly field: string,
    readonly gaps: Gaps = {},
  ) {
    super(text);
  }
}

const FAULTS: Record<FileFault, Text> = {
  foreign: "errorForeign",
  header: "errorHeader",
  "cut-off": "errorCutOff",
  changed: "errorChanged",
  end: "errorEnd",
  "needs-key": "errorNeedsKey",
  "needs-passphrase": "errorNeedsPassphrase",
};

/** What the library says. */
const CODES: Record<string, Text> = { key: "errorKey", memory: "errorMemory" };

/** What browsers say. */
const NAMES: Record<string, Text> = {
  QuotaExceededError: "errorRoom",
  NotFoundError: "errorRead",
  NotReadableError: "errorRead",
  NotAllowedError: "errorPlace",
  NoModificationAllowedError: "errorPlace",
  SecurityError: "errorPlace",
};

/** As a sentence stands on a page. */
export function sentence(words: string): string {
  const text = words.trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?。]$/.test(text) ? "" : "."}`;
}

export function reason(error: unknown): [Text, Gaps] {
  if (error instanceof Advice) return [error.text, error.gaps];
  const { name, code, fault, message } = error as Error & { code?: string; fault?: FileFault };
  const known = (fault && FAULTS[fault]) ?? CODES[code ?? ""] ?? NAMES[name];
  return known === undefined ? ["failed", { why: sentence(message) }] : [known, {}];
}
