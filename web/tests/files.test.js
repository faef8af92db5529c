// Files through the page, against the program both ways.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { promisify } from "node:util";

import { quiet, start, visit } from "./browser.js";
import { asks, drop, focused, order, save, saved } from "./form.js";

const MB = 1_000_000;
const LARGE = 200 * MB;
/** By how much the page's process may grow while a large file goes through it twice: garbage waits to
 * be collected, but a file held whole would come on top of it. */
const MEMORY = 300 * MB;

const run = promisify(execFile);
const program = process.env.CIPHERLANE_PROGRAM;

let house;
let folder;
before(async () => {
  assert.ok(program, "CIPHERLANE_PROGRAM names no program: run the tests by cargo xtask web");
  folder = await mkdtemp(join(tmpdir(), "cipherlane-web-"));
  house = await start();
});
after(async () => {
  await house?.close();
  await rm(folder, { recursive: true });
});

/** Takes away the picker, which needs a person: results come as downloads then. */
const noPicker = () => {
  delete window.showSaveFilePicker;
};
const noPrivate = () => {
  delete window.showSaveFilePicker;
  delete FileSystemFileHandle.prototype.createWritable;
};

async function digest(path) {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest("hex");
}

/** A file of bytes that do not repeat within a chunk. */
async function file(name, length) {
  const path = join(folder, name);
  const handle = await open(path, "w");
  const piece = randomBytes(MB + 1);
  for (let left = length; left > 0; left -= piece.length) {
    await handle.write(piece.subarray(0, Math.min(left, piece.length)));
  }
  await handle.close();
  return path;
}

/** The most memory that the largest process of a page has had, in bytes. */
async function peak(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const pages = processInfo.filter(({ type }) => type === "renderer");
  const peaks = pages.map(async ({ id }) => {
    const [, kib] = (await readFile(`/proc/${id}/status`, "utf8")).match(/VmHWM:\s*(\d+)/);
    return Number(kib) * 1024;
  });
  return Math.max(...(await Promise.all(peaks)));
}

async function keyFile() {
  const path = join(folder, `${randomBytes(4).toString("hex")}.key`);
  await run(program, ["keygen", "-o", path]);
  return path;
}

it("200 MB go to the program and come back from it, in bounded memory", { timeout: 600_000 }, async (t) => {
  const visitor = await visit(house, { prepare: noPicker });
  const { page, context } = visitor;
  const [key, plain] = [await keyFile(), await file("large.bin", LARGE)];
  const before = await peak(house.browser);
  const expected = await digest(plain);

  await order(page, { task: "encrypt", path: plain, key });
  await page.getByText(/MB of 200 MB, .* a second, about \d+ s left/).waitFor();
  const sealed = await saved(page, join(folder, "sealed.clane"));
  assert.equal(sealed.suggested, "large.bin.clane");
  const chunks = Math.ceil(LARGE / 2 ** 20);
  assert.equal((await stat(sealed.path)).size, 88 + LARGE + 16 * chunks);
  await run(program, ["decrypt", "-k", key, sealed.path, "-o", join(folder, "by-program")]);
  assert.equal(await digest(join(folder, "by-program")), expected);

  await run(program, ["encrypt", "-k", key, plain, "-o", join(folder, "large.bin.clane")]);
  await order(page, { task: "decrypt", path: join(folder, "large.bin.clane"), key });
  const opened = await saved(page, join(folder, "opened"));
  assert.equal(opened.suggested, "large.bin");
  assert.equal(await digest(opened.path), expected);
  const grown = (await peak(house.browser)) - before;
  t.diagnostic(`tell: the page's process grew by ${(grown / MB).toFixed(0)} MB at most`);
  assert.ok(grown < MEMORY, `${grown} bytes more`);

  await page.locator("#discard").click();
  await page.getByText("The copy is gone.").waitFor();
  const left = await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const results = await root.getDirectoryHandle("results");
    return (await Array.fromAsync(results.keys())).length;
  });
  assert.equal(left, 0);
  quiet(house, visitor);
  await context.close();
});

