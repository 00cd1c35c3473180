// How long an open article has been in view is told once, as it is left; the server says whether
// that was long enough to have read it.
"use strict";

(() => {
  const ROOT = document.documentElement.dataset.root || "";
  let tools = null; // of the article that is open
  let inView = 0; // milliseconds, up to the last time it went out of view
  let shownAt = 0; // when it came into view; 0: it is not
  let told = false;

  function comeIntoView() {
    if (tools && !shownAt && document.visibilityState === "visible") shownAt = performance.now();
  }

  function goOutOfView() {
    if (!tools) return;
    if (shownAt) inView += performance.now() - shownAt;
    shownAt = 0;
    const seconds = Math.floor(inView / 1000);
    const needed = Number(tools.dataset.needed || Infinity);
    if (told || seconds < needed) return;
    told = true;
    navigator.sendBeacon(`${ROOT}/articles/${tools.dataset.id}/finished`, new URLSearchParams({ seconds }));
  }

  function watch(next) {
    goOutOfView();
    [tools, inView, told] = [next, 0, false];
    comeIntoView();
  }

  watch(document.querySelector(".tools"));
  document.addEventListener("newsloom:article", (event) => watch(event.detail)); // beside a list
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") comeIntoView();
    else goOutOfView();
  });
  window.addEventListener("pagehide", goOutOfView);
  window.addEventListener("pageshow", comeIntoView);
})();
