// The package: see index.d.ts, where every name is explained.
import { hasVectors, start } from "./builds.js";
import { bytes, keyOf, keyText, optional } from "./bytes.js";
import { Aead, AeadPieces, Bench, Cipher, Mac } from "./objects.js";
import { stream } from "./streams.js";

export { startWorker } from "./remote.js";
export { hasVectors, keyOf, keyText };

/** Loads the build that this engine takes, or the one asked for. */
export async function load({ build = hasVectors() ? "simd128" : "scalar" } = {}) {
  return new Cipherlane(build, await start(build));
}

class Cipherlane {
  #module;
  #registry;

  constructor(build, module) {
    this.build = build;
    this.#module = module;
    this.version = module.version();
    this.levels = Object.freeze(module.levels());
    this.level = this.levels.at(-1);
    this.suites = Object.freeze(module.suites());
  }

  registry() {
    this.#registry ??= Object.freeze(this.#module.registry().map(Object.freeze));
    return this.#registry;
  }

  selfTest(algorithm, level) {
    return this.#module.selfTest(algorithm, level);
  }

  cipher(algorithm, operation, options) {
    return new Cipher(this.#cipher(algorithm, operation, options));
  }

  cipherStream(algorithm, operation, options) {
    return stream(() => this.#cipher(algorithm, operation, options));
  }

  #cipher(algorithm, operation, options) {
    const { key, iv, padding, effectiveKeyBits, wordBits, rounds, level } = options;
    return new this.#module.CipherContext(
      algorithm,
      operation,
      bytes(key, "key"),
      optional(iv, "iv"),
      padding,
      effectiveKeyBits,
      wordBits,
      rounds,
      level,
    );
  }

  aead(algorithm, mode, { key, tagLength, level }) {
    return new Aead(new this.#module.Aead(algorithm, mode, bytes(key, "key"), tagLength, level));
  }

  aeadPieces(algorithm, mode, { key, nonce, decrypt = false, lengths, level }) {
    const secret = bytes(key, "key");
    const begin = bytes(nonce, "nonce");
    const inner = new this.#module.AeadContext(algorithm, mode, secret, begin, !decrypt, level);
    if (lengths !== undefined) inner.announce(lengths.aad, lengths.message, lengths.tag ?? 16);
    return new AeadPieces(inner);
  }

  mac(algorithm, operation, { key, iv, tagLength, messageLength, level }) {
    const secret = bytes(key, "key");
    const begin = optional(iv, "iv");
    const { Mac: Inner } = this.#module;
    return new Mac(
      new Inner(algorithm, operation, secret, begin, tagLength, messageLength, level),
    );
  }

  newKey() {
    return this.#module.randomKey();
  }

  inspect(head) {
    return this.#module.inspect(bytes(head, "head"));
  }

  encryptionStream({ key, passphrase, suite, kdf, chunkBits }) {
    const { FileSealing } = this.#module;
    return stream(() => new FileSealing(secret(key), passphrase, suite, kdf, chunkBits));
  }

  decryptionStream({ key, passphrase }) {
    return stream(() => new this.#module.FileOpening(secret(key), passphrase));
  }

  bench(algorithm, operation, { key, iv, data, level }) {
    const { Bench: Inner } = this.#module;
    const inner = new Inner(
      algorithm,
      operation,
      bytes(key, "key"),
      optional(iv, "iv"),
      bytes(data, "data"),
      level,
    );
    return new Bench(inner);
  }
}

function secret(key) {
  if (key === undefined) return undefined;
  return typeof key === "string" ? keyOf(key) : bytes(key, "key");
}
