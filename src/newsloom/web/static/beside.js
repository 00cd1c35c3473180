// The look "article beside the list": on a wide screen the articles of the rows open at the right of
// them, by what their own pages hold. The address names the article (?open=12), so it can be kept,
// sent on and gone back from; where the screen is narrow, links lead to the article's own page.
"use strict";

(() => {
  const ROOT = document.documentElement.dataset.root || "";
  const PAUSE = 150; // milliseconds: who holds j down is on the way to a row further on
  const pane = document.getElementById("pane");
  const wide = window.matchMedia("(min-width: 1100px)");
  const nothing = [...pane.childNodes];
  const rowOf = (id) => document.getElementById(`a${id}`);
  let wanted = ""; // the article that is to be open; "" for none
  let shown = "";
  let loading = false;
  let focusing = false; // the focus goes into the article once it is there

  const addressOf = (id) => rowOf(id)?.querySelector(".open").href
    ?? `${ROOT}/articles/${id}?at=${encodeURIComponent(document.getElementById("pulse-at").value)}`;

  function empty() {
    pane.replaceChildren(...nothing);
    document.dispatchEvent(new CustomEvent("newsloom:article", { detail: null }));
  }

  // One at a time, and always the last that was asked for.
  async function load() {
    if (loading) return;
    loading = true;
    while (shown !== wanted) {
      const id = wanted;
      if (id) await window.htmx.ajax("GET", addressOf(id), { target: "#pane", swap: "innerHTML" });
      shown = id;
      if (!id) empty();
    }
    loading = false;
    if (shown) arrive();
  }

  function arrive() {
    const tools = pane.querySelector(".tools");
    if (!tools) return;
    document.dispatchEvent(new CustomEvent("newsloom:article", { detail: tools }));
    const title = pane.querySelector("#opened-title").textContent;
    pane.setAttribute("aria-label", `Article: ${title}`);
    if (focusing) pane.focus({ preventScroll: true });
    else document.getElementById("pane-said").textContent = `Opened: ${title}`;
    focusing = false;
  }

  // --- the address ---

  const opened = () => new URL(location.href).searchParams.get("open") || "";

  function addressWith(id) {
    const url = new URL(location.href);
    if (id) url.searchParams.set("open", id);
    else url.searchParams.delete("open");
    url.hash = "";
    return url;
  }

  function open(id, replacing) {
    wanted = id;
    if (opened() !== id) {
      // Whoever closes the article goes back to where the list was alone.
      const depth = (history.state?.depth || 0) + (replacing ? 0 : 1);
      const state = { beside: true, depth };
      if (replacing) history.replaceState(state, "", addressWith(id));
      else history.pushState(state, "", addressWith(id));
    }
    load();
  }

  function close() {
    const inPane = pane.contains(document.activeElement);
    const row = rowOf(shown);
    if (history.state?.beside && history.state.depth) history.go(-history.state.depth);
    else history.replaceState(null, "", addressWith(""));
    wanted = "";
    load();
    if (inPane) (row?.querySelector(".open") || document.getElementById("main")).focus({ preventScroll: true });
  }

  window.addEventListener("popstate", () => {
    if (!wide.matches) return;
    wanted = opened();
    if (wanted) document.dispatchEvent(new CustomEvent("newsloom:select", { detail: `a${wanted}` }));
    load();
  });

  // --- what opens and closes ---

  function ofRow(link) {
    const url = new URL(link.href, location.href);
    const id = url.origin === location.origin && url.pathname.startsWith(`${ROOT}/articles/`)
      && url.pathname.slice(`${ROOT}/articles/`.length);
    return /^\d+$/.test(id) && rowOf(id) ? id : "";
  }

  // Before newsloom.js hears of it, for whom the list would be left.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#rows a[href], #pane a[href]");
    const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !plain || link.target || !wide.matches) return;
    if (link.id === "back") {
      event.preventDefault();
      close();
      return;
    }
    const id = link.classList.contains("whole") ? "" : ofRow(link);
    if (!id) return;
    event.preventDefault();
    if (link.closest("#pane")) document.dispatchEvent(new CustomEvent("newsloom:select", { detail: `a${id}` }));
    // By a key, also by the one that newsloom.js turns into a click: whoever listens reads on there.
    focusing = event.detail === 0;
    open(id, false);
  }, true);

  let stepping = 0;
  document.addEventListener("newsloom:stepped", (event) => {
    if (!wide.matches) return;
    clearTimeout(stepping);
    const id = event.target.dataset.id;
    stepping = setTimeout(() => open(id, Boolean(opened())), PAUSE);
  });

  // --- how wide the list is ---

  const divider = document.getElementById("divider");
  const stage = divider.closest(".stage");
  const LEAST = Number(divider.ariaValueMin), MOST = Number(divider.ariaValueMax);
  const WIDTH = "newsloom-list-width";

  function widen(percent) {
    const width = Math.round(Math.min(Math.max(percent, LEAST), MOST));
    divider.setAttribute("aria-valuenow", width);
    divider.setAttribute("aria-valuetext", `${width} percent`);
    stage.style.setProperty("--list-width", `${width}%`);
    window.localStorage.setItem(WIDTH, width);
  }

  const width = () => Number(divider.getAttribute("aria-valuenow"));
  const kept = Number(window.localStorage.getItem(WIDTH));
  if (kept) widen(kept);

  divider.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: width() - 2, ArrowRight: width() + 2, Home: LEAST, End: MOST }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    widen(to);
  });
  divider.addEventListener("pointerdown", (event) => {
    divider.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  divider.addEventListener("pointermove", (event) => {
    if (!divider.hasPointerCapture(event.pointerId)) return;
    const { left, width: whole } = stage.getBoundingClientRect();
    widen(100 * (event.clientX - left) / whole);
  });

  // --- an address that names an article ---

  const first = pane.dataset.open;
  if (first && wide.matches) {
    document.dispatchEvent(new CustomEvent("newsloom:select", { detail: `a${first}` }));
    wanted = first;
    load();
  } else if (first) {
    location.replace(addressOf(first));
  }
})();
