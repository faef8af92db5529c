// The classes of the module with the names and options that users see.
import { bytes, failure, optional, whole } from "./bytes.js";

class Wrapped {
  #inner;

  constructor(inner) {
    this.#inner = inner;
  }

  get inner() {
    return this.#inner;
  }

  /** Wipes what is secret and gives the memory back; nothing can be called any more. */
  free() {
    this.#inner.free();
  }
}

/** Encrypts or decrypts one message in pieces. */
export class Cipher extends Wrapped {
  update(data) {
    return this.inner.update(bytes(data, "data"));
  }

  finish() {
    return this.inner.finish();
  }

  message(iv, data) {
    return this.inner.message(bytes(iv, "iv"), bytes(data, "data"));
  }

  reset(iv) {
    this.inner.reset(optional(iv, "iv"));
  }
}

/** An AEAD on whole messages; the tag stands behind the ciphertext. */
export class Aead extends Wrapped {
  get tagLength() {
    return this.inner.tagLength;
  }

  seal(nonce, data, aad) {
    return this.inner.seal(bytes(nonce, "nonce"), bytes(data, "data"), optional(aad, "aad"));
  }

  open(nonce, sealed, aad) {
    return this.inner.open(bytes(nonce, "nonce"), bytes(sealed, "sealed"), optional(aad, "aad"));
  }
}

/** One message of an AEAD in pieces. */
export class AeadPieces extends Wrapped {
  get tagLength() {
    return this.inner.tagLength;
  }

  announce({ aad, message, tag }) {
    this.#own(tag);
    const most = Number.MAX_SAFE_INTEGER;
    this.inner.announce(whole(aad, "aad", most) ?? 0, whole(message, "message", most) ?? 0);
  }

  /** The tag's length is the object's: who says another one is told so. */
  #own(tagLength) {
    const allowed = this.tagLength;
    if (tagLength === undefined || tagLength === allowed) return;
    throw failure("value", `tag of ${tagLength} bytes; allowed: ${allowed}, for which the object was made (tagLength)`);
  }

  aad(data) {
    this.inner.aad(bytes(data, "data"));
  }

  update(data) {
    return this.inner.update(bytes(data, "data"));
  }

  finish(tagLength) {
    this.#own(tagLength);
    return this.inner.finish();
  }

  verify(tag) {
    this.inner.verify(bytes(tag, "tag"));
  }

  reset(nonce) {
    this.inner.reset(bytes(nonce, "nonce"));
  }
}

/** A MAC that takes its message in pieces. */
export class Mac extends Wrapped {
  get tagLength() {
    return this.inner.tagLength;
  }

  update(data) {
    this.inner.update(bytes(data, "data"));
    return this;
  }

  updateBits(data, bits) {
    // The module reads its absence as no bits.
    if (bits === undefined) throw failure("value", "bits is missing; allowed: a whole number");
    this.inner.updateBits(bytes(data, "data"), whole(bits, "bits", Number.MAX_SAFE_INTEGER));
    return this;
  }

  digest() {
    return this.inner.digest();
  }

  verify(tag) {
    this.inner.verify(bytes(tag, "tag"));
  }

  copy() {
    return new Mac(this.inner.copy());
  }

  reset(iv) {
    this.inner.reset(optional(iv, "iv"));
  }
}

/** One operation on one message in the module's memory, for measuring. */
export class Bench extends Wrapped {
  run(times) {
    this.inner.run(whole(times, "times"));
  }

  result() {
    return this.inner.result();
  }
}
