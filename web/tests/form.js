// The form with files, as a user fills it in.
import { basename } from "node:path";

/** Fills in the form and starts. */
export async function order(page, { task, path, key, passphrase, suite }) {
  await page.locator("#file").setInputFiles(path);
  await page.getByText(`Chosen: ${basename(path)}`).waitFor();
  await page.locator(`input[value=${task}]`).check();
  await page.locator(`input[value=${key ? "key" : "passphrase"}]`).check();
  if (key) {
    await page.locator("#key-file").setInputFiles(key);
    await page.getByText(`The key was read from ${basename(key)}`).waitFor();
  } else {
    await page.locator("#passphrase").fill(passphrase);
    if (task === "encrypt") await page.locator("#again").fill(passphrase);
  }
  if (suite) {
    if (!(await page.locator("#suite").isVisible())) await page.locator("#more summary").click();
    await page.locator("#suite").selectOption(suite);
  }
  await page.locator("#start").click();
}

/** Drops files of these names and texts on something. */
export async function drop(page, target, files) {
  const dataTransfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(files)) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  for (const event of ["dragover", "drop"]) await page.dispatchEvent(target, event, { dataTransfer });
}

/** Asks the page to close; whether it asks the user first, who says no. */
export async function asks(page) {
  const dialog = page.waitForEvent("dialog").then((it) => it.dismiss().then(() => it.type() === "beforeunload"));
  const closed = page.waitForEvent("close").then(() => false);
  const first = Promise.race([dialog, closed]);
  // The other never comes, and ends with the page.
  for (const it of [dialog, closed]) it.catch(() => {});
  await page.close({ runBeforeUnload: true });
  return first;
}

export const focused = (page) => page.evaluate(() => document.activeElement.id);

/** Waits for the end and saves what is offered. */
export async function saved(page, path) {
  await page.getByText(/^Done: /).waitFor({ timeout: 180_000 });
  return save(page, path);
}

export async function save(page, path) {
  const wait = page.waitForEvent("download");
  await page.locator("#save").click();
  const download = await wait;
  await download.saveAs(path);
  return { path, suggested: download.suggestedFilename() };
}
