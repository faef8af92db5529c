// The page as it is looked at: two widths, two languages, without a network, without a mouse.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { load } from "cipherlane";
import { quiet, start, visit, WINDOWS } from "./browser.js";
import { barriers, faults } from "./layout.js";

const PICTURES = fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));
const LANGUAGES = { en: "en-US", zh: "zh-CN" };

let house;
before(async () => {
  house = await start();
});
after(() => house.close());

async function sound(page) {
  const { texts, found } = await page.evaluate(faults);
  assert.ok(texts > 20, `${texts} texts were looked at`);
  assert.deepEqual(found, []);
  assert.deepEqual(await page.evaluate(barriers), []);
}

for (const window of Object.keys(WINDOWS)) {
  for (const [language, locale] of Object.entries(LANGUAGES)) {
    for (const colorScheme of ["light", "dark"]) {
      it(`nothing is cut, covered or pale: ${window}, ${language}, ${colorScheme}`, async () => {
        const visitor = await visit(house, { window, locale, colorScheme });
        const { page, context } = visitor;
        await page.getByText(language === "zh" ? "可以离线使用" : "works without a network.").waitFor();
        assert.equal(await page.evaluate(() => document.documentElement.lang), language === "zh" ? "zh-Hans" : "en");
        await sound(page);
        // What other choices show.
        await page.locator("input[value=passphrase]").check();
        await page.locator("input[value=decrypt]").check();
        await page.locator("#start").click();
        await sound(page);
        await page.locator("input[value=encrypt]").check();
        await sound(page);
        quiet(house, visitor);
        await context.close();
      });
    }
  }
}

it("the other language is a click away and is remembered", async () => {
  const visitor = await visit(house);
  const { page, context } = visitor;
  await page.getByLabel("中文").check();
  assert.equal(await page.locator("h1").textContent(), "浏览器里的 Cipherlane");
  await page.reload();
  assert.equal(await page.locator("#start").textContent(), "开始");
  await page.getByLabel("English").check();
  assert.equal(await page.locator("#start").textContent(), "Start");
  quiet(house, visitor);
  await context.close();
});

it("every text is there in both languages", async () => {
  const { page, context } = await visit(house, { locale: "zh-CN" });
  const texts = () => page.locator("[data-text]").allTextContents();
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

it("everything is reached and worked by the keyboard", async () => {
  const { page, context } = await visit(house);
  const controls = await page.locator("a[href], input:visible, select:visible, button:visible").count();
  const seen = new Set();
  for (let i = 0; i < controls + 2; i++) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const { id, name, localName } = document.activeElement;
      const outline = getComputedStyle(document.activeElement).outlineStyle;
      return { what: id || name || localName, outline };
    });
    if (focus.what === "body") continue;
    assert.notEqual(focus.outline, "none", `${focus.what} shows no focus`);
    seen.add(focus.what);
  }
  for (const id of ["language", "task", "file", "secret", "key-file", "new-key", "suite", "start", "size", "run"]) {
    assert.ok(seen.has(id), `${id} among ${[...seen]}`);
  }
  await page.locator("input[value=key]").focus();
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.locator("#passphrase").isVisible());
  await page.locator("#start").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.getByRole("alert").textContent(), "Choose a file first.");
  await context.close();
});

it("without a network it works as before", async () => {
  const visitor = await visit(house);
  const { page, context } = visitor;
  await page.getByText("works without a network.").waitFor();
  await context.setOffline(true);
  await page.reload();
  await page.locator("#size").selectOption("64");
  await page.locator("#run").click();
  await page.locator("#rows tr").first().waitFor({ timeout: 60_000 });
  await page.locator("#stop").click();
  quiet(house, visitor);
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
    const visitor = await visit(house);
    const { page, context } = visitor;
    await page.locator("#run").click();
    await page.locator("#rows tr").first().waitFor({ timeout: 60_000 });
    assert.equal(await page.getByRole("button", { name: "Measure" }).isDisabled(), true);
    await page.getByText(/^Measured: \d+ samples/).waitFor({ timeout: 240_000 });
    const wait = page.waitForEvent("download");
    await page.locator("#download").click();
    const file = await (await wait).createReadStream();
    const results = JSON.parse(Buffer.concat(await file.toArray()).toString());
    assert.equal(results.schema, "cipherlane-web-results/1");
    assert.equal(results.complete, true);
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
    const dots = await page.locator("#chart path").count();
    assert.equal(dots, results.rows.length);
    for (const [window, viewport] of Object.entries(WINDOWS)) {
      await page.setViewportSize(viewport);
      for (const [language, name] of [["en", "English"], ["zh", "中文"]]) {
        await page.getByLabel(name).check();
        await page.waitForTimeout(200);
        await sound(page);
        if (!process.env.CIPHERLANE_SCREENSHOTS) continue;
        await page.screenshot({ path: `${PICTURES}web-${window}-${language}.png`, fullPage: true });
      }
    }
    quiet(house, visitor);
    await context.close();
  });
});
