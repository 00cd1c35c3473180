// Hears at once that something changed (see live.py), and lets pulse.js ask what. One connection for
// a page in view and none for the others: a browser has six for all pages of a server. Where it
// cannot be had, pulse.js goes on asking from time to time.
"use strict";

(() => {
  const root = document.documentElement;
  let source = null;

  const tell = (name) => document.dispatchEvent(new CustomEvent(`newsloom:${name}`));

  function end() {
    source?.close();
    source = null;
    delete root.dataset.live;
  }

  function begin() {
    if (source || document.visibilityState !== "visible" || !window.EventSource) return;
    source = new EventSource(`${root.dataset.root || ""}/events`);
    source.onopen = () => {
      root.dataset.live = "yes";
      tell("answers");
    };
    source.addEventListener("news", () => tell("news"));
    // It tries again by itself, unless it was told not to.
    source.onerror = () => { delete root.dataset.live; };
  }

  document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? begin() : end()));
  window.addEventListener("pagehide", end); // with a connection open, no page is kept to come back to
  window.addEventListener("pageshow", () => setTimeout(begin)); // after the page has loaded
})();
