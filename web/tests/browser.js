// A browser without a screen, and pages that note what they ask for and complain of.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

import { serve } from "./server.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const OPTIONS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const WINDOWS = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
};

/** Starts the host of the page and the browser. */
export async function start() {
  const executablePath = process.env.CIPHERLANE_BROWSER;
  assert.ok(executablePath, "CIPHERLANE_BROWSER names no browser: run the tests by cargo xtask web");
  const [host, browser] = await Promise.all([serve(), chromium.launch({ executablePath, args: OPTIONS })]);
  const close = async () => {
    await browser.close();
    await host.close();
  };
  return { host, browser, close };
}

/** A visitor with the page open; `requests` and `complaints` fill up by themselves. */
export async function visit({ host, browser }, { window = "desktop", locale = "en-US", prepare, query = "", ...rest } = {}) {
  const context = await browser.newContext({ viewport: WINDOWS[window], locale, ...rest });
  const requests = [];
  const complaints = [];
  context.on("request", (request) => requests.push(request.url()));
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  if (prepare) await page.addInitScript(prepare);
  await page.goto(host.url + query);
  return { context, page, requests, complaints };
}

/** No request but to the host, and no word of an error. */
export function quiet({ host }, { requests, complaints }) {
  const foreign = requests.filter((url) => !url.startsWith(host.url) && !url.startsWith("blob:"));
  assert.deepEqual(foreign, []);
  assert.deepEqual(complaints, []);
}

/** What assistive technology would stumble over, as axe sees it. */
export async function stumbles(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join("; ")}`);
}
