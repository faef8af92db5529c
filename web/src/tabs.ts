// The two parts of the page as tabs: arrows go from one to the other, addresses name them.
import { element } from "./dom";

/** The tabs, in their order; each names its part. */
const tabs = () => [...document.querySelectorAll<HTMLElement>("[role=tab]")];
const partOf = (tab: HTMLElement) => tab.getAttribute("aria-controls") ?? "";

function choose(chosen: HTMLElement): void {
  for (const tab of tabs()) {
    const on = tab === chosen;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    element(partOf(tab)).hidden = !on;
  }
}

/** The part that the address names; the first where it names none. */
function addressed(): void {
  const named = tabs().find((tab) => `#${partOf(tab)}` === location.hash);
  choose(named ?? (tabs()[0] as HTMLElement));
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

export function startTabs(): void {
  for (const [at, tab] of tabs().entries()) {
    tab.addEventListener("click", () => {
      choose(tab);
      // Without a jump, and without a step for the button “back”.
      history.replaceState(null, "", `#${partOf(tab)}`);
    });
    tab.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const all = tabs();
      const next = all[step(at, all.length)];
      next?.click();
      next?.focus();
    });
  }
  window.addEventListener("hashchange", addressed);
  addressed();
}
