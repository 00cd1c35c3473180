// Keys and small comforts. Every action is a form or a link that is on the page already: without
// this file all of them still work by hand. Nothing here builds HTML.
"use strict";

(() => {
  const ROOT = document.documentElement.dataset.root || ""; // the path the pages live under, or nothing
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const memory = window.sessionStorage;
  const OPENED = "opened", TRAIL = "trail", SELECTED = "selected";
  const remembered = (name) => JSON.parse(memory.getItem(name) || "[]");
  const remember = (name, value) => memory.setItem(name, JSON.stringify(value));

  const rows = () => all("#rows > .row");
  const tools = one(".tools");
  let selected = null; // the id of a row's element

  // --- the list ---

  const current = () => (selected && document.getElementById(selected)) || null;

  function select(row, scroll = true) {
    current()?.classList.remove("selected");
    current()?.removeAttribute("aria-current");
    selected = row?.id ?? null;
    if (!row) return;
    dress(row);
    row.classList.add("selected");
    row.setAttribute("aria-current", "true");
    memory.setItem(SELECTED, selected);
    if (scroll) row.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const list = rows();
    const at = list.indexOf(current());
    const next = at < 0 ? (by > 0 ? firstInView(list) : list.at(-1)) : list[at + by];
    if (next) {
      select(next);
      next.dispatchEvent(new CustomEvent("newsloom:stepped", { bubbles: true }));
    } else if (by > 0) one("#more a")?.click();
  }

  // What is opened beside the list is the row that keys act on.
  document.addEventListener("newsloom:select", (event) => select(document.getElementById(event.detail)));

  const firstInView = (list) => list.find((row) => row.getBoundingClientRect().bottom > 80);

  const trail = () => remember(TRAIL, rows().map((row) => [row.dataset.id, one(".open", row).getAttribute("href")]));

  // Rows that came twice because the list moved under the reader.
  function dropTwins() {
    const seen = new Set();
    for (const row of rows()) seen.has(row.id) ? row.remove() : seen.add(row.id);
  }

  // The marks of a row stand on the page once; they come into a row that is pointed at, has the focus
  // or is selected. A row that has a mark already came with them.
  const acts = document.getElementById("row-acts");

  function dress(row) {
    const menu = row && one(".acts-menu", row);
    if (!acts || !menu || one(".marks", row)) return;
    const made = acts.content.cloneNode(true);
    const named = (value) => value.replace(/(articles\/|why-)0\b/, `$1${row.dataset.id}`);
    for (const each of all("*", made)) {
      for (const name of ["action", "href", "hx-get", "hx-post", "hx-target", "id"]) {
        if (each.hasAttribute(name)) each.setAttribute(name, named(each.getAttribute(name)));
      }
    }
    const original = one(".original", made);
    if (row.dataset.original) original.href = row.dataset.original;
    else original.remove();
    one(".acts-menu", made).remove();
    const why = one(".why", made);
    menu.before(made);
    menu.after(why);
    window.htmx.process(menu.parentElement);
  }

  for (const name of ["pointerover", "pointerdown", "focusin", "newsloom:dress"]) {
    document.addEventListener(name, (event) => dress(event.target.closest?.("#rows > .row")), true);
  }

  // --- leaving a list and coming back to it ---

  // As a list is left by a link, its entry in the history gets the address of the list as it stands
  // (the moment it was shown, how many rows) and the place of one row in the window. So whoever
  // comes back, by the browser's way or by a link of ours, has the same rows in the same place, also
  // when the browser has not kept the page. Rows that were read meanwhile may have another height;
  // the one row stays where it was.
  const PAGE = 30;
  const momentShown = () => new URLSearchParams(document.getElementById("pulse-at").value).get("as");
  const inWindow = (row) => {
    const at = row.getBoundingClientRect();
    return at.bottom > 60 && at.top < innerHeight;
  };

  function withRows(url) {
    if (rows().length > PAGE && !url.searchParams.has("after")) url.searchParams.set("rows", rows().length);
    return url;
  }

  function leaveList() {
    const chosen = current();
    const row = chosen && inWindow(chosen) ? chosen : firstInView(rows());
    if (!row) return;
    const url = withRows(new URL(location.href));
    if (momentShown()) url.searchParams.set("as", momentShown());
    url.hash = "";
    history.scrollRestoration = "manual";
    history.replaceState({ row: row.id, top: row.getBoundingClientRect().top }, "", url);
  }

  function comeBack(kept) {
    const left = history.state;
    const there = document.getElementById(left?.row || location.hash.slice(1) || "");
    if (left?.row && there && !kept) window.scrollBy(0, there.getBoundingClientRect().top - left.top);
    const last = document.getElementById(memory.getItem(SELECTED) || "") || there;
    if ((left?.row || location.hash) && last?.matches("#rows > .row")) select(last);
    // Loaded again, the list is as it is by then.
    const url = new URL(location.href);
    url.searchParams.delete("as");
    if (there) url.hash = "";
    history.replaceState(null, "", url);
  }

  // Which list an address is of, however much of it is shown.
  function listOf(address) {
    const url = new URL(address, location.href);
    if (url.pathname !== `${ROOT}/` && url.pathname !== `${ROOT}/search`) return "";
    for (const name of ["as", "rows", "after", "offset", "open", "did", "n"]) url.searchParams.delete(name);
    url.searchParams.sort();
    return url.pathname + url.search;
  }

  // Back to where the list was left, if this tab has been there; else the link leads to its row.
  function toList(event) {
    const back = event.target.closest("#back");
    if (!window.navigation) return;
    const before = window.navigation.entries().slice(0, window.navigation.currentEntry.index);
    const list = before.findLast((entry) => listOf(entry.url) === listOf(back.href));
    if (!list) return;
    event.preventDefault();
    window.navigation.traverseTo(list.key);
  }

  // Whether a click leads away from this page, and not to another tab.
  const leads = (event) => {
    const link = event.target.closest("a[href]");
    return link && !link.target && !event.defaultPrevented && event.button === 0
      && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  };

  // Articles opened from this list are read now; the list is told when it is seen again. Both
  // pages remember it as early as they can, the list when the link is pressed, an article when
  // this file runs: pageshow waits for its pictures, and a fast reader is back before.
  function rememberOpened(id) {
    remember(OPENED, [...new Set([...remembered(OPENED), id])]);
  }

  function refreshOpened() {
    const opened = remembered(OPENED);
    memory.removeItem(OPENED);
    for (const id of opened) {
      const row = document.getElementById(`a${id}`);
      if (row) {
        const at = encodeURIComponent(document.getElementById("pulse-at").value);
        window.htmx.ajax("GET", `${ROOT}/articles/${id}/row?at=${at}`, { target: row, swap: "outerHTML" });
      }
    }
  }

  function markThese() {
    const form = one("#mark-many form");
    const unread = rows().filter((row) => row.dataset.read === "0");
    one("[name=articles]", form).value = unread.map((row) => row.dataset.id).join(",");
    one("button", form).textContent = `Mark these ${unread.length.toLocaleString("en")} read`;
    one("button", form).disabled = unread.length === 0;
  }

  // --- an open article ---

  // The neighbours by the list the reader came from; the server only knows what is left of it.
  function followTrail() {
    const walked = remembered(TRAIL);
    const at = walked.findIndex(([id]) => id === tools.dataset.id);
    if (at < 0) return;
    for (const [id, by] of [["before", -1], ["after", 1]]) {
      const link = document.getElementById(id);
      const there = walked[at + by];
      if (there) {
        link.setAttribute("href", there[1]);
        link.removeAttribute("aria-disabled");
      } else if (by < 0) {
        link.removeAttribute("href");
        link.setAttribute("aria-disabled", "true");
      }
    }
    memory.setItem(SELECTED, `a${tools.dataset.id}`);
  }

  function enterArticle() {
    followTrail();
    rememberOpened(tools.dataset.id);
  }

  // Keys of the list scroll the article beside it; by itself an article scrolls as pages do.
  const SCROLLING = { " ": 0.9, PageDown: 0.9, PageUp: -0.9 };

  function scrollPane(key, back) {
    const pane = one("#pane:has(#text)");
    if (!pane?.offsetParent) return false;
    pane.scrollBy({ top: SCROLLING[key] * (back ? -1 : 1) * pane.clientHeight });
    return true;
  }

  // --- keys ---

  // A row that was just put in place is read by htmx a moment later; a form pressed before that
  // would send itself and load the whole page anew. The row is kept by its id: the selection may
  // have moved on meanwhile.
  function press(selector, id = tools ? null : selected, patience = 100) {
    const target = one(selector, tools || (id && document.getElementById(id)) || undefined);
    const form = target?.closest("form[hx-post]");
    if (form && !form.hasAttribute("data-htmx-powered") && patience) {
      setTimeout(() => press(selector, id, patience - 1), 20);
    } else {
      target?.click();
    }
  }
  const inRow = (selector) => { if (tools || current()) press(selector); };
  const dialog = document.getElementById("keys");
  function help() {
    const inside = one("template", dialog); // until it is shown for the first time
    inside?.replaceWith(inside.content);
    dialog.showModal();
    if (!one(".keylist", dialog)) window.htmx.ajax("GET", `${ROOT}/help`, { target: "#key-list", swap: "innerHTML" });
  }

  const next = () => (tools ? one("#after[href]")?.click() : step(1));
  const previous = () => (tools ? one("#before[href]")?.click() : step(-1));
  const escape = () => document.getElementById("back")?.click();

  // By the names of accounts/key_values.py, which says by which keys.
  const ACTIONS = {
    next,
    previous,
    open: () => inRow(tools ? ".original" : ".open"),
    original: () => inRow(".original"),
    like: () => inRow(".mark.like"),
    dislike: () => inRow(".mark.dislike"),
    star: () => inRow(".mark.star"),
    later: () => inRow(".mark.later"),
    read: () => inRow(".mark.read"),
    why: () => inRow(tools ? ".score" : "details.why > summary"),
    sources: () => (tools ? one("#related > summary")?.click() : inRow("details.sources > summary")),
    menu: () => current()?.dispatchEvent(new CustomEvent("newsloom:menu", { bubbles: true })),
    undo: () => (one("#toast:not(.gone) .said form button") || one("#undo button")).click(),
    order: () => nextOrder(),
    "mark-many": () => openMenu("mark-many"),
    // Those of added.js.
    ...Object.fromEntries(["tag", "choose", "note", "highlight"].map((name) => [
      name, () => document.dispatchEvent(new CustomEvent("newsloom:add", { detail: name })),
    ])),
    share: () => openMenu("share"),
    filter: () => openMenu("filters"),
    search: () => search(),
    ...Object.fromEntries([...document.querySelectorAll("[data-go]")].map((link) => [
      `go-${link.dataset.go}`, () => link.click(),
    ])),
    help,
  };
  // Those of player.js, and those that mean the sentence that is spoken where there is a player.
  const tellPlayer = (name) => document.dispatchEvent(new CustomEvent("newsloom:player", { detail: name }));
  const PLAYED = ["play", "rewind", "forward", "next-chapter", "previous-chapter", "slower", "faster"];
  const OF_SENTENCE = ["next", "previous", "open", "original", "like", "dislike", "star", "later", "read", "sources"];
  for (const name of one("#player") ? [...PLAYED, ...OF_SENTENCE] : PLAYED) ACTIONS[name] = () => tellPlayer(name);
  const KEYS = {
    Enter: () => !tools && inRow(".open"),
    Escape: escape,
    ArrowLeft: () => tools && previous(),
    ArrowRight: () => tools && next(),
  };
  for (const [name, keys] of Object.entries(JSON.parse(dialog.dataset.keys))) {
    for (const key of keys) KEYS[key] = ACTIONS[name];
  }
  const FIRST = new Set(Object.keys(KEYS).filter((key) => key.includes(" ")).map((key) => key[0]));

  // A key that comes before the toggle event has to find the menu ready: Tab right after A would
  // otherwise lead back to the first button.
  function openMenu(id) {
    const menu = document.getElementById(id);
    if (!menu) return;
    one("summary", menu).click();
    if (menu.open) enterMenu(menu);
  }

  function enterMenu(menu) {
    const inside = menu.contains(document.activeElement) && !document.activeElement.matches("summary");
    if (inside) return;
    if (menu.id === "mark-many") markThese();
    one("button, select", menu).focus();
  }

  function nextOrder() {
    const orders = all("[aria-label=Order] a");
    const at = orders.findIndex((order) => order.hasAttribute("aria-current"));
    orders[(at + 1) % orders.length]?.click();
  }

  let first = ""; // of two keys, which wait for the second
  let until = 0;

  function search() {
    const side = document.getElementById("side");
    const box = [...all("#q-main"), ...all("#q")].find((input) => input.offsetParent);
    if (!box) side.showPopover();
    (box || document.getElementById("q")).select();
  }

  const typing = (target) => target.closest?.("input:not([type=hidden]), textarea, select, [contenteditable]");

  document.addEventListener("keydown", (event) => {
    if (event.key === "Shift") return; // held for the second key of "g D"
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialog.open) return;
    if (typing(event.target)) {
      if (event.key === "Escape") {
        event.target.blur();
        event.target.closest("details.menu")?.removeAttribute("open");
      }
      return;
    }
    const both = event.timeStamp < until ? `${first} ${event.key}` : "";
    until = 0;
    if (Object.hasOwn(KEYS, both)) {
      event.preventDefault();
      KEYS[both]();
      return;
    }
    if (FIRST.has(event.key)) [first, until] = [event.key, event.timeStamp + 1500];
    const onControl = event.target.closest("a, button, summary");
    if (event.key in SCROLLING && !(onControl && event.key === " ") && scrollPane(event.key, event.shiftKey)) {
      event.preventDefault();
      return;
    }
    if (event.key === "Enter" && onControl) return;
    if (event.key === "Escape" && (one("details.menu[open]") || one(":popover-open"))) {
      one("details.menu[open]")?.removeAttribute("open");
      return;
    }
    const action = Object.hasOwn(KEYS, event.key) && KEYS[event.key];
    if (!action) return;
    if (event.key !== "Escape" && !event.key.startsWith("Arrow")) event.preventDefault();
    action();
  });

  // --- what happens around ---

  document.addEventListener("click", (event) => {
    const row = event.target.closest("#rows > .row");
    if (row) select(row, false);
    if (row && event.target.closest(".open")) rememberOpened(row.dataset.id);
    if (leads(event)) {
      if (event.target.closest("#back")) toList(event);
      else if (one("#rows") && !event.target.closest("#more [hx-get]")) leaveList();
    }
    if (event.target === dialog) dialog.close();
    const menu = one("details.menu[open]");
    if (menu && !menu.contains(event.target)) menu.removeAttribute("open");
  });

  document.addEventListener("toggle", (event) => {
    if (event.target.matches("details.menu") && event.target.open) enterMenu(event.target);
  }, true);

  let fading = 0;
  function showToast() {
    const toast = document.getElementById("toast");
    toast.classList.remove("gone");
    clearTimeout(fading);
    const bad = one(".bad", toast);
    fading = setTimeout(() => toast.classList.add("gone"), bad ? 20000 : 8000);
  }

  // A small picture that cannot be had leaves its room to the words.
  document.addEventListener("error", (event) => {
    if (event.target.classList?.contains("thumbnail")) event.target.remove();
  }, true);
  // Those that failed before this script ran; one that is still to come is not complete.
  for (const picture of document.querySelectorAll("img.thumbnail")) if (picture.complete && !picture.naturalWidth) picture.remove();

  document.addEventListener("htmx:after:swap", () => {
    if (one("#rows")) {
      for (const plain of all("#rows noscript")) plain.remove(); // for pages without scripts
      dropTwins();
      trail();
      const url = withRows(new URL(location.href));
      if (url.href !== location.href) history.replaceState(history.state, "", url);
      const row = current();
      if (row && !row.classList.contains("selected")) select(row, false);
    }
    if (one("#toast .said")) showToast();
  });

  function say(text, bad) {
    const words = document.createElement("div");
    words.className = bad ? "said bad" : "said";
    words.textContent = text;
    document.getElementById("toast").replaceChildren(words);
    showToast();
  }
  document.addEventListener("newsloom:say", (event) => say(event.detail, false));

  // A network that is away is said, not left to the console; but nobody waits for what pages load by
  // themselves, and a page that is shown offline says so already.
  document.addEventListener("htmx:error", (event) => {
    const source = event.detail?.ctx?.sourceElement;
    if (source?.id === "pulse" || source?.getAttribute("hx-trigger")?.startsWith("load")) return;
    if (document.documentElement.dataset.kept) say("Offline: not saved.", false);
    else say("Can't reach Newsloom. Is it running?", true);
  });

  if (one("#rows")) comeBack(false);

  window.addEventListener("pageshow", (event) => {
    if (one("#rows")) {
      trail();
      refreshOpened();
      if (event.persisted) comeBack(true);
      // The browser restores the place by itself up to now, and knows less of it than comeBack.
      setTimeout(() => { history.scrollRestoration = "auto"; });
    }
    if (tools) enterArticle(); // once more: it may have come back out of the browser's cache
    if (one("#toast .said")) showToast();
    // The words of a step belong to the moment, not to the address.
    const here = new URL(location.href);
    if (here.searchParams.has("did")) {
      here.searchParams.delete("did");
      here.searchParams.delete("n");
      history.replaceState(null, "", here);
    }
  });

  if (tools) enterArticle();

  // The server tells times in the zone that this cookie names: see site.py. The first page of a
  // browser is loaded again where it tells any.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const zones = () => /(?:^|; )newsloom-zone=([^;]*)/.exec(document.cookie)?.[1] || "UTC";
  if (zones() !== encodeURIComponent(zone)) {
    document.cookie = `newsloom-zone=${encodeURIComponent(zone)}; path=${ROOT}/; max-age=31536000; samesite=lax`;
    if (zones() === encodeURIComponent(zone) && (tools || one("time:not([title])"))) location.reload();
  }

  // htmx reads the page in a timer of its own, queued before this one: from here on marks stay on
  // the page. A key that comes earlier submits its form as it would without scripts.
  setTimeout(() => { document.documentElement.dataset.ready = "yes"; });
})();
