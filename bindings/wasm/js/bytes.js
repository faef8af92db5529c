// What comes in: bytes, and never text, which is neither a key nor its hexadecimal digits.

/** The bytes of a buffer or of a view of one, not copied. */
export function bytes(value, name) {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  const got = value === null ? "null" : typeof value;
  throw new TypeError(`${name} is ${got}; allowed: Uint8Array, ArrayBuffer or a view of one`);
}

/** The same, where nothing means no bytes. */
export function optional(value, name) {
  return value === undefined ? new Uint8Array() : bytes(value, name);
}

/** A whole number, or nothing; the module would cut off what it has no bits for. */
export function whole(value, name, most = 2 ** 32 - 1) {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0 && value <= most)) return value;
  throw failure("value", `${name} is ${value}; allowed: a whole number from 0 to ${most}`);
}

const MARK = "cipherlane-key-1:";

/** A key as the program's key files hold it. */
export function keyText(key) {
  const digits = Array.from(bytes(key, "key"), (byte) => byte.toString(16).padStart(2, "0"));
  return `${MARK}${digits.join("")}\n`;
}

/** The 32 bytes of such a text. */
export function keyOf(text) {
  const digits = text.trim();
  if (!digits.startsWith(MARK) || !/^[0-9a-fA-F]{64}$/.test(digits.slice(MARK.length))) {
    // The text is not shown: it may be a key with a slip in it.
    throw failure("key", `no key: it must be \`${MARK}\` and 64 hexadecimal digits`);
  }
  const pairs = digits.slice(MARK.length).match(/../g);
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** An error as the module makes them. */
export function failure(code, message) {
  const error = new Error(message);
  error.name = "CipherlaneError";
  error.code = code;
  return error;
}
