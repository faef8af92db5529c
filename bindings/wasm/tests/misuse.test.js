// What would betray a user in silence, and is refused: second uses of an IV, tags of lengths that
// whoever sends a message chose, numbers that were cut off.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { load } from "cipherlane";

const misuse = JSON.parse(
  readFileSync(new URL("../../../crates/vectors/data/misuse-tags.json", import.meta.url), "utf8"),
);
const hex = (text = "") => new Uint8Array(Buffer.from(text, "hex"));

const key = Uint8Array.from({ length: 16 }, (_, i) => i);
const iv = new Uint8Array(16);

function refused(code, text = /./) {
  const codes = [code].flat();
  return (error) => error.name === "CipherlaneError" && codes.includes(error.code) && text.test(error.message);
}

for (const build of ["scalar", "simd128"]) {
  const library = await load({ build });

  describe(build, () => {
    it("a MAC that takes an IV serves one message", () => {
      const ivs = library.registry().filter(({ kind, iv }) => kind === "mac" && iv.max > 0);
      const names = ivs.map(({ operation }) => operation);
      for (const name of ["gmac", "eia3", "nia6"]) assert.ok(names.includes(name), name);
      for (const { algorithm, operation, key: { min }, usualIv } of ivs) {
        const name = `${algorithm}/${operation}`;
        const secret = new Uint8Array(min).fill(7);
        const [first, second] = [1, 2].map((byte) => new Uint8Array(usualIv).fill(byte));
        const make = () => library.mac(algorithm, operation, { key: secret, iv: first }).update(key);
        const mac = make();
        assert.throws(() => mac.copy(), refused("state"), name);
        const tag = mac.digest();
        assert.throws(() => mac.digest(), refused("state"), name);
        assert.throws(() => mac.verify(tag), refused("state"), name);
        assert.throws(() => mac.update(key), refused("state"), name);
        assert.throws(() => mac.updateBits(key, 3), refused("state"), name);
        assert.throws(() => mac.copy(), refused("state"), name);
        assert.throws(() => mac.reset(first), refused("value", /last/), name);
        // A refused call gives nothing away and takes nothing away.
        mac.reset(second);
        const other = mac.update(key).digest();
        assert.notDeepEqual(other, tag, name);
        const receiver = make();
        receiver.verify(tag);
        assert.throws(() => receiver.verify(tag), refused("state"), name);
      }
    });

    it("a MAC without an IV goes on and is copied as before", () => {
      const mac = library.mac("sm4", "cmac", { key }).update(key);
      const tag = mac.digest();
      assert.deepEqual(mac.copy().digest(), tag);
      mac.verify(tag);
      assert.notDeepEqual(mac.update(key).digest(), tag);
    });

    it("a tag has the object's length, and an object one that its mode has", () => {
      for (const [mode, tags] of [["gcm", [4, 8, 12, 13, 14, 15, 16]], ["ccm", [4, 6, 8, 10, 12, 14, 16]]]) {
        for (let tagLength = 0; tagLength <= 20; tagLength++) {
          const make = () => library.aead("sm4", mode, { key, tagLength });
          const pieces = () => library.aeadPieces("sm4", mode, { key, nonce: iv.subarray(4), tagLength });
          if (tags.includes(tagLength)) {
            assert.equal(make().tagLength, tagLength);
            assert.equal(pieces().tagLength, tagLength);
          } else {
            assert.throws(make, refused("value", /tag/), `${mode}, ${tagLength}`);
            assert.throws(pieces, refused("value", /tag/), `${mode}, ${tagLength}`);
          }
        }
      }
      for (const name of ["cmac", "gmac"]) {
        const options = { key, iv: name === "gmac" ? iv : undefined };
        assert.equal(library.mac("sm4", name, options).tagLength, 16);
        assert.throws(() => library.mac("sm4", name, { ...options, tagLength: 1 }), refused("value", /tag/));
      }
      const pieces = library.aeadPieces("sm4", "gcm", { key, nonce: iv.subarray(4), tagLength: 12 });
      pieces.update(key);
      assert.throws(() => pieces.finish(16), refused("value", /16 bytes; allowed: 12/));
      assert.equal(pieces.finish().length, 12);
      const own = { aad: 0, message: 16, tag: 8 };
      const both = { key, nonce: iv.subarray(4), tagLength: 12, lengths: own };
      assert.throws(() => library.aeadPieces("sm4", "ccm", both), refused("value", /8 bytes; allowed: 12/));
      assert.equal(library.aeadPieces("sm4", "ccm", { ...both, tagLength: undefined }).tagLength, 8);
    });

    it("the registry tells the lengths of tags as they are", () => {
      for (const { algorithm, operation, kind, key: { min }, usualIv, tag } of library.registry()) {
        if (kind !== "seal" && kind !== "mac") continue;
        const told = (length) =>
          tag.set?.includes(length) ??
          (length >= tag.min && length <= tag.max && (length === tag.min || (length - tag.min) % tag.step === 0));
        const secret = new Uint8Array(min).fill(7);
        for (let tagLength = 1; tagLength <= 17; tagLength++) {
          const options = { key: secret, iv: new Uint8Array(usualIv), tagLength };
          const name = operation.replace(/-seal$/, "");
          let made = true;
          try {
            if (kind === "mac") library.mac(algorithm, operation, options).free();
            else library.aead(algorithm, name, options).free();
          } catch (error) {
            assert.equal(error.code, "value");
            made = false;
          }
          assert.equal(made, told(tagLength), `${algorithm}/${operation}, ${tagLength} bytes`);
        }
      }
    });

    it("numbers are whole: the module would cut off the rest", () => {
      for (const tagLength of [12.5, -1, 2 ** 32 + 16, NaN, "16"]) {
        assert.throws(() => library.aead("sm4", "gcm", { key, tagLength }), refused("value", /tagLength/));
        assert.throws(() => library.mac("sm4", "cmac", { key, tagLength }), refused("value", /tagLength/));
      }
      const mac = library.mac("zuc-128", "eia3", { key, iv });
      for (const bits of [undefined, 1.5, -1, 2 ** 60]) {
        assert.throws(() => mac.updateBits(key, bits), refused("value", /bits/));
      }
      assert.throws(() => library.cipher("rc5", "ecb-encrypt", { key, rounds: 2 ** 32 + 12 }), refused("value", /rounds/));
    });

    describe("tags of other lengths than the object's", () => {
      const algorithms = [...new Set(library.registry().map(({ algorithm }) => algorithm))];
      let taken = 0;
      let seen = 0;
      for (const { mode, tests } of misuse.groups) {
        const algorithm = algorithms.find((name) => mode.startsWith(`${name}-`));
        const operation = mode.slice(algorithm.length + 1);
        const entries = library.registry().filter((entry) => entry.algorithm === algorithm);
        const isMac = entries.some((entry) => entry.operation === operation && entry.kind === "mac");
        const seal = entries.find((entry) => entry.operation === `${operation}-seal`);
        for (const { id, object_tag_bytes: tagLength, expected, ...test } of tests) {
          const [key, iv, aad, tag] = [test.key, test.iv, test.aad, test.tag].map(hex);
          /** Every way there is to give a tag to an object. */
          const ways = [];
          if (isMac) {
            ways.push(() => library.mac(algorithm, operation, { key, iv, tagLength }).update(hex(test.message)).verify(tag));
          } else {
            const body = hex(test.ciphertext);
            const sealed = new Uint8Array(Buffer.concat([body, tag]));
            ways.push(() => library.aead(algorithm, operation, { key, tagLength }).open(iv, sealed, aad));
            if (seal.inPieces) {
              const lengths = { aad: aad.length, message: body.length };
              ways.push(() => {
                const pieces = library.aeadPieces(algorithm, operation, { key, nonce: iv, decrypt: true, tagLength, lengths });
                pieces.aad(aad);
                pieces.update(body);
                pieces.verify(tag);
              });
            }
          }
          it(`${id}: ${expected}`, () => {
            for (const way of ways) {
              if (expected === "accepted") way();
              else assert.throws(way, refused(["tag", "value"]), test.reason);
            }
            seen += 1;
            taken += expected === "accepted" ? 1 : 0;
          });
        }
      }
      it("all of them were tried", () => {
        const all = misuse.groups.flatMap(({ tests }) => tests);
        assert.deepEqual([seen, taken], [all.length, all.filter(({ expected }) => expected === "accepted").length]);
        assert.ok(seen >= 102);
      });
    });
  });
}