it("a passphrase and every suite open in the program, and the program's files here", { timeout: 300_000 }, async () => {
  const { page, context } = await visit(house, { prepare: noPicker });
  const plain = await file("small.bin", 3 * MB);
  const expected = await digest(plain);
  const phrase = join(folder, "phrase");
  await writeFile(phrase, "a passphrase of 五 words\n");
  const passphrase = "a passphrase of 五 words";
  for (const suite of ["sm4-gcm", "aes-128-gcm", "aes-256-gcm", "zuc-gxm"]) {
    await order(page, { task: "encrypt", path: plain, passphrase, suite });
    const sealed = await saved(page, join(folder, `${suite}.clane`));
    const out = join(folder, `${suite}.out`);
    await run(program, ["decrypt", "--passphrase-file", phrase, sealed.path, "-o", out]);
    assert.equal(await digest(out), expected, suite);
  }
  const sealed = join(folder, "program.clane");
  await run(program, ["encrypt", "--passphrase-file", phrase, plain, "-o", sealed]);
  await order(page, { task: "decrypt", path: sealed, passphrase });
  const opened = await saved(page, join(folder, "opened-small"));
  assert.equal(await digest(opened.path), expected);
  await context.close();
});

it("a key made in the page is a key file of the program, and can be tested at once", async () => {
  const { page, context } = await visit(house, { prepare: noPicker });
  const empty = await file("empty.bin", 0);
  await page.locator("#file").setInputFiles(empty);
  assert.equal(await page.locator("#test-key").isVisible(), false);
  const wait = page.waitForEvent("download");
  await page.locator("#new-key").click();
  const key = join(folder, "made.key");
  await (await wait).saveAs(key);
  assert.match(await readFile(key, "utf8"), /^cipherlane-key-1:[0-9a-f]{64}\n$/);
  const test = async (path) => {
    const chooser = page.waitForEvent("filechooser");
    await page.locator("#test-key").click();
    await (await chooser).setFiles(path);
  };
  await test(await keyFile());
  await page.getByRole("alert").getByText("That file holds another key.").waitFor();
  await test(empty);
  await page.getByRole("alert").getByText("This is no key file").waitFor();
  await test(key);
  await page.getByText("made.key holds this very key.").waitFor();
  assert.equal(await page.locator("#fault").textContent(), "");
  await page.locator("#start").click();
  const sealed = await saved(page, join(folder, "empty.clane"));
  await run(program, ["decrypt", "-k", key, sealed.path, "-o", join(folder, "empty.out")]);
  assert.equal((await stat(join(folder, "empty.out"))).size, 0);
  await context.close();
});

it("files can be dropped, and nothing else becomes of what is dropped", async () => {
  const visitor = await visit(house, { prepare: noPicker });
  const { page, context } = visitor;
  const begin = page.locator("#start");
  await drop(page, "#drop", { "a.txt": "text" });
  await page.getByText("Chosen: a.txt, 4 B").waitFor();
  assert.equal(await begin.textContent(), "Encrypt a.txt");
  await drop(page, "#drop", { "b.txt": "b", "c.txt": "c" });
  await page.getByRole("alert").getByText("One file at a time").waitFor();
  assert.equal(await begin.textContent(), "Encrypt a.txt");
  // Beside the place it is the page's, too: the browser would leave the page and show the file.
  await drop(page, "footer", { "d.txt": "d" });
  await page.getByText("Chosen: d.txt").waitFor();
  assert.equal(await page.locator("#fault").textContent(), "");
  await drop(page, "#key-drop", { "my.key": `cipherlane-key-1:${"5a".repeat(32)}\n` });
  await page.getByText("The key was read from my.key").waitFor();
  await drop(page, "#key-drop", { "my.key": "no key" });
  await page.getByRole("alert").getByText("This is no key file").waitFor();
  assert.equal(await focused(page), "key-file");
  await page.locator("#lab-tab").click();
  await drop(page, "main", { "e.txt": "e" });
  await page.locator("#files-tab").click();
  assert.equal(await begin.textContent(), "Encrypt d.txt");
  quiet(house, visitor);
  await context.close();
});

