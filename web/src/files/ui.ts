// The part of the page that encrypts and decrypts.
import type { FileOptions, FileSecret } from "cipherlane";

import { chosen, element } from "../dom";
import { bytes, clear, duration, shortened, show, whenChanged } from "../language";
import type { Text } from "../texts";
import { run } from "./job";
import { currentKey, isNew, makeKey, readKey, testKey } from "./key";
import { forget, guard, offer, startOffers, unsaved } from "./kept";
import { startPicking } from "./pick";
import { Advice, reason } from "./reasons";
import { isOurs, MEMORY_LIMIT, open, tidy, way } from "./targets";

const SUFFIX = ".clane";

let file: File | undefined;
let running: AbortController | undefined;
/** Whether the user said what is to be done: then no file says otherwise. */
let told = false;

const input = (id: string) => element<HTMLInputElement>(id);
const decrypting = () => chosen("task") === "decrypt";

/** Shows what belongs to the choices. */
function arrange(): void {
  const byPassphrase = chosen("secret") === "passphrase";
  const decrypt = decrypting();
  element("after").hidden = file === undefined;
  element("by-key").hidden = byPassphrase;
  element("by-passphrase").hidden = !byPassphrase;
  element("new-key").hidden = decrypt;
  element("test").hidden = decrypt || !isNew();
  element("again-field").hidden = decrypt;
  element("more").hidden = decrypt;
  const texts = { picker: "toPicker", private: "toPrivate", memory: "toMemory" } as const;
  show(element("way"), texts[way()], { limit: bytes(MEMORY_LIMIT) });
  const [drop, begin] = [element("drop-text"), element("start")];
  if (file === undefined) {
    show(drop, decrypt ? "dropSealed" : "dropPlain");
    show(begin, decrypt ? "decrypt" : "encrypt");
    return;
  }
  const name = shortened(file.name);
  show(drop, "dropOther");
  show(element("file-said"), "chosenFile", { name, size: bytes(file.size) });
  show(begin, decrypt ? "decryptIt" : "encryptIt", { name });
}

