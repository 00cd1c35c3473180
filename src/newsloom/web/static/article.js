// An open article: its toolbar goes while the reader scrolls down, and text that is selected can be
// highlighted where it stands. Without this file the toolbar stays, and the link "Highlight text"
// leads to a page with a form.
"use strict";

(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const NEAR = 12; // pixels; less is a finger that rests

  // --- the toolbar ---

  let last = 0;
  document.addEventListener("scroll", (event) => {
    const box = event.target === document ? document.scrollingElement : event.target;
    if (!box.matches?.(":root, #pane") || !one("#text", box)) return;
    const top = Math.max(box.scrollTop, 0), by = top - last;
    if (Math.abs(by) < NEAR && top) return;
    last = top;
    one(".opened .top").classList.toggle("away", by > 0 && !one(".opened .top :is([open], :focus-visible)"));
  }, { capture: true, passive: true });

  // --- highlights ---

  const form = () => document.getElementById("highlight");
  const text = () => one("#text > .text");

  function chosen() {
    const selection = window.getSelection();
    if (selection.isCollapsed || !selection.rangeCount || !text()) return null;
    const range = selection.getRangeAt(0);
    return text().contains(range.commonAncestorContainer) && selection.toString().trim() ? range : null;
  }

  // The form is on the page while text is selected, at the end of it.
  function follow() {
    const range = chosen();
    if (!form()) return;
    form().hidden = !range;
    if (!range) return;
    const before = document.createRange();
    before.setStart(text(), 0);
    before.setEnd(range.startContainer, range.startOffset);
    form().elements.quote.value = window.getSelection().toString();
    form().elements.start.value = before.toString().replace(/\s+/g, " ").trimStart().length;
    const at = [...range.getClientRects()].at(-1) ?? range.getBoundingClientRect();
    form().style.left = `${Math.min(Math.max(at.right - form().offsetWidth, 8), innerWidth - form().offsetWidth - 8)}px`;
    form().style.top = `${Math.min(Math.max(at.bottom + 8, 8), innerHeight - form().offsetHeight - 8)}px`;
  }

  document.addEventListener("selectionchange", follow);
  document.addEventListener("scroll", () => { if (form() && !form().hidden) follow(); }, { capture: true, passive: true });
  // A button that is pressed takes the selection away in some browsers, and the form with it.
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("#highlight")) event.preventDefault();
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx?.sourceElement?.id !== "highlight") return;
    window.getSelection().removeAllRanges();
    form().hidden = true;
  });
})();
