// The page as it is looked at: two widths, two languages, without a network, without a mouse.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { load } from "cipherlane";
import { quiet, start, stumbles, visit, WINDOWS } from "./browser.js";
import { barriers, crowded, faults } from "./layout.js";

const PICTURES = fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));
const LANGUAGES = { en: "en-US", zh: "zh-CN" };

let house;
before(async () => {
  house = await start();
});
after(() => house.close());

async function sound(page, least = 10) {
  const { texts, found } = await page.evaluate(faults);
  assert.ok(texts > least, `${texts} texts were looked at`);
  assert.deepEqual(found, []);
  assert.deepEqual(await page.evaluate(barriers), []);
  assert.deepEqual(await stumbles(page), []);
}

/** A file with a name that fits nowhere. */
const LONG = { name: `${"long".repeat(30)}.bin`, mimeType: "application/octet-stream", buffer: Buffer.alloc(10) };

for (const window of Object.keys(WINDOWS)) {
  for (const [language, locale] of Object.entries(LANGUAGES)) {
    for (const colorScheme of window === "narrow" ? ["light"] : ["light", "dark"]) {
      it(`nothing is cut, covered or pale: ${window}, ${language}, ${colorScheme}`, async () => {
        const visitor = await visit(house, { window, locale, colorScheme });
        const { page, context } = visitor;
        await page.getByText(language === "zh" ? "可以离线使用" : "works without a network.").waitFor();
        assert.equal(await page.evaluate(() => document.documentElement.lang), language === "zh" ? "zh-Hans" : "en");
        await sound(page);
        // What is asked for once there is a file, and what goes wrong.
        await page.locator("#file").setInputFiles(LONG);
        await page.locator("#new-key").click();
        await page.locator("#more summary").click();
        await sound(page, 20);
        await page.locator("input[value=passphrase]").check();
        await page.locator("#start").click();
        await sound(page);
        await page.locator("input[value=decrypt]").check();
        await sound(page);
        await page.locator("#lab-tab").click();
        await sound(page);
        quiet(house, visitor);
        await context.close();
      });
    }
  }
}

it("pictures for the README", { skip: !process.env.CIPHERLANE_SCREENSHOTS }, async () => {
  for (const window of ["desktop", "phone"]) {
    for (const [language, locale] of Object.entries(LANGUAGES)) {
      const { page, context } = await visit(house, { window, locale });
      await page.locator("#offline:not(:empty)").waitFor();
      await page.locator("#file").setInputFiles({ ...LONG, name: "report.pdf", buffer: Buffer.alloc(2_345_678) });
      await page.locator("#new-key").click();
      await page.screenshot({ path: `${PICTURES}web-${window}-${language}.png`, fullPage: true });
      await context.close();
    }
  }
});

it("the other language is a click away and is remembered", async () => {
  const visitor = await visit(house);
  const { page, context } = visitor;
  await page.getByLabel("中文").check();
  assert.equal(await page.locator("h1").textContent(), "浏览器里的 Cipherlane");
  await page.reload();
  assert.equal(await page.locator("#start").textContent(), "加密");
  await page.getByLabel("English").check();
  assert.equal(await page.locator("#start").textContent(), "Encrypt");
  quiet(house, visitor);
  await context.close();
});

it("every text is there in both languages", async () => {
  const { page, context } = await visit(house, { locale: "zh-CN" });
  const texts = () =>
    page.evaluate(() => [
      ...[...document.querySelectorAll("[data-text]")].map((it) => it.textContent),
      ...[...document.querySelectorAll("[data-label]")].map((it) => it.ariaLabel),
    ]);
  const chinese = await texts();
  await page.getByLabel("English").check();
  const english = await texts();
  assert.equal(chinese.length, english.length);
  chinese.forEach((text, i) => {
    assert.ok(text.trim() !== "" && english[i].trim() !== "");
    assert.ok(/[\u4e00-\u9fff]/.test(text), text);
    assert.ok(!/[\u4e00-\u9fff]/.test(english[i]), english[i]);
  });
  await context.close();
});

