// The page's two languages: elements name their text by `data-text`, and a name that only screen
// readers tell by `data-label`.
import { texts, type Text } from "./texts";

const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

const KEPT = "cipherlane-language";
const listeners: (() => void)[] = [];
let language: Language = remembered() ?? (navigator.language.startsWith("zh") ? "zh" : "en");

/** The choice of the last visit, where the browser keeps any. */
function remembered(): Language | undefined {
  try {
    const kept = localStorage.getItem(KEPT);
    return LANGUAGES.find((it) => it === kept);
  } catch {
    return undefined;
  }
}

/** A text with its gaps filled. */
export function text(name: Text, gaps: Record<string, string> = {}): string {
  const found: string = texts[name][LANGUAGES.indexOf(language)] ?? texts[name][0];
  return found.replace(/\{(\w+)\}/g, (_, gap: string) => gaps[gap] ?? "");
}

/** Puts a text into an element, and again when the language changes. */
export function show(element: Element, name: Text, gaps: Record<string, string> = {}): void {
  shown.set(element, [name, gaps]);
  element.textContent = text(name, gaps);
}

/** Empties an element. */
export function clear(element: Element): void {
  shown.delete(element);
  element.textContent = "";
}

const shown = new Map<Element, [Text, Record<string, string>]>();

/** Something to do when the language changes. */
export function whenChanged(act: () => void): void {
  listeners.push(act);
}

function apply(): void {
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  document.title = text("title");
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) {
    element.textContent = text(element.dataset.text as Text);
  }
  for (const element of document.querySelectorAll<HTMLElement>("[data-label]")) {
    element.setAttribute("aria-label", text(element.dataset.label as Text));
  }
  for (const [element, [name, gaps]] of shown) element.textContent = text(name, gaps);
  listeners.forEach((act) => act());
}

export function startLanguages(): void {
  for (const button of document.querySelectorAll<HTMLInputElement>("input[name=language]")) {
    button.checked = button.value === language;
    button.addEventListener("change", () => {
      language = LANGUAGES.find((it) => it === button.value) ?? "en";
      try {
        localStorage.setItem(KEPT, language);
      } catch {
        // It is asked again on the next visit.
      }
      apply();
    });
  }
  apply();
}

/** A number of bytes for people. */
export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = count;
  let unit = 0;
  for (; value >= 1000 && unit + 1 < units.length; unit++) value /= 1000;
  return `${unit === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(1)} ${units[unit]}`;
}

/** So many seconds for people. */
export function duration(seconds: number): string {
  if (seconds < 60) return text("seconds", { count: String(Math.max(1, Math.round(seconds))) });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return text("minutes", { count: String(minutes) });
  return text("hours", { hours: String(Math.floor(minutes / 60)), minutes: String(minutes % 60) });
}

const LONGEST = 40;

/** The name of a file for people: its ends if it is long, and nothing that turns letters round. */
export function shortened(name: string): string {
  const letters = [...name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd")];
  if (letters.length <= LONGEST) return letters.join("");
  const [head, tail] = [letters.slice(0, LONGEST - 16), letters.slice(-15)];
  return `${head.join("")}…${tail.join("")}`;
}