it("a file of the format is to be decrypted, unless the user says otherwise", async () => {
  const { page, context } = await visit(house, { prepare: noPicker });
  const name = "seen.bin.clane";
  const ours = { name, mimeType: "application/octet-stream", buffer: Buffer.from("\x89CLANE\r\n and more", "latin1") };
  await page.locator("#file").setInputFiles(ours);
  await page.getByText(`Decrypt ${name}`).waitFor();
  assert.equal(await page.locator("#suite").isVisible(), false);
  await page.locator("input[value=encrypt]").check();
  await page.locator("#file").setInputFiles(ours);
  await page.waitForTimeout(200);
  assert.equal(await page.locator("#start").textContent(), `Encrypt ${name}`);
  await context.close();
});

it("a result that nobody has saved is not lost without a question", async () => {
  const { page, context } = await visit(house, { prepare: noPicker });
  const [key, plain] = [await keyFile(), await file("unsaved.bin", MB)];
  await order(page, { task: "encrypt", path: plain, key });
  await page.getByText(/^Done: /).waitFor();
  assert.ok(await asks(page), "the page asks before it goes");
  // Nor does the next job take its place.
  await page.locator("#start").click();
  await page.getByRole("alert").getByText("Save unsaved.bin.clane or remove it first").waitFor();
  assert.equal(await focused(page), "save");
  // Nor does another page of the same browser, which tidies up when it opens.
  const other = await context.newPage();
  await other.goto(house.host.url);
  await other.waitForTimeout(500);
  const sealed = await save(page, join(folder, "unsaved.clane"));
  await run(program, ["decrypt", "-k", key, sealed.path, "-o", join(folder, "unsaved.out")]);
  assert.equal(await digest(join(folder, "unsaved.out")), await digest(plain));
  assert.equal(await asks(page), false);
  // It is gone; what it left goes with the next visit.
  const left = () => other.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    return (await Array.fromAsync((await root.getDirectoryHandle("results")).keys())).length;
  });
  assert.equal(await left(), 1);
  await other.reload();
  await other.waitForTimeout(500);
  assert.equal(await left(), 0);
  await context.close();
});

it("the place that the user chooses gets the whole result or nothing", async () => {
  // The picker's file, as it would be on disk; this one the page can read back.
  const prepare = () => {
    window.showSaveFilePicker = async ({ suggestedName }) => {
      const root = await navigator.storage.getDirectory();
      return root.getFileHandle(suggestedName, { create: true });
    };
  };
  const { page, context } = await visit(house, { prepare });
  const [key, plain] = [await keyFile(), await file("picked.bin", 5 * MB)];
  const written = (name) =>
    page.evaluate(async (name) => {
      const root = await navigator.storage.getDirectory();
      const blob = await (await root.getFileHandle(name)).getFile();
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
      return { size: blob.size, hash: Array.from(hash, (it) => it.toString(16).padStart(2, "0")).join("") };
    }, name);
  const sealed = join(folder, "picked.bin.clane");
  await run(program, ["encrypt", "-k", key, plain, "-o", sealed]);
  await order(page, { task: "decrypt", path: sealed, key });
  await page.getByText(/^Done: picked.bin/).waitFor();
  assert.deepEqual(await written("picked.bin"), { size: 5 * MB, hash: await digest(plain) });

  // A byte of the last chunk changed: four chunks were good, and none may be left.
  const forged = await readFile(sealed);
  forged[forged.length - 20] ^= 1;
  const path = join(folder, "forged.clane");
  await writeFile(path, forged);
  await order(page, { task: "decrypt", path, key });
  await page.getByRole("alert").getByText("The end of the file is missing or was changed.").waitFor();
  assert.equal((await written("forged")).size, 0);
  assert.equal(await page.locator("#result").isVisible(), false);
  await context.close();
});