it("every text of the table has both languages, and the same gaps", async () => {
  const source = readFileSync(new URL("../src/texts.ts", import.meta.url), "utf8");
  const { texts } = await import(`data:text/javascript,${encodeURIComponent(source.replace("} as const;", "};").replace(/export type .*/, ""))}`);
  const gaps = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const [name, [english, chinese, ...more]] of Object.entries(texts)) {
    assert.deepEqual(more, [], name);
    assert.deepEqual(gaps(english), gaps(chinese), name);
    assert.match(chinese.replace(/\{\w+\}/g, ""), /[\u4e00-\u9fff]|^ \/ $/, name);
    assert.match(english, /^[A-Z{]/, `${name} begins in upper case`);
  }
});

/** What Tab reaches, in its order; each must show that it has the focus. */
async function walk(page) {
  const controls = await page.locator("a[href], input:visible, select:visible, button:visible, summary:visible").count();
  const seen = [];
  for (let i = 0; i < controls + 2; i++) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const at = document.activeElement;
      // An unseen control shows its focus at what stands for it.
      const shows = at.matches(".unseen, .over-label") ? at.nextElementSibling : at;
      return { what: at.id || at.name || at.localName, outline: getComputedStyle(shows).outlineStyle };
    });
    if (focus.what === "body") continue;
    assert.notEqual(focus.outline, "none", `${focus.what} shows no focus`);
    if (!seen.includes(focus.what)) seen.push(focus.what);
  }
  return seen;
}

it("everything is reached and worked by the keyboard, in the order of the page", async () => {
  const { page, context } = await visit(house);
  assert.deepEqual(await walk(page), ["language", "files-tab", "task", "file", "start"]);
  await page.locator("#start").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.getByRole("alert").first().textContent(), "Choose a file first.");
  const focused = () => page.evaluate(() => document.activeElement.id);
  assert.equal(await focused(), "file");
  assert.equal(await page.locator("#file").getAttribute("aria-invalid"), "true");

  await page.locator("#file").setInputFiles(LONG);
  assert.equal(await page.locator("#fault").textContent(), "");
  await page.locator("#files-tab").focus();
  const order = ["task", "file", "secret", "key-file", "new-key", "summary", "start"];
  assert.deepEqual(await walk(page).then((all) => all.filter((it) => order.includes(it))), order);
  await page.locator("#start").focus();
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "key-file");
  await page.locator("input[value=key]").focus();
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.locator("#passphrase").isVisible());
  await page.locator("#start").focus();
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "passphrase");

  await page.locator("#files-tab").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(), "lab-tab");
  assert.ok(await page.locator("#run").isVisible());
  assert.equal(await page.locator("#start").isVisible(), false);
  assert.deepEqual(await walk(page).then((all) => all.filter((it) => ["lab-tab", "size", "run"].includes(it))), ["size", "run", "lab-tab"]);
  await page.locator("#lab-tab").focus();
  await page.keyboard.press("Home");
  assert.equal(await focused(), "files-tab");
  await context.close();
});

it("an address names a part", async () => {
  const { page, context } = await visit(house);
  await page.locator("#lab-tab").click();
  assert.match(page.url(), /#lab$/);
  await page.reload();
  assert.ok(await page.locator("#run").isVisible());
  assert.equal(await page.getByRole("tab", { selected: true }).textContent(), "Laboratory");
  await context.close();
});

it("what is pressed is 44 pixels high", async () => {
  const { page, context } = await visit(house, { window: "phone" });
  await page.locator("#file").setInputFiles(LONG);
  for (const id of ["drop", "key-drop", "new-key", "start", "files-tab", "lab-tab"]) {
    const { height } = await page.locator(`#${id}`).boundingBox();
    assert.ok(height >= 44, `${id} is ${height} high`);
  }
  await context.close();
});

it("without a network it works as before", async () => {
  const visitor = await visit(house);
  const { page, context } = visitor;
  await page.getByText("works without a network.").waitFor();
  await context.setOffline(true);
  await page.reload();
  await page.locator("#lab-tab").click();
  await page.locator("#size").selectOption("64");
  await page.locator("#run").click();
  await page.locator("#rows tr").first().waitFor({ state: "attached", timeout: 60_000 });
  await page.locator("#stop").click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "run");
  quiet(house, visitor);
  await context.close();
});

