// The feeds in the sidebar. The browser keeps them for all pages; what is unread in each and which
// list is shown stands in each page. Nothing here builds HTML.
"use strict";

(() => {
  const tree = document.getElementById("tree");
  const counted = () => document.getElementById("feed-counts").dataset.counts;
  let shown = null; // the counts that are

  // Each leads to the list that is shown (its order, its filters), of that feed or category alone.
  function lead() {
    const list = new URL(tree.dataset.list, location.origin);
    for (const kind of ["feed", "category"]) {
      for (const link of tree.querySelectorAll(`a[data-${kind}]`)) {
        const url = new URL(list);
        url.searchParams.set(kind, link.dataset[kind]);
        link.href = url.pathname + url.search;
      }
    }
    const feed = tree.querySelector(`a[data-feed="${tree.dataset.feed}"]`);
    const own = [...tree.querySelectorAll("a[data-category]")].find((one) => one.dataset.category === tree.dataset.category);
    (feed || own)?.setAttribute("aria-current", "page");
    const category = (feed || own)?.closest(".category");
    if (category) category.querySelector("details").open = true;
    if (feed) feed.scrollIntoView({ block: "nearest" });
  }

  function show(link, count) {
    if (count) link.dataset.count = count.toLocaleString("en");
    else delete link.dataset.count;
  }

  function count() {
    shown = counted();
    const counts = new Map(shown.split(" ").map((one) => one.split(":")).map(([feed, unread]) => [feed, Number(unread)]));
    for (const link of tree.querySelectorAll("a[data-feed]")) show(link, counts.get(link.dataset.feed));
    for (const category of tree.querySelectorAll(".category")) {
      const feeds = [...category.querySelectorAll("a[data-feed]")];
      show(category.querySelector("a"), feeds.reduce((sum, feed) => sum + (counts.get(feed.dataset.feed) || 0), 0));
    }
  }

  document.addEventListener("htmx:after:swap", (event) => {
    const came = event.detail.ctx.sourceElement?.id === "tree-feeds";
    if (came) lead();
    if (came || shown !== counted()) count();
  });

  // Feeds whose names contain the words, with the categories that hold them.
  function filter(words) {
    for (const feed of tree.querySelectorAll("a[data-feed]")) {
      feed.hidden = !feed.textContent.toLowerCase().includes(words);
    }
    for (const category of tree.querySelectorAll(".category")) {
      const named = category.querySelector("a").textContent.toLowerCase().includes(words);
      if (named) for (const feed of category.querySelectorAll("a[data-feed]")) feed.hidden = false;
      category.hidden = !category.querySelector("a[data-feed]:not([hidden])");
      category.classList.toggle("filtered", Boolean(words));
    }
  }
  document.addEventListener("input", (event) => {
    if (event.target.matches(".filter-feeds")) filter(event.target.value.trim().toLowerCase());
  });
})();
