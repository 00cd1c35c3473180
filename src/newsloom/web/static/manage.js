// The page of feeds: rows found as one types, chosen together, and put in order by drag and by keys.
// Without this file the same forms and links do all of it. Nothing here builds HTML out of text.
"use strict";

(() => {
  const ROOT = document.documentElement.dataset.root || "";
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const say = (words) => document.dispatchEvent(new CustomEvent("newsloom:say", { detail: words }));

  const form = document.getElementById("bulk");
  const rows = () => all("table.feeds tbody tr[id]");
  const boxOf = (row) => one("input[type=checkbox]", row);
  const nameOf = (item) => one("a bdi", item).textContent;

  // --- found as one types ---

  const seek = document.getElementById("seek");

  function find() {
    const words = seek.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const body of all("table.feeds tbody")) {
      const category = (body.dataset.category || "").toLowerCase();
      let shown = 0;
      for (const row of all("tr[id]", body)) {
        const text = `${row.textContent.toLowerCase()} ${category}`;
        row.hidden = !words.every((word) => text.includes(word));
        if (row.hidden) boxOf(row).checked = false; // nothing is done to what is not seen
        else shown += 1;
      }
      const heading = one("tr.of", body);
      if (heading) heading.hidden = !shown;
    }
    count();
  }

  // --- chosen together ---

  let last = null; // the row chosen last, from which Shift goes

  function count() {
    const chosen = rows().filter((row) => boxOf(row).checked).length;
    const shown = rows().filter((row) => !row.hidden).length;
    one("#chosen-count").textContent = chosen ? `${chosen.toLocaleString("en")} selected` : `${shown.toLocaleString("en")} shown`;
    one("#choose-all").textContent = chosen && chosen === shown ? "Select none" : "Select all";
  }

  function chooseTo(row, checked) {
    const seen = rows().filter((each) => !each.hidden);
    const [from, to] = [seen.indexOf(last), seen.indexOf(row)].sort((a, b) => a - b);
    if (from < 0) return;
    for (const each of seen.slice(from, to + 1)) boxOf(each).checked = checked;
  }

  if (form) {
    seek.addEventListener("input", find);
    if (one("#chosen-count")) count();
    form.addEventListener("click", (event) => {
      const box = event.target.closest("tbody input[type=checkbox]");
      if (!box) return;
      const row = box.closest("tr");
      if (event.shiftKey && last) chooseTo(row, box.checked);
      last = row;
      count();
    });
    one("#choose-all").addEventListener("click", (event) => {
      event.preventDefault();
      const seen = rows().filter((row) => !row.hidden);
      const checked = !seen.every((row) => boxOf(row).checked);
      for (const row of seen) boxOf(row).checked = checked;
      count();
    });
    form.addEventListener("submit", (event) => {
      if (rows().some((row) => boxOf(row).checked)) return;
      event.preventDefault();
      say("Select feeds first.");
    });
  }

  // --- order ---

  // What is put in order: feeds among the rows of all categories, and categories among themselves.
  const LISTS = [
    {
      items: () => (one("#keys-of-order[data-can]") && !seek.value ? rows() : []),
      holder: (item) => boxOf(item).parentNode,
      group: (item) => item.closest("tbody"),
      send: (item) => {
        const next = item.nextElementSibling;
        return [`${ROOT}/feeds/order`, {
          feed: boxOf(item).value,
          category: item.closest("tbody").dataset.category,
          before: next ? boxOf(next).value : "",
        }];
      },
      where: (item) => {
        const list = all("tr[id]", item.closest("tbody"));
        const category = item.closest("tbody").dataset.category;
        return `${list.indexOf(item) + 1} of ${list.length}${category ? ` in ${category}` : ""}`;
      },
    },
    {
      items: () => all(".shelves li[data-category]"),
      holder: (item) => item,
      group: (item) => item.parentNode,
      send: (item) => [`${ROOT}/categories/order`, {
        name: item.dataset.category,
        before: item.nextElementSibling?.dataset.category || "",
      }],
      where: (item) => {
        const list = all("li[data-category]", item.parentNode);
        return `${list.indexOf(item) + 1} of ${list.length}`;
      },
    },
  ];

  // One after the other, in the order in which they were moved.
  let sent = Promise.resolve();

  function keep(list, item) {
    const [address, values] = list.send(item);
    say(`${nameOf(item)}: ${list.where(item)}`);
    sent = sent.then(async () => {
      const answer = await fetch(address, {
        method: "POST",
        headers: { "hx-request": "true" },
        body: new URLSearchParams(values),
      });
      if (!answer.ok) throw new Error(answer.statusText);
    }).catch(() => say("Not saved. Reload the page."));
  }

  // At the edge of its category a feed goes on into the next one.
  function step(list, item, by) {
    const near = by < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (near && list.items().includes(near)) {
      by < 0 ? near.before(item) : near.after(item);
    } else if (item.matches("tr")) {
      const bodies = all("table.feeds tbody");
      const there = bodies[bodies.indexOf(item.closest("tbody")) + by];
      if (!there) return;
      by < 0 ? there.append(item) : one("tr.of", there).after(item);
    } else return;
    keep(list, item);
  }

  const listOf = (item) => LISTS.find((list) => list.items().includes(item));
  const itemOf = (target) => target.closest("table.feeds tbody tr[id], .shelves li[data-category]");

  document.addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    const item = itemOf(event.target);
    const list = item && listOf(item);
    if (!list) return;
    event.preventDefault();
    const focused = document.activeElement;
    step(list, item, event.key === "ArrowUp" ? -1 : 1);
    focused.focus();
    item.scrollIntoView({ block: "nearest" });
  });

  // --- drag: by pointer events, which a mouse, a pen and a finger all send ---

  let drag = null; // { list, item, target, after }

  function mark(target, after) {
    for (const each of all(".drop-here, .drop-after")) each.classList.remove("drop-here", "drop-after");
    target?.classList.add(after ? "drop-after" : "drop-here");
  }

  function begin(list, item, event) {
    if (event.button !== 0) return;
    event.preventDefault();
    drag = { list, item, target: null, after: false };
    item.classList.add("dragged");
    event.target.setPointerCapture(event.pointerId);
  }

  function move(event) {
    if (!drag) return;
    const edge = 48; // pixels from the edge of the window at which it scrolls
    if (event.clientY < edge) window.scrollBy(0, -12);
    if (event.clientY > innerHeight - edge) window.scrollBy(0, 12);
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const row = under && itemOf(under);
    const heading = under?.closest("table.feeds tr.of");
    const of_feeds = drag.item.matches("tr");
    drag.target = row && row !== drag.item && row.matches("tr") === of_feeds ? row : null;
    if (drag.target) {
      const box = drag.target.getBoundingClientRect();
      drag.after = event.clientY > box.top + box.height / 2;
    } else if (heading && of_feeds) {
      drag.target = heading;
      drag.after = true;
    }
    mark(drag.target, drag.after);
  }

  function end(event) {
    if (!drag) return;
    const { list, item, target, after } = drag;
    drag = null;
    item.classList.remove("dragged");
    mark(null);
    if (!target || event.type === "pointercancel") return;
    after ? target.after(item) : target.before(item);
    keep(list, item);
  }

  // A handle at each, made when a list can be put in order.
  for (const list of LISTS) {
    for (const item of list.items()) {
      const grip = document.createElement("span");
      grip.className = "grip";
      grip.textContent = "⠿";
      grip.setAttribute("aria-hidden", "true");
      grip.addEventListener("pointerdown", (event) => begin(list, item, event));
      grip.addEventListener("pointermove", move);
      grip.addEventListener("pointerup", end);
      grip.addEventListener("pointercancel", end);
      list.holder(item).prepend(grip);
    }
  }
  if (one("#keys-of-order[data-can]")) one("#keys-of-order").hidden = false;
  document.documentElement.dataset.managed = "1";
})();