it("that it works without a network is said only where every file is kept", async () => {
  const { page, context } = await visit(house);
  await page.getByText("works without a network.").waitFor();
  await page.evaluate(async () => {
    const [name] = await caches.keys();
    const cache = await caches.open(name);
    const [lost] = (await cache.keys()).filter(({ url }) => url.endsWith(".wasm"));
    await cache.delete(lost, { ignoreVary: true });
  });
  await page.reload();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForTimeout(1000);
  assert.equal(await page.locator("#offline").textContent(), "");
  await context.close();
});

it("the suites of the form are those of the library", async () => {
  const { page, context } = await visit(house);
  const values = await page.locator("#suite option").evaluateAll((options) => options.map((it) => it.value));
  assert.deepEqual(values, [...(await load()).suites]);
  await context.close();
});

describe("the laboratory", () => {
  it("measures every cipher with all engines, and draws as it goes", { timeout: 300_000 }, async (t) => {
    // Short samples, whose figures nobody reads.
    const visitor = await visit(house, { query: process.env.CIPHERLANE_SCREENSHOTS ? "" : "?sample=5" });
    const { page, context } = visitor;
    await page.locator("#lab-tab").click();
    await page.locator("#run").click();
    await page.locator("#rows tr").first().waitFor({ state: "attached", timeout: 60_000 });
    assert.equal(await page.getByRole("button", { name: "Measure" }).isDisabled(), true);
    await page.getByText(/^Measured: \d+ samples/).waitFor({ timeout: 240_000 });
    const wait = page.waitForEvent("download");
    await page.locator("#download").click();
    const file = await (await wait).createReadStream();
    const results = JSON.parse(Buffer.concat(await file.toArray()).toString());
    assert.equal(results.schema, "cipherlane-web-results/1");
    assert.equal(results.complete, true);
    assert.equal(results.sample_ms, process.env.CIPHERLANE_SCREENSHOTS ? 20 : 5);
    const algorithms = new Set((await load()).registry().map((entry) => entry.algorithm));
    for (const engine of ["scalar", "simd128"]) {
      const measured = results.rows.filter((row) => row.engine === engine).map((row) => row.algorithm);
      assert.deepEqual(new Set(measured), algorithms, engine);
    }
    const peers = results.rows.filter((row) => !["scalar", "simd128"].includes(row.engine));
    assert.deepEqual(new Set(peers.map((row) => row.engine)), new Set(["sm-crypto", "WebCrypto"]));
    for (const row of results.rows) {
      const name = `${row.algorithm} ${row.operation} ${row.engine}`;
      assert.ok(row.agrees, name);
      assert.equal(row.passes.length, 5, name);
      assert.ok(row.passes.every((ns) => ns > 0) && row.mb_per_s > 0.1 && row.mb_per_s < 100_000, name);
    }
    const of = (engine, operation) =>
      results.rows.find((row) => row.algorithm === "sm4" && row.engine === engine && row.operation === operation).mb_per_s;
    const figures = ["scalar", "simd128"].map((it) => `${it} ${of(it, "ctr").toFixed(0)}`);
    const ecb = of("sm-crypto", "ecb-encrypt").toFixed(1);
    t.diagnostic(`tell: SM4-CTR in MB/s: ${figures.join(", ")}; SM4-ECB of sm-crypto ${ecb}`);
    // A module that fell back to something slow would be found here, on a busy machine, too.
    assert.ok(of("simd128", "ctr") > 2 * of("sm-crypto", "ecb-encrypt"));
    assert.equal(await page.locator("#chart .name").count(), 6);
    const pictures = async () => {
      for (const [window, viewport] of Object.entries(WINDOWS)) {
        await page.setViewportSize(viewport);
        for (const [language, name] of [["en", "English"], ["zh", "中文"]]) {
          await page.getByLabel(name).check();
          await page.waitForTimeout(200);
          await sound(page);
          assert.deepEqual(await page.evaluate(crowded), []);
          if (!process.env.CIPHERLANE_SCREENSHOTS || window === "narrow") continue;
          await page.screenshot({ path: `${PICTURES}web-lab-${window}-${language}.png`, fullPage: true });
        }
      }
    };
    await pictures();
    delete process.env.CIPHERLANE_SCREENSHOTS;
    for (const id of ["rest", "figures"]) await page.locator(`#${id} summary`).click();
    await pictures();
    const dots = await page.locator("#chart path, #rest-chart path").count();
    assert.equal(dots, results.rows.length);
    quiet(house, visitor);
    await context.close();
  });
});
