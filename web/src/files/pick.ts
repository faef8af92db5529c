// Choosing a file: in the browser's own dialog, or by dropping it. The native control says "Choose
// File" in the browser's language and is small, so a label of the page's own stands for it; the
// control itself stays where keyboards and screen readers find it.
import type { Text } from "../texts";

export interface Place {
  readonly input: HTMLInputElement;
  /** What a file is dropped on. */
  readonly zone: HTMLElement;
  take(file: File): void;
}

/** One file, or why there is none. */
function dropped(transfer: DataTransfer): File | Text {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  // Gone after the event, so it is asked first.
  if (items.some((item) => item.webkitGetAsEntry()?.isDirectory)) return "noFolder";
  const [file, ...more] = transfer.files;
  if (file === undefined) return "noFile";
  return more.length > 0 ? "oneFile" : file;
}

/**
 * Lets files be chosen for the places. One that is dropped beside all of them is for the first:
 * left to itself the browser would show it instead of the page. `open` says whether any is taken.
 */
export function startPicking(places: readonly [Place, ...Place[]], open: () => boolean, refuse: (text: Text) => void): void {
  for (const { input, take } of places) {
    // The same file can be chosen again, say after it was changed.
    input.addEventListener("click", () => {
      input.value = "";
    });
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      if (file !== undefined) take(file);
    });
  }
  const shown = (zone: HTMLElement) => zone.checkVisibility();
  const under = (target: EventTarget | null) => {
    if (!open() || !shown(places[0].zone)) return undefined;
    const over = places.find(({ zone }) => shown(zone) && zone.contains(target as Node | null));
    return over ?? places[0];
  };
  const mark = (place?: Place) => places.forEach((it) => it.zone.classList.toggle("over", it === place));
  document.addEventListener("dragover", (event) => {
    const { dataTransfer, target } = event;
    if (!dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    const place = under(target);
    dataTransfer.dropEffect = place === undefined ? "none" : "copy";
    mark(place);
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) mark();
  });
  document.addEventListener("drop", (event) => {
    const { dataTransfer, target } = event;
    if (!dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    mark();
    const place = under(target);
    if (place === undefined) return;
    const found = dropped(dataTransfer);
    if (typeof found === "string") refuse(found);
    else place.take(found);
  });
}
