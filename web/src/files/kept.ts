// A result that is offered as a download, and the question before it would be lost.
import { element } from "../dom";
import { show, shortened } from "../language";
import type { Target } from "./targets";

interface Kept {
  readonly target: Target;
  readonly url: string;
  readonly name: string;
  saved: boolean;
}

let kept: Kept | undefined;

/** What would be lost if the page were left now. */
const dear = new Set<string>();

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Lets the browser ask before the page is left, as long as there is something to lose. */
export function guard(what: string, on: boolean): void {
  if (on) dear.add(what);
  else dear.delete(what);
  // Pages that listen are not kept for the button "back".
  if (dear.size > 0) window.addEventListener("beforeunload", ask);
  else window.removeEventListener("beforeunload", ask);
}

/** The name of a result that nobody has saved yet. */
export function unsaved(): string | undefined {
  return kept?.saved === false ? kept.name : undefined;
}

/** Forgets the result that was offered. */
export async function forget(): Promise<void> {
  element("result").hidden = true;
  guard("result", false);
  if (kept === undefined) return;
  URL.revokeObjectURL(kept.url);
  const { target } = kept;
  kept = undefined;
  await target.discard();
}

export function offer(target: Target, blob: Blob, name: string): void {
  kept = { target, url: URL.createObjectURL(blob), name, saved: false };
  guard("result", true);
  const link = element<HTMLAnchorElement>("save");
  link.href = kept.url;
  link.download = name;
  show(link, "save", { name: shortened(name) });
  element("result").hidden = false;
  link.focus();
}

export function startOffers(): void {
  element("save").addEventListener("click", () => {
    if (kept === undefined) return;
    kept.saved = true;
    guard("result", false);
  });
}
