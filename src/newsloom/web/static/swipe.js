// A finger that moves a row to the side presses one of its buttons (accounts/preference_values.py says which).
// Rows leave moving up and down to the browser (touch-action: pan-y), which takes the finger away
// with pointercancel when the list scrolls: then nothing was meant.
"use strict";

(() => {
  const rows = document.getElementById("rows");
  const chosen = document.documentElement.dataset;
  const KINDS = { right: chosen.swipeRight, left: chosen.swipeLeft };
  if (!rows || (KINDS.right === "off" && KINDS.left === "off")) return;

  const EDGE = 24; // px at either side of the screen that browsers take for their own gestures
  const START = 12; // px before a move counts as one
  const STEEP = 1.5; // that much further to the side than up or down
  const ENOUGH = 88; // px to the side that press the button
  const MOST = 132; // px that the row follows the finger

  let move = null; // the row, where it was touched, which way it goes, whether that is enough

  const way = (dx) => (dx > 0 ? "right" : "left");
  const wordsOf = (row, kind) => {
    const on = row.querySelector(`.mark.${kind}`).getAttribute("aria-pressed") === "true";
    return { read: ["Read", "Unread"], star: ["Star", "Unstar"], like: ["Like", "Remove like"], dislike: ["Dislike", "Remove dislike"] }[kind][Number(on)];
  };

  function end() {
    if (!move) return;
    const { row } = move;
    row.style.transform = "";
    row.classList.remove("swiped", "enough");
    delete row.dataset.swipe;
    delete row.dataset.words;
    move = null;
  }

  function begin(dx) {
    const kind = KINDS[way(dx)];
    const { row } = move;
    if (kind === "off" || !row.querySelector(`.mark.${kind}`)) return end();
    row.setPointerCapture(move.pointer);
    row.dataset.swipe = way(dx);
    row.dataset.words = wordsOf(row, kind);
    row.classList.add("swiped");
    move.way = way(dx);
    document.dispatchEvent(new CustomEvent("newsloom:swiping"));
  }

  rows.addEventListener("pointerdown", (event) => {
    end();
    const row = event.target.closest(".row");
    const atEdge = event.clientX < EDGE || event.clientX > innerWidth - EDGE;
    if (event.pointerType !== "touch" || !event.isPrimary || !row || atEdge) return;
    move = { row, x: event.clientX, y: event.clientY, pointer: event.pointerId, way: "", enough: false };
  });

  rows.addEventListener("pointermove", (event) => {
    if (!move || event.pointerId !== move.pointer) return;
    const dx = event.clientX - move.x, dy = event.clientY - move.y;
    if (!move.way) {
      if (Math.hypot(dx, dy) < START) return;
      if (Math.abs(dx) < STEEP * Math.abs(dy)) return end();
      begin(dx);
      if (!move) return;
    }
    const along = move.way === "right" ? Math.max(dx, 0) : Math.min(dx, 0);
    const far = Math.min(Math.abs(along), MOST);
    move.enough = far >= ENOUGH;
    move.row.style.transform = `translateX(${Math.sign(along) * far}px)`;
    move.row.classList.toggle("enough", move.enough);
  });

  rows.addEventListener("pointerup", (event) => {
    if (!move || event.pointerId !== move.pointer) return;
    const button = move.enough && move.row.querySelector(`.mark.${KINDS[move.way]}`);
    const swiped = move.way;
    end();
    button?.click?.();
    // The browser's own click, if it sends one after all, would open what lies under the finger.
    if (!swiped) return;
    const swallow = (click) => {
      if (!click.isTrusted) return;
      click.preventDefault();
      click.stopPropagation();
    };
    rows.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => rows.removeEventListener("click", swallow, true), 300);
  });
  rows.addEventListener("pointercancel", end);
})();
