// What a page asks of itself from time to time: how far the feeds are fetched, what came, which
// scores and counts changed. The server answers with the parts that are new; see pulse.py.
"use strict";

(() => {
  const form = document.getElementById("pulse");
  const one = (selector) => document.querySelector(selector);
  const SOON = 0.7; // seconds after something was done: what follows from it follows within a second
  let timer = 0;

  const seconds = () => Number(one("#every").dataset.every);

  function shown() {
    return [...document.querySelectorAll(".score[id]")]
      .map((score) => `${score.id.replace("score-", "")}:${score.querySelector(".score-number").textContent}`)
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
  const untouched = () => window.scrollY < 5
    && !one("#rows .selected, #rows:hover, #rows:focus-within, #rows details[open], details.menu[open], dialog[open], :popover-open");

  function fill() {
    const fresh = one("#news .fresh a");
    if (fresh && one("#rows") && untouched()) {
      window.htmx.ajax("GET", fresh.href, { target: "#rows", swap: "innerHTML" });
    }
  }

  let fetching = "fetching" in one("#every").dataset;
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.sourceElement !== form) {
      if (event.detail.ctx.request.method !== "GET") plan(SOON);
      return;
    }
    plan(seconds());
    if (fetching) fill();
    fetching = "fetching" in one("#every").dataset;
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") plan(SOON);
  });
  plan(one("#every").dataset.every < 60 ? SOON : seconds());
})();
