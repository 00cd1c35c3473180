// The page that is shown where nothing else is kept: lists what is (see worker.js).
"use strict";

(() => {
  const { port1, port2 } = new MessageChannel();

  function entry(one) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const at = document.createElement("time");
    link.href = one.url;
    link.textContent = one.title || one.url;
    at.dateTime = new Date(one.at).toISOString();
    at.textContent = new Date(one.at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    item.append(link, " ", at);
    return item;
  }

  port1.onmessage = ({ data }) => {
    const mine = data.reader ? data.kept.filter((one) => one.reader === data.reader) : [];
    mine.sort((one, other) => other.at - one.at);
    for (const kind of ["list", "article"]) {
      const found = mine.filter((one) => one.kind === kind).map(entry);
      if (found.length) document.getElementById(`${kind}s`).replaceChildren(...found);
    }
    const waiting = document.getElementById("waiting");
    waiting.hidden = !data.marks;
    waiting.textContent = data.marks === 1 ? "1 unsent change." : `${data.marks} unsent changes.`;
  };
  navigator.serviceWorker?.controller?.postMessage({ about: "kept" }, [port2]);

  // Here in place of another page: try that one again.
  document.getElementById("again").href = location.href;
})();
