// The classes of the module with the names and options that users see.
import { bytes, optional } from "./bytes.js";

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
  aad(data) {
    this.inner.aad(bytes(data, "data"));
  }

  update(data) {
    return this.inner.update(bytes(data, "data"));
  }

  finish(tagLength = 16) {
    return this.inner.finish(tagLength);
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
    this.inner.updateBits(bytes(data, "data"), bits);
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
    this.inner.run(times);
  }

  result() {
    return this.inner.result();
  }
}
