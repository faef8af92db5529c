// The shape of the interface, and what it refuses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { hasVectors, keyOf, keyText, load } from "cipherlane";

const key = Uint8Array.from({ length: 16 }, (_, i) => i);
const iv = new Uint8Array(16);

function refused(code, text = /./) {
  return (error) => error.name === "CipherlaneError" && error.code === code && text.test(error.message);
}

async function collect(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}

it("this engine takes the vectors, and load chooses them", async () => {
  assert.equal(hasVectors(), true);
  const { build, level, levels } = await load();
  assert.deepEqual([build, level, [...levels]], ["simd128", "simd128", ["portable", "simd128"]]);
});

it("the scalar build holds no vector instruction", async () => {
  const module = (name) => readFileSync(new URL(`../js/module/${name}_bg.wasm`, import.meta.url));
  // An engine without vectors refuses a module whose types or code name one; what says so is
  // the list of features that the compiler wrote into it.
  const features = (name) => {
    const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(module(name)), "target_features");
    return Buffer.from(section).toString("latin1");
  };
  assert.ok(features("simd128").includes("+\x07simd128"));
  assert.ok(!features("scalar").includes("+\x07simd128"));
});

it("an unknown build is refused", async () => {
  await assert.rejects(load({ build: "avx2" }), TypeError);
});