it("what can't be opened is told, and nothing is offered", async () => {
  const { page, context } = await visit(house, { prepare: noPicker });
  const [key, other, plain] = [await keyFile(), await keyFile(), await file("told.bin", 2 * MB)];
  const sealed = join(folder, "told.clane");
  await run(program, ["encrypt", "-k", key, plain, "-o", sealed]);
  const refuse = async (what, said) => {
    await order(page, { task: "decrypt", ...what });
    await page.getByRole("alert").getByText(said).waitFor();
    assert.equal(await page.locator("#result").isVisible(), false);
  };
  await refuse({ path: sealed, key: other }, "does not open the file");
  await refuse({ path: sealed, passphrase: "a passphrase" }, "encrypted with a key, not with a passphrase");
  const phrased = join(folder, "phrased.clane");
  const phrase = join(folder, "told-phrase");
  await writeFile(phrase, "words\n");
  await run(program, ["encrypt", "--passphrase-file", phrase, plain, "-o", phrased]);
  await refuse({ path: phrased, key }, "encrypted with a passphrase, not with a key");
  // What is wrong with the file itself: four things, four texts.
  await refuse({ path: plain, key }, "This is no file of Cipherlane's");
  const whole = await readFile(sealed);
  const altered = async (name, bytes) => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return { path, key };
  };
  const flipped = (at) => Buffer.from(whole).fill(whole[at] ^ 1, at, at + 1);
  await refuse(await altered("first.clane", whole.subarray(0, 50)), "The file was cut off");
  await refuse(await altered("tag.clane", whole.subarray(0, 88 + 2 ** 20 + 16 + 7)), "The file was cut off");
  await refuse(await altered("short.clane", whole.subarray(0, 88 + 2 ** 20 + 16)), "The end of the file is missing or was changed");
  await refuse(await altered("changed.clane", flipped(5000)), "The file was changed: it is not what was encrypted");
  await refuse(await altered("version.clane", flipped(8)), "a newer version wrote it");
  await context.close();
});

it("a job can be cancelled and leaves nothing", async () => {
  const { page, context } = await visit(house, { prepare: noPicker });
  const [key, plain] = [await keyFile(), await file("cancelled.bin", 150 * MB)];
  await order(page, { task: "encrypt", path: plain, key });
  await page.getByText(/MB of 150 MB/).waitFor();
  // A second press of the button begins nothing, and the page asks before it goes.
  await page.locator("#start").press("Enter");
  assert.ok(await asks(page), "the page asks before it goes");
  await page.locator("#cancel").click();
  await page.getByText("Cancelled. Nothing was kept.").waitFor();
  assert.equal(await focused(page), "start");
  const left = await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    return (await Array.fromAsync((await root.getDirectoryHandle("results")).keys())).length;
  });
  assert.equal(left, 0);
  assert.equal(await asks(page), false);
  await context.close();
});

it("a browser that can write nowhere says its limit and keeps it", async () => {
  const { page, context } = await visit(house, { prepare: noPrivate });
  const [key, plain] = [await keyFile(), await file("memory.bin", MB)];
  await order(page, { task: "encrypt", path: plain, key });
  await page.getByText("files above 537 MB are refused").waitFor();
  const sealed = await saved(page, join(folder, "memory.clane"));
  await run(program, ["decrypt", "-k", key, sealed.path, "-o", join(folder, "memory.out")]);
  assert.equal(await digest(join(folder, "memory.out")), await digest(plain));
  const large = join(folder, "sparse.bin");
  const handle = await open(large, "w");
  await handle.truncate(600 * MB);
  await handle.close();
  await page.locator("#file").setInputFiles(large);
  await page.locator("#start").click();
  await page.getByRole("alert").getByText("larger than 537 MB").waitFor();
  await context.close();
});
