"use strict";
// Looks at the report in the frame: nothing may scroll sideways, be cut off, or lie over
// something else. What is found stands in #found, a line each, after a line with the counts.
addEventListener("load", () => {
  const frame = document.querySelector("iframe").contentDocument;
  const root = frame.documentElement;
  const width = root.clientWidth;
  const found = [];
  const name = (node) => {
    const element = node.nodeType === 3 ? node.parentElement : node;
    const text = (node.textContent || "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${element.tagName.toLowerCase()}> “${text}”`;
  };
  if (root.scrollWidth > width + 1) {
    found.push(`the page scrolls sideways: ${root.scrollWidth} of ${width} pixels`);
  }
  for (const element of frame.body.querySelectorAll("*")) {
    if (element.namespaceURI.endsWith("svg")) continue;
    const style = frame.defaultView.getComputedStyle(element);
    if (style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1) {
      found.push(`${name(element)} scrolls or cuts: ${element.scrollWidth} of ${element.clientWidth}`);
    }
  }
  // The lines of every text, shrunk a little: letters may touch, not cover each other.
  const boxes = [];
  const walker = frame.createTreeWalker(frame.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.textContent.trim()) continue;
    const parent = node.parentElement;
    if (parent.closest("style, title, desc, script")) continue;
    const range = frame.createRange();
    if (parent.closest("th")) {
      for (const word of node.textContent.matchAll(/[A-Za-z]{2,}/g)) {
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const lines = new Set(Array.from(range.getClientRects(), (box) => Math.round(box.top)));
        if (lines.size > 1) found.push(`${name(node)} is broken inside the word ${word[0]}`);
      }
    }
    range.selectNodeContents(node);
    const picture = parent.closest("svg");
    const bounds = picture ? picture.getBoundingClientRect() : { left: 0, right: width };
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      if (box.left < bounds.left - 1 || box.right > bounds.right + 1) {
        found.push(`${name(node)} is cut off: ${box.left.toFixed()} to ${box.right.toFixed()}`);
      }
      const inset = box.height * 0.2;
      boxes.push({ node, left: box.left + 1, right: box.right - 1, top: box.top + inset, bottom: box.bottom - inset });
    }
  }
  boxes.sort((a, b) => a.top - b.top);
  for (let i = 0; i < boxes.length; i++) {
    for (let j = i + 1; j < boxes.length && boxes[j].top < boxes[i].bottom; j++) {
      const [a, b] = [boxes[i], boxes[j]];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (a.node !== b.node && across > 1 && down > 1) {
        found.push(`${name(a.node)} lies over ${name(b.node)}`);
      }
    }
  }
  const head = `checked ${boxes.length} lines of text, ${width} pixels wide: ${found.length} faults`;
  document.getElementById("found").textContent = [head, ...found.slice(0, 200)].join("\n");
});
