// What keys for tags, notes and highlights do (newsloom.js knows the keys): each leads to a form or a
// link that is on the page already.
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
    shown.textContent = chosen().length ? `${rows.length.toLocaleString("en")} selected` : row ? "this article" : `these ${rows.length.toLocaleString("en")}`;
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

  const ACTIONS = {
    tag,
    choose,
    note: () => add("note"),
    highlight: () => (one("#highlight:not([hidden]) button") || document.getElementById("to-words"))?.click(),
  };
  document.addEventListener("newsloom:add", (event) => ACTIONS[event.detail]());

  if (!menu) return;
  // Opened by hand, it is about the rows that were chosen or are shown.
  one("summary", menu).addEventListener("click", () => { if (!menu.open) aim(null); });
  document.getElementById("tag-these").addEventListener("click", (event) => {
    event.stopPropagation(); // a press outside a menu closes it
    document.getElementById("filters").open = false;
    one("summary", menu).click();
    one("[name=names]", menu).focus();
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.sourceElement?.closest("#tag-many")) {
      menu.open = false;
      one("[name=names]", menu).value = "";
    }
  });
})();
