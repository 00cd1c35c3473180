// Copies an article's address, and hands it to the system's own way of sharing where there is one.
(() => {
  "use strict";

  function ready(ways) {
    const { url, title } = ways.dataset;
    const copy = ways.querySelector(".copy");
    const system = ways.querySelector(".system");
    const said = ways.querySelector(".copied");
    if (!url || copy.dataset.ready) return;
    copy.dataset.ready = "1";
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(url);
        said.textContent = "Copied.";
      } catch {
        // Over plain http there is no clipboard: the address is chosen, and one key copies it.
        ways.querySelector(".address").select();
        said.textContent = "Selected. Press Ctrl+C or ⌘C to copy.";
      }
    });
    const given = { title, url };
    system.hidden = !navigator.canShare?.(given);
    system.addEventListener("click", () => navigator.share(given).catch(() => {}));
  }

  const all = () => document.querySelectorAll(".ways-to-share").forEach(ready);
  new MutationObserver(all).observe(document.body, { childList: true, subtree: true });
  all();
})();