for (const build of ["scalar", "simd128"]) {
  const library = await load({ build });

  describe(build, () => {
    it("the registry tells every algorithm with its operations", () => {
      const entries = library.registry();
      const algorithms = new Set(entries.map((entry) => entry.algorithm));
      for (const name of ["sm4", "zuc-128", "aes-256", "trivium", "rc5"]) {
        assert.ok(algorithms.has(name), name);
      }
      const entry = entries.find((it) => it.algorithm === "sm4" && it.operation === "gcm-seal");
      assert.deepEqual(entry.key, { min: 16, max: 16, step: 0 });
      assert.deepEqual([entry.kind, entry.block, entry.usualIv], ["seal", 16, 12]);
      assert.equal(entry.timing, "constant-time");
      assert.equal(entry.limit, undefined);
      assert.ok(Object.isFrozen(entry));
      const short = entries.find((it) => it.limit !== undefined);
      const secret = new Uint8Array(short.key.min).fill(5);
      const stream = library.cipher(short.algorithm, "keystream", { key: secret, iv: new Uint8Array(short.usualIv) });
      stream.update(new Uint8Array(short.limit));
      assert.throws(() => stream.update(new Uint8Array(1)), refused("value", /limit/));
    });

    it("every operation of the registry starts", () => {
      for (const entry of library.registry()) {
        const { algorithm, operation, kind } = entry;
        const secret = Uint8Array.from({ length: entry.key.min }, (_, i) => 3 * i + 1);
        const start = new Uint8Array(entry.usualIv);
        const name = operation.replace(/-(seal|open)$/, "");
        if (kind === "cipher") library.cipher(algorithm, operation, { key: secret, iv: start }).free();
        else if (kind === "mac") library.mac(algorithm, operation, { key: secret, iv: start }).free();
        else library.aead(algorithm, name, { key: secret }).free();
      }
    });

    it("known answers are compared", () => {
      const algorithms = new Set(library.registry().map((entry) => entry.algorithm));
      for (const level of library.levels) assert.equal(library.selfTest(undefined, level), algorithms.size);
      assert.equal(library.selfTest("sm4"), 1);
      assert.throws(() => library.selfTest("sm5"), refused("unknown", /sm5/));
    });

    it("text is no bytes", () => {
      assert.throws(() => library.cipher("sm4", "ctr", { key: "0123456789abcdef", iv }), TypeError);
      assert.throws(() => library.cipher("sm4", "ctr", { iv }), TypeError);
      const cipher = library.cipher("sm4", "ctr", { key, iv });
      assert.throws(() => cipher.update("text"), /data is string; allowed: Uint8Array/);
    });

    it("views and buffers are bytes, and their offsets count", () => {
      const wide = new Uint8Array(40).fill(9);
      const expected = library.cipher("sm4", "ctr", { key, iv }).update(new Uint8Array(16).fill(9));
      for (const data of [wide.subarray(8, 24), new DataView(wide.buffer, 4, 16), wide.slice(0, 16).buffer]) {
        assert.deepEqual(library.cipher("sm4", "ctr", { key, iv }).update(data), expected);
      }
    });

    it("what is wrong has a code", () => {
      const cbc = (options) => library.cipher("sm4", "cbc-encrypt", { key, iv, ...options });
      assert.throws(() => cbc({ key: key.subarray(1) }), refused("key", /15/));
      assert.throws(() => cbc({ iv: iv.subarray(1) }), refused("value", /iv/));
      assert.throws(() => cbc({ padding: "zero" }), refused("unknown", /pkcs7/));
      assert.throws(() => cbc({ level: "avx2" }), refused("value", /avx2/));
      assert.throws(() => library.cipher("sm4", "cbd", { key, iv }), refused("unknown", /cbd/));
      const partial = cbc({});
      partial.update(key.subarray(1));
      assert.throws(() => partial.finish(), refused("block"));
      const ended = cbc({});
      ended.finish();
      assert.throws(() => ended.update(key), refused("state"));
    });

    it("padding is added and taken off", () => {
      const seal = library.cipher("sm4", "cbc-encrypt", { key, iv, padding: "pkcs7" });
      const sealed = Buffer.concat([seal.update(Buffer.from("twenty bytes of text")), seal.finish()]);
      assert.equal(sealed.length, 32);
      const open = library.cipher("sm4", "cbc-decrypt", { key, iv, padding: "pkcs7" });
      assert.equal(Buffer.concat([open.update(sealed), open.finish()]).toString(), "twenty bytes of text");
      sealed[31] ^= 1;
      open.reset(iv);
      open.update(sealed);
      assert.throws(() => open.finish(), refused("padding"));
    });

    it("a nonce is refused twice running", () => {
      const aead = library.aead("aes-256", "gcm", { key: new Uint8Array(32) });
      aead.seal(iv.subarray(4), key);
      assert.throws(() => aead.seal(iv.subarray(4), key), refused("value", /nonce/));
    });

    it("counters carry into every byte", () => {
      const blocks = 600;
      for (const low of [0x00, 0x37, 0xf0, 0xff]) {
        for (const carried of [0, 1, 7, 15]) {
          const start = Uint8Array.from({ length: 16 }, (_, i) => (i >= 15 - carried && i < 15 ? 0xff : 3 * i));
          start[15] = low;
          let counter = BigInt(`0x${Buffer.from(start).toString("hex")}`);
          const counters = Array.from({ length: blocks }, () => {
            const text = (counter++ % 2n ** 128n).toString(16).padStart(32, "0");
            return Buffer.from(text, "hex");
          });
          for (const algorithm of ["sm4", "aes-128"]) {
            const ecb = library.cipher(algorithm, "ecb-encrypt", { key });
            const ctr = library.cipher(algorithm, "ctr", { key, iv: start });
            assert.deepEqual(ctr.update(new Uint8Array(16 * blocks)), ecb.update(Buffer.concat(counters)));
          }
        }
      }
    });

    it("a stream gives what pieces give, however it is cut", async () => {
      const data = Uint8Array.from({ length: 3_000_001 }, (_, i) => i * 7);
      const whole = library.cipher("sm4", "ctr", { key, iv }).update(data);
      for (const size of [999, 1 << 16, data.length]) {
        const source = new ReadableStream({
          start(controller) {
            for (let at = 0; at < data.length; at += size) controller.enqueue(data.subarray(at, at + size));
            controller.close();
          },
        });
        const stream = library.cipherStream("sm4", "ctr", { key, iv });
        assert.deepEqual(await collect(source.pipeThrough(stream)), whole);
      }
    });

    it("a freed object can't be called", () => {
      const cipher = library.cipher("sm4", "ctr", { key, iv });
      cipher.free();
      assert.throws(() => cipher.update(key));
    });

    it("what is measured is the operation", () => {
      const data = Uint8Array.from({ length: 1000 }, (_, i) => i);
      const bench = library.bench("sm4", "ctr", { key, iv, data });
      bench.run(1);
      assert.deepEqual(bench.result(), library.cipher("sm4", "ctr", { key, iv }).update(data));
      bench.run(1);
      assert.deepEqual(bench.result(), data);
      const sealing = library.bench("sm4", "gcm-seal", { key, iv: iv.subarray(4), data });
      sealing.run(1);
      const aead = library.aead("sm4", "gcm", { key });
      assert.deepEqual(sealing.result(), aead.seal(iv.subarray(4), data));
    });
  });
}

it("keys are texts as in the program's key files", () => {
  const text = keyText(new Uint8Array(32).fill(0xa5));
  assert.equal(text, `cipherlane-key-1:${"a5".repeat(32)}\n`);
  assert.deepEqual(keyOf(text), new Uint8Array(32).fill(0xa5));
  for (const wrong of ["", "a5".repeat(32), text.slice(0, -2), `${text.trim()}0`, text.replace("a", "g")]) {
    assert.throws(() => keyOf(wrong), refused("key"));
  }
});

it("the README's example runs as it is printed", async () => {
  const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = page.match(/```js\n(.*?)\n```/s);
  assert.ok(code.split("\n").filter(Boolean).length <= 10, "it has ten lines");
  const said = [];
  const run = new Function("load", "console", `return (async () => {${code.replace(/^import .*$/m, "")}})()`);
  await run(load, { log: (text) => said.push(text) });
  assert.deepEqual(said, ["a message"]);
});
