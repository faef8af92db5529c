// Files in the program's format: the published ones, any cut, and what was changed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MessageChannel } from "node:worker_threads";

import { keyText, load, startWorker } from "cipherlane";
import { serve } from "../js/serve.js";

const { tests } = JSON.parse(
  readFileSync(new URL("../../../crates/container/tests/files.json", import.meta.url), "utf8"),
);
const hex = (text) => new Uint8Array(Buffer.from(text, "hex"));

function source(data, size = data.length || 1) {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < data.length; at += size) controller.enqueue(data.subarray(at, at + size));
      controller.close();
    },
  });
}

async function through(data, stream, size) {
  const parts = [];
  for await (const part of source(data, size).pipeThrough(stream)) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}

/** Bytes of buffers that something still refers to, those of modules included. */
function held() {
  return process.memoryUsage().external;
}

function refused(...codes) {
  return (error) => error.name === "CipherlaneError" && codes.includes(error.code);
}

/** Of code `file`, with one of these faults. */
function faulty(...faults) {
  return (error) => refused("file")(error) && faults.includes(error.fault);
}

const HEADER = 88;

const MiB = 1 << 20;
// What is held is counted, not what waits for the collector: when it comes is the machine's affair.
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const libraries = [await load({ build: "scalar" }), await load({ build: "simd128" })];
const { port1, port2 } = new MessageChannel();
serve(port2);
const remote = await startWorker(port1);

for (const [name, library] of [
  ["scalar", libraries[0]],
  ["simd128", libraries[1]],
  ["worker", remote],
]) {
  describe(name, () => {
    for (const { id, key, passphrase, plain, file } of tests) {
      it(`the published file ${id}`, async () => {
        const phrase = () => ({ passphrase: new TextDecoder().decode(hex(passphrase)) });
        const secret = passphrase === undefined ? { key: hex(key) } : phrase();
        const opened = await through(hex(file), library.decryptionStream(secret), 1000);
        assert.deepEqual(opened, hex(plain));
      });
    }

    it("what is written opens, for all suites and lengths", async () => {
      const key = new Uint8Array(32).fill(7);
      for (const suite of libraries[0].suites) {
        for (const length of [0, 1, 4095, 4096, 4097, 20_000]) {
          const plain = Uint8Array.from({ length }, (_, i) => i * 13);
          const file = await through(plain, library.encryptionStream({ key, suite, chunkBits: 12 }), 777);
          assert.equal(file.length, 88 + length + 16 * Math.max(1, Math.ceil(length / 4096)));
          const stream = library.decryptionStream({ key: keyText(key) });
          assert.deepEqual(await through(file, stream, 501), plain);
        }
      }
    });

    it("a passphrase opens it, and no other", async () => {
      const plain = Buffer.from("text");
      for (const kdf of ["argon2id", "pbkdf2-sm3"]) {
        const passphrase = "пароль 密码";
        const file = await through(plain, library.encryptionStream({ passphrase, kdf }));
        assert.equal(libraries[1].inspect(file).kdf.name, kdf);
        const opened = await through(file, library.decryptionStream({ passphrase }));
        assert.deepEqual(Buffer.from(opened), plain);
        if (kdf === "argon2id") {
          const other = () => through(file, library.decryptionStream({ passphrase: "password" }));
          await assert.rejects(other, (error) => refused("key")(error) && error.fault === undefined);
          await assert.rejects(
            through(file, library.decryptionStream({ key: new Uint8Array(32) })),
            (error) => refused("key")(error) && error.fault === "needs-passphrase",
          );
          const keyed = await through(plain, library.encryptionStream({ key: new Uint8Array(32) }));
          await assert.rejects(
            through(keyed, library.decryptionStream({ passphrase })),
            (error) => refused("key")(error) && error.fault === "needs-key",
          );
        }
      }
    });

    it("every truncation and every changed byte is found", async () => {
      const key = new Uint8Array(32).fill(3);
      const plain = new Uint8Array(4096 + 40);
      const file = await through(plain, library.encryptionStream({ key, chunkBits: 12 }));
      for (let length = 0; length < file.length; length += name === "simd128" ? 1 : 97) {
        const open = through(file.subarray(0, length), library.decryptionStream({ key }));
        const early = length === 0 ? ["foreign"] : ["cut-off"];
        const told = length < HEADER ? faulty(...early) : faulty("cut-off", "end");
        await assert.rejects(open, told, `${length} bytes`);
      }
      for (let at = 0; at < file.length; at += name === "simd128" ? 7 : 301) {
        const forged = Uint8Array.from(file);
        forged[at] ^= 0x40;
        const open = through(forged, library.decryptionStream({ key }));
        const chunks = at < HEADER + 4096 + 16 ? "changed" : "end";
        const header = (error) => faulty("header")(error) || refused("key")(error);
        const told = at < 8 ? faulty("foreign") : at < HEADER ? header : faulty(chunks);
        await assert.rejects(open, told, `byte ${at}`);
      }
      const longer = Buffer.concat([file, Buffer.of(0)]);
      await assert.rejects(through(longer, library.decryptionStream({ key })), faulty("end"));
    });

    it("no key and no passphrase, or both, are refused", async () => {
      const bad = async (options) => through(Buffer.from("x"), library.encryptionStream(options));
      await assert.rejects(bad({}), refused("value"));
      await assert.rejects(bad({ key: new Uint8Array(32), passphrase: "x" }), refused("value"));
      await assert.rejects(bad({ key: new Uint8Array(31) }), refused("key"));
      await assert.rejects(bad({ passphrase: "" }), refused("key"));
      await assert.rejects(bad({ key: new Uint8Array(32), suite: "sm4-cbc" }), refused("unknown"));
      await assert.rejects(bad({ key: new Uint8Array(32), chunkBits: 30 }), refused("file"));
      // 256 and 20 more: not 20.
      await assert.rejects(bad({ key: new Uint8Array(32), chunkBits: 276 }), refused("value"));
    });
  });
}

