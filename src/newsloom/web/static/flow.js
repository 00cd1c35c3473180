// What a reader may choose (accounts/preference_values.py): further rows come as one scrolls, and rows that
// were scrolled past are marked read. Neither happens without being chosen; both use what the page
// has already: its link to more, and a form. A row has been passed when it was in view and then left
// it at the top: what is jumped over, by the End key for example, nobody has seen.
"use strict";

(() => {
  const rows = document.getElementById("rows");
  const chosen = document.documentElement.dataset;
  if (!rows) return;

  if (chosen.more === "scroll") {
    const near = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting) entry.target.querySelector("a[hx-get]")?.click();
      }
    }, { rootMargin: "800px" });
    const watch = () => {
      const more = document.getElementById("more");
      if (more) near.observe(more);
    };
    watch();
    document.addEventListener("htmx:after:swap", watch);
  }

  const form = document.getElementById("passed");
  // On a page that is hardly longer than the screen nobody scrolls past anything on purpose.
  if (form && document.documentElement.scrollHeight > 1.5 * window.innerHeight) {
    const SECONDS = 1.5;
    const waiting = new Set();
    let timer = 0;
    const fill = () => {
      form.elements.articles.value = [...waiting].join(",");
      waiting.clear();
    };
    const send = () => {
      if (!waiting.size) return;
      fill();
      form.dispatchEvent(new Event("passed"));
    };
    const above = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const unread = target.dataset.read === "0";
        if (unread && !isIntersecting && boundingClientRect.bottom <= 0) waiting.add(target.dataset.id);
        // Who scrolls back at once has not passed it.
        if (isIntersecting) waiting.delete(target.dataset.id);
      }
      clearTimeout(timer);
      timer = setTimeout(send, 1000 * SECONDS);
    });
    const watch = () => {
      for (const row of rows.querySelectorAll(":scope > .row")) above.observe(row);
    };
    watch();
    document.addEventListener("htmx:after:swap", watch);
    window.addEventListener("pagehide", () => {
      if (!waiting.size) return;
      fill();
      navigator.sendBeacon(form.action, new URLSearchParams(new FormData(form)));
    });
  }
})();
