// Packets of LTE and 5G: their IVs, and what is no AEAD.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { load } from "cipherlane";

function refused(code, text = /./) {
  const codes = [code].flat();
  return (error) => error.name === "CipherlaneError" && codes.includes(error.code) && text.test(error.message);
}

for (const build of ["scalar", "simd128"]) {
  const library = await load({ build });

  describe(build, () => {
    it("EEA3 and EIA3 together are no AEAD", () => {
      assert.ok(!library.registry().some(({ operation }) => operation.includes("eea3+eia3")));
      assert.throws(
        () => library.aead("zuc-128", "eea3+eia3", { key: new Uint8Array(32) }),
        refused("unknown", /no AEAD/),
      );
    });

    it("IVs of packets are those of the specifications", () => {
      const hex = (bytes) => Buffer.from(bytes).toString("hex");
      // TS 35.223: the first EEA3 test, and a test of EIA3 with both fields set.
      const first = { count: 0x66035492, bearer: 15, direction: 0 };
      assert.equal(hex(library.packetIv("eea3", first)), "66035492780000006603549278000000");
      const second = { count: 0xa94059da, bearer: 10, direction: 1 };
      assert.equal(hex(library.packetIv("eia3", second)), "a94059da50000000294059da50008000");
      assert.equal(hex(library.packetIv("eea3", second)), "a94059da54000000a94059da54000000");
      const ck = Buffer.from("173d14ba5003731d7a60049470f00a29", "hex");
      const eea3 = library.cipher("zuc-128", "eea3", { key: ck, iv: library.packetIv("eea3", first) });
      assert.equal(hex(eea3.update(Buffer.from("6cf653", "hex"))), "a6c85f");
      // TS 35.223: 577 bits.
      const ik = Buffer.from("c9e6cec4607c72db000aefa88385ab0a", "hex");
      const message = Buffer.from(
        "983b41d47d780c9e1ad11d7eb70391b1de0b35da2dc62f83e7b78d6306ca0ea0" +
          "7e941b7be91348f9fcb170e2217fecd97f9f68adb16e5d7d21e569d280ed775cebde3f4093c53881" + "00",
        "hex",
      );
      const mac = library.mac("zuc-128", "eia3", { key: ik, iv: library.packetIv("eia3", second) });
      assert.equal(hex(mac.updateBits(message, 577).digest()), "fae8ff0b");
      // Byte 0 tells the algorithm and the tag's length in bits, as published tests have it.
      for (const [operation, tagLength, begins] of [
        ["nea6", undefined, "00"],
        ["nia6", 4, "20"],
        ["nia6", undefined, "80"],
        ["nca6", 4, "24"],
        ["nca6", undefined, "84"],
      ]) {
        const iv = hex(library.packetIv(operation, { ...second, tagLength }));
        assert.deepEqual([iv.length, iv.slice(0, 2), iv.slice(24)], [32, begins, "00000000"]);
      }
      // TS 33.401 annex C: 128-EEA2 set 1, 128-EIA2 set 2; annex C of 128-EIA1, set 1.
      const third = { count: 0x398a59b4, bearer: 0x15, direction: 1 };
      const aes = Buffer.from("d3c5d592327fb11c4035c6680af8c6d1", "hex");
      const nea2 = library.cipher("aes-128", "nea2", { key: aes, iv: library.packetIv("nea2", third) });
      assert.equal(hex(nea2.update(Buffer.from("981ba6824c1bfb1a", "hex"))), "e9fed8a63d155304");
      const nia2 = library.packetIv("nia2", { ...third, bearer: 0x1a });
      const tag2 = library.mac("aes-128", "nia2", { key: aes, iv: nia2 });
      assert.equal(hex(tag2.update(Buffer.from("484583d5afe082ae", "hex")).digest()), "b93787e6");
      const nia1 = library.packetIv("nia1", { count: 0x38a6f056, bearer: 31, direction: 0 });
      const snow = Buffer.from("2bd6459f82c5b300952c49104881ff48", "hex");
      const tag1 = library.mac("snow3g", "nia1", { key: snow, iv: nia1 });
      assert.equal(hex(tag1.update(Buffer.from("324bc98a74y")).digest()), "731f1165");
      for (const family of [4, 5]) {
        for (const kind of ["nea", "nia", "nca"]) {
          const iv = hex(library.packetIv(`${kind}${family}`, second));
          assert.equal(iv, hex(library.packetIv(`${kind}6`, second)), "one make-up for all three");
        }
      }
      assert.throws(() => library.packetIv("nea1", { ...first, tagLength: 4 }), refused("value", /tag/));
      const bad = (change) => () => library.packetIv("eea3", { ...first, ...change });
      assert.throws(bad({ count: 2 ** 32 }), refused("value", /COUNT is 4294967296/));
      assert.throws(bad({ bearer: 32 }), refused("value", /BEARER is 32; allowed: 0 to 31/));
      assert.throws(bad({ bearer: 256 + 3 }), refused("value", /BEARER/));
      assert.throws(bad({ direction: 2 }), refused("value", /DIRECTION is 2/));
      assert.throws(bad({ direction: undefined }), refused("value", /DIRECTION is missing/));
      assert.throws(bad({ count: -1 }), refused("value", /COUNT/));
      assert.throws(() => library.packetIv("eea4", first), refused("unknown", /eea4.*nea2, nia2.*eea3, eia3/));
      assert.throws(() => library.packetIv("nia6", { ...first, tagLength: 3 }), refused("value", /tag/));
    });
  });
}
