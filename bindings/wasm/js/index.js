// The package: see index.d.ts, where every name is explained.
import { hasVectors, start } from "./builds.js";
import { bytes, failure, keyOf, keyText, optional, whole } from "./bytes.js";
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
      whole(effectiveKeyBits, "effectiveKeyBits"),
      whole(wordBits, "wordBits"),
      whole(rounds, "rounds"),
      level,
    );
  }

  aead(algorithm, mode, { key, tagLength, level }) {
    const { Aead: Inner } = this.#module;
    const tag = whole(tagLength, "tagLength");
    return new Aead(new Inner(algorithm, mode, bytes(key, "key"), tag, level));
  }

  aeadPieces(algorithm, mode, { key, nonce, decrypt = false, tagLength, lengths, level }) {
    const secret = bytes(key, "key");
    const begin = bytes(nonce, "nonce");
    const tag = whole(tagLength ?? lengths?.tag, "tagLength");
    const inner = new this.#module.AeadContext(algorithm, mode, secret, begin, !decrypt, tag, level);
    const pieces = new AeadPieces(inner);
    if (lengths !== undefined) pieces.announce(lengths);
    return pieces;
  }

  mac(algorithm, operation, { key, iv, tagLength, messageLength, level }) {
    const secret = bytes(key, "key");
    const begin = optional(iv, "iv");
    const tag = whole(tagLength, "tagLength");
    const message = whole(messageLength, "messageLength", Number.MAX_SAFE_INTEGER);
    const { Mac: Inner } = this.#module;
    return new Mac(new Inner(algorithm, operation, secret, begin, tag, message, level));
  }

  packetIv(operation, { count, bearer, direction, tagLength = 0 }) {
    const numbers = Object.entries({ COUNT: count, BEARER: bearer, DIRECTION: direction });
    for (const [name, number] of numbers) {
      // Nothing stands for none of them: a packet has all three.
      if (number === undefined) throw failure("value", `${name} is missing; allowed: a whole number`);
      whole(number, name, Number.MAX_SAFE_INTEGER);
    }
    const packet = new this.#module.Packet(count, bearer, direction);
    const iv = packet.iv(operation, whole(tagLength, "tagLength"));
    packet.free();
    if (iv !== undefined) return iv;
    const known = this.#module.Packet.operations().join(", ");
    throw failure("unknown", `no operation of packets is called \`${operation}\`; known: ${known}`);
  }

  newKey() {
    return this.#module.randomKey();
  }

  inspect(head) {
    return this.#module.inspect(bytes(head, "head"));
  }

  encryptionStream({ key, passphrase, suite, kdf, chunkBits }) {
    const { FileSealing } = this.#module;
    const bits = whole(chunkBits, "chunkBits", 255);
    return stream(() => new FileSealing(secret(key), passphrase, suite, kdf, bits));
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
