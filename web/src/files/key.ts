// The key: read from a file, or made here, saved, and tried once more.
import { keyOf, keyText } from "cipherlane";

import { download, element } from "../dom";
import { clear, shortened, show } from "../language";
import type { Text } from "../texts";

const NAME = "cipherlane.key";

let key: Uint8Array<ArrayBuffer> | undefined;
let made = false;

export function currentKey(): Uint8Array<ArrayBuffer> | undefined {
  return key;
}

/** Whether the key was made here, so that its file has never been read. */
export function isNew(): boolean {
  return made;
}

/** A key file has 82 bytes; what is no key need not be read whole. */
const read = async (file: File) => keyOf(await file.slice(0, 1000).text());

/** Reads it, or says why not. */
export async function readKey(file: File): Promise<Text | undefined> {
  made = false;
  clear(element("test-said"));
  try {
    key = await read(file);
    show(element("key-said"), "keyRead", { name: shortened(file.name) });
    return undefined;
  } catch (error) {
    key = undefined;
    clear(element("key-said"));
    return (error as Error).name === "CipherlaneError" ? "errorKeyFile" : "errorRead";
  }
}

export function makeKey(): void {
  key = crypto.getRandomValues(new Uint8Array(32));
  made = true;
  download(NAME, new Blob([keyText(key)], { type: "text/plain" }));
  show(element("key-said"), "keyMade", { name: NAME });
  clear(element("test-said"));
}

/** Compares what the browser saved with the key; why it is not that key. */
export async function testKey(file: File): Promise<Text | undefined> {
  clear(element("test-said"));
  const expected = key;
  try {
    const found = await read(file);
    if (expected === undefined || !found.every((byte, i) => byte === expected[i])) return "testOther";
    show(element("test-said"), "testGood", { name: shortened(file.name) });
    return undefined;
  } catch (error) {
    return (error as Error).name === "CipherlaneError" ? "errorKeyFile" : "errorRead";
  }
}
