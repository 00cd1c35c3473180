// The menu of a row: by a long press, the menu key or Shift+F10, a key of its own, or the row's
// button. A right click keeps the browser's menu. What is in it presses what the row has anyway.
"use strict";

(() => {
  const menu = document.getElementById("row-menu");
  const rows = document.getElementById("rows");
  if (!menu || !rows) return;

  const LONG = 500; // milliseconds
  const STILL = 10; // px that a finger may move meanwhile
  const GAP = 8; // px to the sides of the screen
  let row = null; // whose menu is open
  let from = null; // what gets the focus back

  const items = () => [...menu.querySelectorAll("[role=menuitem]")].filter((item) => !item.hidden);
  const above = () => {
    const all = [...rows.querySelectorAll(":scope > .row")];
    return all.slice(0, all.indexOf(row)).filter((one) => one.dataset.read === "0");
  };

  // A mark is called as its button is, which says what pressing it does now.
  function prepare() {
    const inside = menu.querySelector("template"); // until it is opened for the first time
    if (inside) {
      inside.replaceWith(inside.content);
      window.htmx.process(menu);
    }
    for (const item of menu.querySelectorAll("[data-press]")) {
      const target = row.querySelector(item.dataset.press);
      item.hidden = !target;
      if (target?.matches("button.mark")) {
        item.lastElementChild.textContent = target.title.replace(/ \([^()]*\)$/, "");
      }
    }
    const form = document.getElementById("above");
    const unread = above();
    form.elements.articles.value = unread.map((one) => one.dataset.id).join(",");
    form.hidden = unread.length === 0;
    form.querySelector("span").textContent = `Mark ${unread.length.toLocaleString("en")} above read`;
  }

  function open(which, x, y) {
    row = which;
    from = document.activeElement;
    document.dispatchEvent(new CustomEvent("newsloom:select", { detail: row.id }));
    prepare();
    menu.showPopover();
    const { width, height } = menu.getBoundingClientRect();
    // Narrow screens have it at their lower end, by the style sheet alone.
    menu.style.left = `${Math.max(GAP, Math.min(x, document.documentElement.clientWidth - width - GAP))}px`;
    menu.style.top = `${Math.max(GAP, Math.min(y, innerHeight - height - GAP))}px`;
    items()[0].focus({ preventScroll: true });
  }

  function openBelow(which, what) {
    const { left, bottom } = what.getBoundingClientRect();
    open(which, left, bottom);
  }

  const rowOf = (target) => target.closest?.("#rows > .row");

  document.addEventListener("newsloom:menu", (event) => {
    const which = rowOf(event.target);
    if (which) openBelow(which, which.querySelector("h2"));
  });

  rows.addEventListener("click", (event) => {
    const button = event.target.closest(".acts-menu");
    if (button) openBelow(rowOf(button), button);
  });

  // --- a long press, and the menu key ---

  let press = 0;
  let held = false; // the press that goes on was long: lifting the finger opens nothing
  let touched = false; // the last pointer was a finger
  let at = null;
  const letGo = () => clearTimeout(press);

  function openUnderFinger(which, { clientX, clientY }) {
    letGo();
    held = true;
    open(which, clientX, clientY);
  }

  document.addEventListener("pointerdown", (event) => {
    if (menu.matches(":popover-open") && !menu.contains(event.target)) {
      menu.hidePopover();
      held = true; // nothing under the finger is meant
      return;
    }
    touched = event.pointerType === "touch";
    held = false;
    letGo();
    const which = rowOf(event.target);
    if (!touched || !event.isPrimary || !which) return;
    at = { x: event.clientX, y: event.clientY };
    press = setTimeout(() => openUnderFinger(which, event), LONG);
  });
  document.addEventListener("pointermove", (event) => {
    if (at && Math.hypot(event.clientX - at.x, event.clientY - at.y) > STILL) letGo();
  });
  for (const name of ["pointerup", "pointercancel", "newsloom:swiping"]) document.addEventListener(name, letGo);
  document.addEventListener("click", (event) => {
    // Nor in the menu, which may have opened under the finger.
    if (!held || !event.isTrusted) return;
    held = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  let keyed = false; // the menu key was pressed, and not a mouse's right button
  document.addEventListener("keydown", (event) => {
    held = false;
    keyed = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
  }, true);
  document.addEventListener("contextmenu", (event) => {
    const which = rowOf(event.target) || (keyed && document.querySelector("#rows > .row.selected"));
    if (!which || !(keyed || touched)) return;
    event.preventDefault();
    if (keyed) openBelow(which, which.querySelector("h2"));
    else if (!held) openUnderFinger(which, event); // the browser's long press is shorter than ours
    keyed = false;
  });

  // --- in the menu ---

  menu.addEventListener("keydown", (event) => {
    const all = items();
    const here = all.indexOf(document.activeElement);
    const to = {
      ArrowDown: (here + 1) % all.length,
      ArrowUp: (here - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    event.stopPropagation(); // keys of the list mean nothing here
    if (event.key === "Tab" || event.key === "Escape") {
      event.preventDefault();
      menu.hidePopover();
    } else if (to !== undefined) {
      event.preventDefault();
      all[to].focus();
    }
  });

  menu.addEventListener("click", (event) => {
    const item = event.target.closest("[role=menuitem]");
    if (!item) return;
    // The row may have been made anew since.
    const now = document.getElementById(row.id) || row;
    const target = item.dataset.press && now.querySelector(item.dataset.press);
    menu.hidePopover();
    target?.click();
  });

  menu.addEventListener("toggle", (event) => {
    if (event.newState === "closed" && from?.isConnected) from.focus({ preventScroll: true });
  });
})();
