// The part of the page that encrypts and decrypts.
import { keyOf, keyText, type FileOptions, type FileSecret } from "cipherlane";

import { chosen, download, element } from "../dom";
import { bytes, clear, show, whenChanged } from "../language";
import type { Text } from "../texts";
import { run } from "./job";
import { MEMORY_LIMIT, open, tidy, way, type Target } from "./targets";

const SUFFIX = ".clane";

/** A reason that the user can do something about. */
class Advice extends Error {
  constructor(
    readonly text: Text,
    readonly gaps: Record<string, string> = {},
  ) {
    super(text);
  }
}

let key: Uint8Array<ArrayBuffer> | undefined;
let running: AbortController | undefined;
let kept: { target: Target; url: string } | undefined;

const input = (id: string) => element<HTMLInputElement>(id);
const decrypting = () => chosen("task") === "decrypt";

/** Shows what belongs to the choices. */
function arrange(): void {
  const byPassphrase = chosen("secret") === "passphrase";
  element("by-key").hidden = byPassphrase;
  element("by-passphrase").hidden = !byPassphrase;
  element("new-key").hidden = decrypting();
  element("again-field").hidden = decrypting();
  element("suite-field").hidden = decrypting();
  const texts = { picker: "toPicker", private: "toPrivate", memory: "toMemory" } as const;
  show(element("way"), texts[way()], { limit: bytes(MEMORY_LIMIT) });
}

function makeKey(): void {
  key = crypto.getRandomValues(new Uint8Array(32));
  const name = "cipherlane.key";
  download(name, new Blob([keyText(key)], { type: "text/plain" }));
  input("key-file").value = "";
  show(element("key-said"), "keyMade", { name });
  clear(element("fault"));
}

async function readKey(): Promise<void> {
  const file = input("key-file").files?.[0];
  if (file === undefined) return;
  try {
    // A key file has 82 bytes; what is no key need not be read whole.
    key = keyOf(await file.slice(0, 1000).text());
    show(element("key-said"), "keyRead", { name: file.name });
    clear(element("fault"));
  } catch (error) {
    key = undefined;
    clear(element("key-said"));
    element("fault").textContent = (error as Error).message;
  }
}

function secret(): FileSecret {
  if (chosen("secret") === "key") {
    if (key === undefined) throw new Advice("noKey");
    return { key };
  }
  const passphrase = input("passphrase").value;
  if (passphrase === "") throw new Advice("noPassphrase");
  if (!decrypting() && passphrase !== input("again").value) throw new Advice("twoPassphrases");
  return { passphrase };
}

/** What is read off the form. */
function order(): { file: File; decrypt: boolean; options: FileOptions; name: string } {
  const file = input("file").files?.[0];
  if (file === undefined) throw new Advice("noFile");
  if (way() === "memory" && file.size > MEMORY_LIMIT) {
    throw new Advice("tooLarge", { limit: bytes(MEMORY_LIMIT) });
  }
  const decrypt = decrypting();
  const suite = element<HTMLSelectElement>("suite").value;
  const options: FileOptions = decrypt ? secret() : { ...secret(), suite };
  const plain = file.name.endsWith(SUFFIX) ? file.name.slice(0, -SUFFIX.length) : `${file.name}.out`;
  return { file, decrypt, options, name: decrypt ? plain : `${file.name}${SUFFIX}` };
}

const CODES: Record<string, Text> = { key: "errorKey", file: "errorFile", state: "errorFile", memory: "errorMemory" };

/** Why it failed, for people. */
function tell(error: unknown): void {
  const fault = element("fault");
  if (error instanceof Advice) return show(fault, error.text, error.gaps);
  const { name, code, message } = error as Error & { code?: string };
  if (name === "AbortError") return show(element("said"), "cancelled");
  const known = name === "QuotaExceededError" ? "errorRoom" : CODES[code ?? ""];
  if (known !== undefined) return show(fault, known);
  return show(fault, "failed", { why: message });
}

function busy(on: boolean): void {
  input("start").disabled = on;
  element("cancel").hidden = !on;
  element("progress").hidden = !on;
  element<HTMLProgressElement>("progress").value = 0;
}

/** Forgets a result that was offered before. */
async function forget(): Promise<void> {
  element("result").hidden = true;
  if (kept === undefined) return;
  URL.revokeObjectURL(kept.url);
  const { target } = kept;
  kept = undefined;
  await target.discard();
}

async function start(): Promise<void> {
  clear(element("fault"));
  clear(element("said"));
  const { file, decrypt, options, name } = order();
  await forget();
  const target = await open(name);
  running = new AbortController();
  busy(true);
  show(element("said"), "deriving");
  const begin = performance.now();
  let last = begin;
  const progress = (read: number) => {
    const now = performance.now();
    // Four times a second are enough for eyes, and for screen readers.
    if (now - last < 250) return;
    last = now;
    element<HTMLProgressElement>("progress").value = read / file.size;
    const rate = bytes((read / (now - begin)) * 1000);
    show(element("said"), "working", { done: bytes(read), all: bytes(file.size), rate });
  };
  const job = { file, decrypt, options, target, signal: running.signal, progress };
  const { written, blob } = await run(job);
  show(element("said"), "finished", { name, size: bytes(written) });
  if (blob === undefined) return;
  const link = element<HTMLAnchorElement>("save");
  kept = { target, url: URL.createObjectURL(blob) };
  link.href = kept.url;
  link.download = name;
  show(link, "save", { name });
  element("result").hidden = false;
  link.focus();
}

export function startFiles(): void {
  document.querySelectorAll("input[name=task], input[name=secret]").forEach((it) => {
    it.addEventListener("change", arrange);
  });
  element("new-key").addEventListener("click", makeKey);
  input("key-file").addEventListener("change", () => void readKey());
  element("cancel").addEventListener("click", () => running?.abort());
  element("discard").addEventListener("click", () => {
    void forget().then(() => show(element("said"), "discarded"));
  });
  element("form").addEventListener("submit", (event) => {
    event.preventDefault();
    start()
      .catch((error: unknown) => {
        clear(element("said"));
        tell(error);
      })
      .finally(() => {
        running = undefined;
        busy(false);
      });
  });
  whenChanged(arrange);
  void tidy();
}
