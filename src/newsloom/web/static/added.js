// Keys for what a reader adds to articles: t tags, x chooses rows, e writes a note, h highlights.
// Each leads to a form or a link that is on the page already.
"use strict";

(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const menu = document.getElementById("tag-many");
  const shown = menu && one("[data-shown]", menu);
  const selected = () => one("#rows > .row.selected");
  const chosen = () => [...document.querySelectorAll("#rows > .row.chosen")];

  function choose() {
    const row = selected();
    if (!row) return;
    row.classList.toggle("chosen");
    const link = one(".open", row);
    if (row.classList.contains("chosen")) link.setAttribute("aria-description", "chosen");
    else link.removeAttribute("aria-description");
  }

  // What the menu is about: the rows that were chosen, else the selected one, else those shown.
  function aim(row) {
    const rows = chosen().length ? chosen() : row ? [row] : [...document.querySelectorAll("#rows > .row")];
    shown.value = rows.map((each) => each.dataset.id).join(",");
    shown.textContent = chosen().length ? `the ${rows.length} chosen` : row ? "this article" : `these ${rows.length}`;
    one("select", menu).value = shown.value;
  }

  function tag() {
    if (menu) {
      aim(selected());
      menu.open = true;
      one("[name=names]", menu).focus();
    } else {
      add("add-tag");
    }
  }

  function add(field) {
    const added = one("#added details");
    if (!added) return;
    added.open = true;
    document.getElementById(field)?.focus();
  }

  const KEYS = {
    t: tag,
    x: choose,
    e: () => add("note"),
    h: () => document.getElementById("to-words")?.click(),
  };

  const typing = (target) => target.closest?.("input:not([type=hidden]), textarea, select, [contenteditable]");
  let afterG = 0; // g and a letter lead to a list

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (typing(event.target) || one("dialog[open]")) return;
    const going = event.timeStamp < afterG;
    afterG = event.key === "g" ? event.timeStamp + 1500 : 0;
    if (going || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  });

  if (!menu) return;
  // Opened by hand, it is about the rows that were chosen or are shown.
  one("summary", menu).addEventListener("click", () => { if (!menu.open) aim(null); });
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.sourceElement?.closest("#tag-many")) {
      menu.open = false;
      one("[name=names]", menu).value = "";
    }
  });
})();