it("a forged header does not bring the module down", async () => {
  const file = Buffer.from(await through(Buffer.from("x"), libraries[1].encryptionStream({ passphrase: "x" })));
  file.writeUInt32BE(2 * MiB, 12);
  const open = through(new Uint8Array(file), libraries[1].decryptionStream({ passphrase: "x" }));
  await assert.rejects(open, refused("memory"));
  assert.equal(libraries[1].selfTest("sm4"), 1);
});

it("300 MiB go through a few MiB of memory", async () => {
  const key = new Uint8Array(32).fill(5);
  const piece = new Uint8Array(3 * MiB).map((_, i) => i);
  let left = 100;
  const endless = new ReadableStream(
    {
      pull(controller) {
        if (left-- > 0) controller.enqueue(piece);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  let length = 0;
  let wrong = 0;
  let most = 0;
  let parts = 0;
  collect();
  const before = held();
  const plain = endless
    .pipeThrough(libraries[1].encryptionStream({ key }))
    .pipeThrough(libraries[1].decryptionStream({ key }));
  for await (const part of plain) {
    wrong += Buffer.compare(part.subarray(0, 64), Buffer.from(piece.subarray(length % piece.length).subarray(0, 64))) === 0 ? 0 : 1;
    length += part.length;
    if (parts++ % 16 === 0) {
      collect();
      most = Math.max(most, held() - before);
    }
  }
  assert.deepEqual([length, wrong], [300 * MiB, 0]);
  assert.ok(most < 32 * MiB, `${most / MiB} MiB at once, in ${parts} parts`);
});

it("a worker that was ended refuses", async () => {
  const channel = new MessageChannel();
  serve(channel.port2);
  const other = await startWorker(channel.port1, { build: "scalar" });
  assert.equal(other.build, "scalar");
  const stream = other.encryptionStream({ key: new Uint8Array(32) });
  other.terminate();
  await assert.rejects(through(new Uint8Array(10), stream), refused("worker"));
});

it("the channel closes", () => {
  remote.terminate();
});
