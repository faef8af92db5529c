// Runs in the page: nothing may scroll sideways, be cut off, or lie over something else.
export function faults() {
  const root = document.documentElement;
  const width = root.clientWidth;
  const found = [];
  const name = (node) => {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    return `<${element.localName}> “${(node.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40)}”`;
  };
  // What is folded away has a place, too.
  const unseen = (element) =>
    element.closest(".unseen, [hidden], option, script, style") !== null || !element.checkVisibility();
  if (root.scrollWidth > width) found.push(`the page scrolls sideways: ${root.scrollWidth} of ${width}`);
  for (const element of document.body.querySelectorAll("*")) {
    if (element instanceof SVGElement || unseen(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && (box.left < -1 || box.right > width + 1)) {
      found.push(`${name(element)} reaches from ${box.left} to ${box.right}`);
    }
    const clips = getComputedStyle(element).overflowX !== "visible";
    if (clips && element.scrollWidth > element.clientWidth + 1) found.push(`${name(element)} is cut`);
  }
  // What a select shows is no text of the page: its width is compared with that of the text.
  for (const select of document.querySelectorAll("select")) {
    if (unseen(select)) continue;
    const probe = document.createElement("canvas").getContext("2d");
    probe.font = getComputedStyle(select).font;
    const needs = probe.measureText(select.selectedOptions[0]?.text ?? "").width;
    if (needs > select.clientWidth - 20) found.push(`${name(select)} is cut`);
  }
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || unseen(parent)) continue;
    const picture = parent.closest("svg")?.getBoundingClientRect() ?? { left: 0, right: width };
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      if (box.left < picture.left - 1 || box.right > picture.right + 1) found.push(`${name(node)} is cut off`);
      // Lines are higher than their letters: these may not cover each other.
      const inset = box.height * 0.2;
      const [left, right] = [box.left + 1, box.right - 1];
      boxes.push({ node, left, right, top: box.top + inset, bottom: box.bottom - inset });
    }
  }
  for (const control of document.querySelectorAll("input, select, button, progress, svg path")) {
    if (unseen(control) || control.closest("label")) continue;
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const inside = (node) => control.contains(node);
    for (const box of boxes) {
      const across = Math.min(right, box.right) - Math.max(left, box.left);
      const down = Math.min(bottom, box.bottom) - Math.max(top, box.top);
      if (across > 1 && down > 1 && !inside(box.node)) found.push(`${name(box.node)} lies under a ${control.localName}`);
    }
  }
  boxes.sort((a, b) => a.top - b.top);
  boxes.forEach((a, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom; j++) {
      const b = boxes[j];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (a.node !== b.node && across > 1 && down > 1) found.push(`${name(a.node)} lies over ${name(b.node)}`);
    }
  });
  return { texts: boxes.length, found: found.slice(0, 20) };
}

/** Runs in the page: controls without a name, and texts that are too pale (WCAG 2, 4.5 to 1). */
export function barriers() {
  const found = [];
  for (const control of document.querySelectorAll("input, select, button, a, progress, svg[role=img]")) {
    const label = control.labels?.[0]?.textContent ?? "";
    const by = document.getElementById(control.getAttribute("aria-labelledby"))?.id ?? "";
    const named = [label, by, control.getAttribute("aria-label") ?? "", control.textContent].join("").trim();
    if (named === "" && control.closest("[hidden]") === null && !control.hidden) {
      found.push(`<${control.localName} id=${control.id}> has no name`);
    }
  }
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const part = (value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  for (const element of document.body.querySelectorAll("*")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!own || element.closest("[hidden], option, script") || element.matches(":disabled")) continue;
    if (!element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const ink = channels(element instanceof SVGElement ? style.fill : style.color);
    const [a, b] = [light(ink), light(ground(element))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) found.push(`<${element.localName}> “${element.textContent.trim().slice(0, 30)}”: ${contrast.toFixed(2)} to 1`);
  }
  return found.slice(0, 20);
}

/** Runs in the page: marks of the charts that stand over others, and labels beside their rows. */
export function crowded() {
  const found = [];
  for (const chart of document.querySelectorAll("#chart svg, #rest-chart svg")) {
    const marks = [...chart.querySelectorAll("path")].map((mark) => mark.getBoundingClientRect());
    marks.forEach((a, i) => {
      for (const b of marks.slice(i + 1)) {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 0.5 && down > 0.5) found.push(`marks at ${a.left}, ${a.top}`);
      }
    });
    const lanes = [...chart.querySelectorAll(".lane")].map((lane) => lane.getBoundingClientRect());
    const middle = (box) => (box.top + box.bottom) / 2;
    chart.querySelectorAll(".name").forEach((name, i) => {
      const [top, bottom] = [name, name.nextElementSibling].map((it) => it.getBoundingClientRect());
      const off = (top.top + bottom.bottom) / 2 - middle(lanes[i]);
      if (Math.abs(off) > 3) found.push(`${name.textContent} is ${off} off its row`);
      if (top.right > lanes[i].left) found.push(`${name.textContent} reaches into the plot`);
    });
  }
  return found;
}
