// The published vectors, in both builds and at every level of each.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { load } from "cipherlane";
import { BUILDS, vectors } from "./vectors.js";

function* cut(data, size) {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

function joined(parts) {
  return new Uint8Array(Buffer.concat([...parts]));
}

function refused(code) {
  return (error) => error.name === "CipherlaneError" && code.includes(error.code);
}

for (const [build, level] of BUILDS) {
  const library = await load({ build });
  const entries = library.registry();
  const whole = new Set();
  const inPieces = new Set();
  for (const { algorithm, operation, kind, inPieces: pieces } of entries) {
    if (kind === "cipher" && !pieces) whole.add(`${algorithm}/${operation}`);
    if (kind === "seal" && pieces) inPieces.add(`${algorithm}/${operation.replace("-seal", "")}`);
  }

  describe(`${build}, ${level}`, () => {
    for (const { id, ...vector } of vectors("cipher")) {
      const { algorithm, operation, inverse, key, iv, input, output, family } = vector;
      it(`cipher ${id}`, () => {
        const make = (name) => library.cipher(algorithm, name, { key, iv, level, ...family });
        const forward = make(operation);
        assert.deepEqual(joined([forward.update(input), forward.finish()]), output);
        const backward = make(inverse);
        assert.deepEqual(joined([backward.update(output), backward.finish()]), input);
        if (!whole.has(`${algorithm}/${operation}`)) {
          for (const size of [1, 7, 16, 100]) {
            backward.reset(iv);
            const parts = [...cut(output, size)].map((part) => backward.update(part));
            assert.deepEqual(joined([...parts, backward.finish()]), input);
          }
        }
        assert.deepEqual(forward.message(iv, input), output);
        forward.free();
        backward.free();
      });
    }

    for (const { id, algorithm, operation, key, iv, offset, output } of vectors("keystream")) {
      it(`keystream ${id}`, () => {
        const cipher = library.cipher(algorithm, operation, { key, iv, level });
        cipher.update(new Uint8Array(offset));
        assert.deepEqual(cipher.update(new Uint8Array(output.length)), output);
        cipher.free();
      });
    }

    for (const { id, ...vector } of vectors("aead")) {
      const { algorithm, operation, key, iv, aad, input, output, tag, valid } = vector;
      it(`aead ${id}`, () => {
        if (operation.includes("+")) {
          // No AEAD: its two algorithms are there, each with its own IV and key.
          assert.throws(() => library.aead(algorithm, operation, { key }), refused(["unknown"]));
          return;
        }
        const sealed = joined([output, tag]);
        const make = () => library.aead(algorithm, operation, { key, tagLength: tag.length, level });
        if (!valid) {
          const open = () => make().open(iv, sealed, aad);
          assert.throws(open, refused(["tag", "value", "key", "unknown"]));
          return;
        }
        const aead = make();
        assert.deepEqual(aead.seal(iv, input, aad), sealed);
        assert.deepEqual(aead.open(iv, sealed, aad), input);
        sealed[sealed.length - 1] ^= 1;
        assert.throws(() => aead.open(iv, sealed, aad), refused(["tag"]));
        aead.free();
        if (!inPieces.has(`${algorithm}/${operation}`)) return;
        const lengths = { aad: aad.length, message: input.length };
        for (const decrypt of [false, true]) {
          const common = { key, nonce: iv, decrypt, tagLength: tag.length, lengths, level };
          const pieces = library.aeadPieces(algorithm, operation, common);
          for (const part of cut(aad, 5)) pieces.aad(part);
          const [given, expected] = decrypt ? [output, input] : [input, output];
          const parts = [...cut(given, 13)].map((part) => pieces.update(part));
          assert.deepEqual(joined(parts), expected);
          if (decrypt) pieces.verify(tag);
          else assert.deepEqual(pieces.finish(), tag);
          pieces.free();
        }
      });
    }

    for (const { id, algorithm, operation, key, iv, input, tag, bits, valid } of vectors("mac")) {
      it(`mac ${id}`, () => {
        const messageLength = operation.endsWith("pad3") ? input.length : undefined;
        const options = { key, iv, tagLength: tag.length, messageLength, level };
        if (!valid) {
          const verify = () => library.mac(algorithm, operation, options).update(input).verify(tag);
          assert.throws(verify, refused(["tag", "value", "key"]));
          return;
        }
        const mac = library.mac(algorithm, operation, options);
        if (bits !== undefined) {
          assert.deepEqual(mac.updateBits(input, bits).digest(), tag);
          return;
        }
        mac.update(input.subarray(0, 10));
        if (iv.length > 0) {
          // One message for one IV.
          assert.throws(() => mac.copy(), refused(["state"]));
          assert.deepEqual(mac.update(input.subarray(10)).digest(), tag);
          for (const again of [() => mac.digest(), () => mac.update(input), () => mac.verify(tag)]) {
            assert.throws(again, refused(["state"]));
          }
          assert.throws(() => mac.reset(iv), refused(["value"]));
          mac.free();
          const other = library.mac(algorithm, operation, options).update(input);
          other.verify(tag);
          assert.throws(() => other.digest(), refused(["state"]));
          other.free();
          return;
        }
        const copy = mac.copy();
        for (const each of [mac, copy]) {
          assert.deepEqual(each.update(input.subarray(10)).digest(), tag);
          each.verify(tag);
          const wrong = Uint8Array.from(tag);
          wrong[0] ^= 1;
          assert.throws(() => each.verify(wrong), refused(["tag"]));
          each.free();
        }
      });
    }
  });
}
