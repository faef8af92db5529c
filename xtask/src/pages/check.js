"use strict";
// Looks at the report in the frame: nothing may scroll sideways, be cut off, lie over something
// else, be too faint or too small to read; a study's page has its conclusions on the first screen
// and is no longer than some screens; a Chinese page has no English. What is found stands in
// #found, a line each, after a line with the counts. WANT stands before this script.
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
  // As the page is first seen, all tables folded.
  const folded = root.scrollHeight;
  const screens = folded / WANT.height;
  if (WANT.screens && screens > WANT.screens) {
    found.push(`the page has ${screens.toFixed(1)} screens, ${WANT.screens} are allowed`);
  }
  const first = frame.querySelector(WANT.first);
  const end = first ? first.getBoundingClientRect().bottom : Infinity;
  if (WANT.screens && end > WANT.height) {
    found.push(`${WANT.first} ends at ${end.toFixed()}, below the first screen of ${WANT.height}`);
  }
  // Then all of it.
  frame.querySelectorAll("details").forEach((it) => { it.open = true; });
  const luminance = (color) => {
    const [red, green, blue] = color.match(/[\d.]+/g).map((it) => {
      const share = Number(it) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const view = frame.defaultView;
  const paper = view.getComputedStyle(frame.body).backgroundColor;
  if (view.matchMedia("(prefers-color-scheme: dark)").matches !== WANT.dark) {
    found.push(`the browser does not show the ${WANT.dark ? "dark" : "light"} page`);
  }
  if (WANT.dark ? luminance(paper) > 0.1 : luminance(paper) < 0.8) {
    found.push(`the ${WANT.dark ? "dark" : "light"} page is ${paper}`);
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
    const own = view.getComputedStyle(parent);
    if (picture) {
      const scale = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
      const letters = parseFloat(own.fontSize) * scale;
      if (letters < 8) found.push(`${name(node)} has letters of ${letters.toFixed(1)} pixels`);
      // Text on a bar or a cell stands on that, not on the page.
      const box = range.getBoundingClientRect();
      const on = Array.from(picture.querySelectorAll("rect")).some((rect) => {
        const area = rect.getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        return area.left <= x && x <= area.right && area.top <= y && y <= area.bottom;
      });
      if (!on && contrast(own.fill, paper) < 4.5) found.push(`${name(node)} is too faint`);
    } else if (contrast(own.color, paper) < 4.5) {
      found.push(`${name(node)} is too faint: ${own.color} on ${paper}`);
    }
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
  if (WANT.names) {
    // Names of engines, algorithms and the like, and what stands in <code>, are no English; any
    // other word of three small letters is.
    const names = new Set(WANT.names);
    const rests = new Map();
    const look = (text) => {
      // key_expand and blocks::next are names of code; so are paths, and what stands in `these`.
      const words = text.replace(/`[^`]*`|\w*(_|::)[\w:]*|(\/[\w.+-]+)+/g, "");
      for (const [word] of words.matchAll(/[A-Za-z][A-Za-z0-9]*/g)) {
        if (/^[a-z]{3,}$/.test(word) && !names.has(word) && !rests.has(word)) {
          rests.set(word, text.trim().replace(/\s+/g, " ").slice(0, 60));
        }
      }
    };
    const texts = frame.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!node.parentElement.closest("code, style, script, [translate=no]")) look(node.textContent);
    }
    for (const element of frame.body.querySelectorAll("[aria-label], [data-label]")) {
      look(`${element.getAttribute("aria-label") ?? ""} ${element.dataset.label ?? ""}`);
    }
    rests.forEach((text, word) => found.push(`English rests: ${word} in “${text}”`));
  }
  const height = `${folded} high (${screens.toFixed(1)} screens), unfolded ${root.scrollHeight}`;
  const head =
    `checked ${boxes.length} lines of text, ${width} pixels wide, ${height}: ${found.length} faults`;
  document.getElementById("found").textContent = [head, ...found.slice(0, 200)].join("\n");
});
