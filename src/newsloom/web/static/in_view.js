// An open article was read to its end when the end has come into view and the article was in view for
// as long as reading takes; the server says whether that was too long to be reading.
"use strict";

(() => {
  const ROOT = document.documentElement.dataset.root || "";
  let tools = null; // of the article that is open
  let inView = 0; // milliseconds, up to the last time it went out of view
  let shownAt = 0; // when it came into view; 0: it is not
  let ended = false; // its end was in view
  let told = false;
  let waiting = 0;

  const end = new IntersectionObserver((seen) => {
    ended ||= seen.some((one) => one.isIntersecting);
    check();
  });

  function check() {
    clearTimeout(waiting);
    const needed = Number(tools?.dataset.needed);
    if (!needed || told || !ended || !shownAt) return;
    const seconds = Math.floor((inView + performance.now() - shownAt) / 1000);
    if (seconds < needed) {
      waiting = setTimeout(check, 1000 * (needed - seconds));
      return;
    }
    told = true;
    navigator.sendBeacon(`${ROOT}/articles/${tools.dataset.id}/finished`, new URLSearchParams({ seconds }));
  }

  function comeIntoView() {
    if (tools && !shownAt && document.visibilityState === "visible") shownAt = performance.now();
    check();
  }

  function goOutOfView() {
    if (shownAt) inView += performance.now() - shownAt;
    shownAt = 0;
  }

  function watch(next) {
    goOutOfView();
    [tools, inView, ended, told] = [next, 0, false, false];
    end.disconnect();
    const foot = tools && document.querySelector("#text > footer");
    if (foot) end.observe(foot);
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