/** What was said of the last attempt goes with the next choice. */
function calm(): void {
  clear(element("fault"));
  for (const field of document.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

function fail(text: Text, gaps: Record<string, string> = {}, field?: string): void {
  show(element("fault"), text, gaps);
  if (field === undefined) return;
  const at = element(field);
  if (at instanceof HTMLInputElement) at.setAttribute("aria-invalid", "true");
  at.focus();
}

async function takeFile(taken: File): Promise<void> {
  file = taken;
  calm();
  clear(element("said"));
  arrange();
  if (told || !(await isOurs(taken)) || file !== taken || told) return;
  input("decrypt").checked = true;
  arrange();
}

async function takeKey(taken: File): Promise<void> {
  calm();
  const wrong = await readKey(taken);
  arrange();
  if (wrong !== undefined) fail(wrong, {}, "key-file");
}

function secret(): FileSecret {
  if (chosen("secret") === "key") {
    const key = currentKey();
    if (key === undefined) throw new Advice(decrypting() ? "noKeyFile" : "noKey", "key-file");
    return { key };
  }
  const passphrase = input("passphrase").value;
  if (passphrase === "") throw new Advice("noPassphrase", "passphrase");
  if (!decrypting() && passphrase !== input("again").value) throw new Advice("twoPassphrases", "again");
  return { passphrase };
}

/** What is read off the form. */
function order(): { file: File; decrypt: boolean; options: FileOptions; name: string } {
  if (file === undefined) throw new Advice("noFile", "file");
  const waits = unsaved();
  if (waits !== undefined) throw new Advice("saveFirst", "save", { name: shortened(waits) });
  if (way() === "memory" && file.size > MEMORY_LIMIT) {
    throw new Advice("tooLarge", "file", { limit: bytes(MEMORY_LIMIT) });
  }
  const decrypt = decrypting();
  const suite = element<HTMLSelectElement>("suite").value;
  const options: FileOptions = decrypt ? secret() : { ...secret(), suite };
  const plain = file.name.endsWith(SUFFIX) ? file.name.slice(0, -SUFFIX.length) : `${file.name}.out`;
  return { file, decrypt, options, name: decrypt ? plain : `${file.name}${SUFFIX}` };
}

/** Why it failed, for people. */
function tell(error: unknown): void {
  clear(element("said"));
  if ((error as Error).name === "AbortError") return show(element("said"), "cancelled");
  const [text, gaps] = reason(error);
  return fail(text, gaps, error instanceof Advice ? error.field : undefined);
}

function busy(on: boolean): void {
  const begin = element("start");
  const choices = element<HTMLFieldSetElement>("choices");
  // What is disabled loses the focus: nobody with a keyboard should have to look for it.
  if (on && choices.contains(document.activeElement)) begin.focus();
  choices.disabled = on;
  begin.setAttribute("aria-disabled", String(on));
  const cancelled = document.activeElement === element("cancel");
  element("cancel").hidden = !on;
  element("progress").hidden = !on;
  element("rate").hidden = !on;
  element<HTMLProgressElement>("progress").value = 0;
  clear(element("rate"));
  guard("work", on);
  if (!on && (cancelled || document.activeElement === document.body)) begin.focus();
}

/** Shows how far it is and how long it will take, four times a second. */
function meter(size: number, name: string, decrypt: boolean): (read: number) => void {
  let first: { at: number; read: number } | undefined;
  let last = 0;
  return (read) => {
    const now = performance.now();
    if (first === undefined) {
      first = { at: now, read };
      show(element("said"), decrypt ? "decrypting" : "encrypting", { name });
    }
    if (now - last < 250) return;
    last = now;
    element<HTMLProgressElement>("progress").value = read / size;
    const rate = ((read - first.read) / (now - first.at)) * 1000;
    const gaps = { done: bytes(read), all: bytes(size) };
    // The first moments say nothing about the rest.
    if (!(rate > 0) || now - first.at < 500) return show(element("rate"), "begun", gaps);
    const left = duration((size - read) / rate);
    return show(element("rate"), "working", { ...gaps, rate: bytes(rate), left });
  };
}

async function start(signal: AbortSignal): Promise<void> {
  calm();
  clear(element("said"));
  const { file, decrypt, options, name } = order();
  await forget();
  const target = await open(name);
  busy(true);
  show(element("said"), "deriving");
  const progress = meter(file.size, shortened(file.name), decrypt);
  const { written, blob } = await run({ file, decrypt, options, target, signal, progress });
  busy(false);
  show(element("said"), "finished", { name: shortened(name), size: bytes(written) });
  if (blob !== undefined) offer(target, blob, name);
}

export function startFiles(): void {
  document.querySelectorAll("input[name=task], input[name=secret]").forEach((it) => {
    it.addEventListener("change", () => {
      calm();
      arrange();
    });
  });
  document.querySelectorAll("input[name=task]").forEach((it) => {
    it.addEventListener("change", () => {
      told = true;
    });
  });
  const places = [
    { input: input("file"), zone: element("drop"), take: (it: File) => void takeFile(it) },
    { input: input("key-file"), zone: element("key-drop"), take: (it: File) => void takeKey(it) },
  ] as const;
  startPicking([...places], () => running === undefined, (text) => fail(text, {}, "file"));
  element("new-key").addEventListener("click", () => {
    calm();
    makeKey();
    arrange();
  });
  const tested = input("tested");
  element("test-key").addEventListener("click", () => {
    tested.value = "";
    tested.click();
  });
  tested.addEventListener("change", () => {
    const saved = tested.files?.[0];
    if (saved === undefined) return;
    calm();
    void testKey(saved).then((wrong) => wrong && fail(wrong));
  });
  element("cancel").addEventListener("click", () => running?.abort());
  element("discard").addEventListener("click", () => {
    element("start").focus();
    void forget().then(() => show(element("said"), "discarded"));
  });
  element("form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (running !== undefined) return;
    running = new AbortController();
    start(running.signal)
      .catch((error: unknown) => {
        busy(false);
        tell(error);
      })
      .finally(() => {
        running = undefined;
      });
  });
  startOffers();
  whenChanged(arrange);
  void tidy();
}
