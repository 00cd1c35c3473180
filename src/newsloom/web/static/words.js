// Choosing words of an article to highlight, by mouse, finger and keys. The form works without this
// file, with words that are pasted into it; here its fields follow what is selected.
"use strict";

(() => {
  const words = document.getElementById("words");
  const form = document.getElementById("choose");
  const quote = form.elements.quote;
  const start = form.elements.start;
  document.querySelector(".by-script").hidden = false;

  const collapsed = (text) => text.replace(/\s+/g, " ").trim();

  // How many characters of the text stand before a place in it.
  function placeOf(node, offset) {
    const paragraph = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest("[data-start]");
    if (!paragraph) return 0;
    const before = document.createRange();
    before.selectNodeContents(paragraph);
    before.setEnd(node, offset);
    return Number(paragraph.dataset.start) + before.toString().length;
  }

  function follow() {
    const selection = window.getSelection();
    // On a phone the selection is gone once the button is touched: what it was stays in the form.
    if (selection.isCollapsed || !selection.rangeCount) return;
    const range = selection.getRangeAt(0);
    if (!words.contains(range.commonAncestorContainer)) return;
    quote.value = collapsed(selection.toString());
    start.value = placeOf(range.startContainer, range.startOffset);
  }

  document.addEventListener("selectionchange", follow);
  quote.addEventListener("input", () => { start.value = 0; });

  // Sentences, for the arrow keys.
  const segmenter = window.Intl?.Segmenter && new Intl.Segmenter(words.lang || undefined, { granularity: "sentence" });
  const sentences = [];
  for (const paragraph of words.querySelectorAll("[data-start]")) {
    const text = paragraph.textContent;
    const found = segmenter ? [...segmenter.segment(text)] : [{ segment: text, index: 0 }];
    for (const each of found) {
      const length = each.segment.trimEnd().length;
      if (length) sentences.push({ paragraph, from: each.index, to: each.index + length });
    }
  }

  function pointAt(paragraph, offset) {
    const texts = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    let left = offset;
    let node = texts.nextNode();
    while (node && left > node.data.length) {
      left -= node.data.length;
      node = texts.nextNode();
    }
    return [node, left];
  }

  let at = -1;

  function choose(by) {
    const next = Math.min(Math.max(at + by, 0), sentences.length - 1);
    if (next < 0) return;
    at = next;
    const { paragraph, from, to } = sentences[at];
    window.getSelection().setBaseAndExtent(...pointAt(paragraph, from), ...pointAt(paragraph, to));
    follow(); // the event comes a moment later, perhaps after the next key
    paragraph.scrollIntoView({ block: "nearest" });
  }

  const typing = (target) => target.closest?.("input, textarea, select");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || typing(event.target)) return;
    const act = {
      ArrowRight: () => choose(1),
      ArrowLeft: () => choose(-1),
      h: () => { follow(); form.requestSubmit(); },
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }, true);
})();
