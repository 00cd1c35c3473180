// A story page that was in view for some seconds is seen: what joins it later is new. A page that
// is only fetched ahead, or left at once, is not. The server is told when this page was made, so
// what joined since then stays new.
(() => {
  "use strict";
  const form = document.getElementById("story-seen");
  const said = form?.querySelector(".by-itself");
  if (!said) return;
  let left = Number(form.dataset.seconds) * 1000;
  let since = 0;
  let timer = 0;

  function tell() {
    left = 0;
    const told = navigator.sendBeacon(form.dataset.seen, new URLSearchParams(new FormData(form)));
    if (told) said.textContent = "Marked seen.";
  }

  function watch() {
    if (since) left -= performance.now() - since;
    since = 0;
    clearTimeout(timer);
    if (left > 0 && document.visibilityState === "visible") {
      since = performance.now();
      timer = setTimeout(tell, left);
    }
  }

  said.hidden = false;
  document.addEventListener("visibilitychange", watch);
  watch();
})();
