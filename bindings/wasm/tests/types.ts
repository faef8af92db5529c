// Compiled and not run: the types as users meet them. What must not compile is marked.
import { hasVectors, keyOf, keyText, load, startWorker } from "cipherlane";
import type { Aead, Cipherlane, CipherlaneError, Entry, FileHead, Remote } from "cipherlane";

const library: Cipherlane = await load({ build: hasVectors() ? "simd128" : "scalar" });
const key = new Uint8Array(16);

const cipher = library.cipher("sm4", "cbc-encrypt", { key, iv: key.buffer, padding: "pkcs7" });
const sealed: Uint8Array<ArrayBuffer>[] = [cipher.update(new DataView(key.buffer)), cipher.finish()];
// What comes out goes wherever bytes go.
export const blob = new Blob(sealed);

const aead: Aead = library.aead("sm4", "gcm", { key, tagLength: 16 });
export const opened: Uint8Array = aead.open(key, aead.seal(key, key), key);
export const tag: Uint8Array = library.mac("sm4", "cmac", { key }).update(key).updateBits(key, 3).digest();
const pieces = library.aeadPieces("sm4", "ccm", { key, nonce: key, lengths: { aad: 0, message: 3 } });
pieces.verify(pieces.finish());
const short = library.aeadPieces("sm4", "gcm", { key, nonce: key, tagLength: 12 });
export const bytesOfTag: number = short.tagLength;
export const frame: Uint8Array = library.packetIv("nia6", { count: 1, bearer: 2, direction: 0, tagLength: 8 });

const [entry] = library.registry() as [Entry, ...Entry[]];
export const longest: number = entry.key.max + entry.usualIv + (entry.limit ?? 0);
const head: FileHead = library.inspect(key);
export const memory: number = head.kdf.name === "argon2id" ? head.kdf.memory : 0;

export async function through(file: Blob, worker: Worker): Promise<void> {
  const remote: Remote = await startWorker(worker, { build: "scalar" });
  for (const place of [library, remote]) {
    const stream = file.stream().pipeThrough(place.encryptionStream({ passphrase: "words", kdf: "argon2id" }));
    const plain = stream.pipeThrough(place.decryptionStream({ key: keyText(keyOf("text")) }));
    await plain.pipeThrough(place.cipherStream("zuc-128", "keystream", { key, iv: key })).cancel();
  }
  remote.terminate();
}

export function code(error: CipherlaneError): boolean {
  return error.code === "tag" || error.fault === "cut-off";
}

// @ts-expect-error Text is no key.
library.cipher("sm4", "ctr", { key: "0123456789abcdef" });
// @ts-expect-error A key is needed.
library.mac("sm4", "cmac", {});
// @ts-expect-error Either a key or a passphrase.
library.encryptionStream({ key, passphrase: "words" });
// @ts-expect-error Nothing of packets is called so.
library.packetIv("eea3+eia3", { count: 1, bearer: 2, direction: 0 });
// @ts-expect-error There are two builds.
await load({ build: "avx2" });
// @ts-expect-error Lists are not for writing.
library.levels.push("avx2");
