// What a page asks of itself from time to time: how far the feeds are fetched, what came, which
// scores and counts changed; and at once when live.js hears that something did. The server answers
// with the parts that are new; see pulse.py.
"use strict";

(() => {
  const form = document.getElementById("pulse");
  const one = (selector) => document.querySelector(selector);
  const SOON = 0.7; // seconds after something was done: what follows from it follows within a second
  const SLOWEST = 60;
  const HEARING = 300; // while the page is told of what changes: scores fade meanwhile
  let timer = 0;
  let still = 0; // times in a row that nothing had moved

  const every = () => one("#every").dataset;
  // What stands still is asked after less and less often.
  const slowest = () => (document.documentElement.dataset.live ? HEARING : SLOWEST);
  const seconds = () => (Number(every().every) < SLOWEST ? Math.min(Number(every().every) * 1.3 ** still, SLOWEST) : slowest());

  function shown() {
    return [...document.querySelectorAll(".score[id]")]
      .map((score) => `${score.id.replace("score-", "")}:${score.textContent}`)
      .join(",");
  }

  function plan(after) {
    clearTimeout(timer);
    timer = setTimeout(ask, 1000 * after);
  }

  function ask() {
    plan(seconds());
    if (document.visibilityState !== "visible") return;
    form.elements.shown.value = shown();
    form.dispatchEvent(new CustomEvent("pulse"));
  }

  // While feeds are fetched for the first time the list fills by itself, as long as nobody has begun
  // to use it. Otherwise nothing moves until the reader says so.
  const FILLING = 6; // seconds between two times
  let filled = performance.now();
  const untouched = () => window.scrollY < 5
    && !one("#rows .selected, #rows:hover, #rows:focus-within, #rows details[open], details.menu[open], dialog[open], :popover-open");

  function fill() {
    const fresh = one("#news .fresh a");
    if (!fresh || !one("#news [name=fetching]") || !one("#rows") || !untouched()) return;
    if (performance.now() - filled < 1000 * FILLING) return;
    filled = performance.now();
    window.htmx.ajax("GET", fresh.href, { target: "#rows", swap: "innerHTML" });
  }

  let done = every().done;
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.sourceElement === form) {
      still = done === every().done ? still + 1 : 0;
      done = every().done;
      plan(seconds());
      fill();
    } else if (event.detail.ctx.request.method !== "GET") {
      still = 0;
      plan(SOON);
    }
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") plan(SOON);
  });
  // Not all pages at the same moment.
  document.addEventListener("newsloom:news", () => {
    still = 0;
    plan(SOON * (0.3 + Math.random()));
  });
  plan(every().every < SLOWEST ? SOON : seconds());
})();
