// What a page does with the service worker (worker.js): has it there, shows how old a kept page is,
// and shows marks that wait to be sent as if they were done. Browsers give a worker to https and to
// this machine only; without one nothing here happens.
"use strict";

(() => {
  const root = document.documentElement;
  const ROOT = root.dataset.root || "";
  const workers = navigator.serviceWorker;
  if (!workers || !window.isSecureContext) return;

  const one = (selector, from = document) => from.querySelector(selector);
  const say = (words) => document.dispatchEvent(new CustomEvent("newsloom:say", { detail: words }));
  const count = (marks) => (marks === 1 ? "1 unsent change" : `${marks} unsent changes`);

  const place = `${ROOT}/worker.js`;
  const own = (url) => {
    if (url !== place) throw new Error("no other script");
    return url;
  };
  const policy = window.trustedTypes?.createPolicy("newsloom-worker", { createScriptURL: own }) ?? { createScriptURL: own };

  // The answer to a question; nothing where the worker is gone.
  function ask(question) {
    return new Promise((done) => {
      const worker = workers.controller;
      if (!worker) return done(null);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = (event) => done(event.data);
      worker.postMessage(question, [port2]);
    });
  }

  // --- marks that wait ---

  const BUTTONS = {
    like: (state) => [state.rating === 1, "unrate", "like", "Remove like (l)", "Like (l)"],
    dislike: (state) => [state.rating === -1, "unrate", "dislike", "Remove dislike (d)", "Dislike (d)"],
    star: (state) => [state.starred, "unstar", "star", "Remove star (s)", "Star (s)"],
    read: (state) => [state.read, "unread", "read", "Mark unread (m)", "Mark read (m)"],
  };
  const EFFECTS = {
    read: { read: true },
    opened: { read: true },
    "bulk read": { read: true },
    skipped: { read: true },
    unread: { read: false },
    like: { rating: 1, read: true },
    dislike: { rating: -1, read: true },
    unrate: { rating: 0 },
    star: { starred: true },
    unstar: { starred: false },
  };
  const DONE = {
    read: "Marked read", unread: "Marked unread", like: "Liked", dislike: "Disliked", unrate: "Rating removed",
    star: "Starred", unstar: "Star removed", skipped: "Skipped", "bulk read": "Marked read", undo: "Undone",
  };

  let base = new WeakMap(); // the state of an article as the server showed it, by its first button
  let marks = []; // those that wait

  const pressed = (place, name) => one(`.mark.${name}`, place)?.getAttribute("aria-pressed") === "true";

  function stateOf(place) {
    const rating = pressed(place, "like") ? 1 : pressed(place, "dislike") ? -1 : 0;
    return { rating, starred: pressed(place, "star"), read: pressed(place, "read") };
  }

  function show(place, state, waits) {
    for (const [name, look] of Object.entries(BUTTONS)) {
      const button = one(`.mark.${name}`, place);
      if (!button) continue;
      const [is, back, forth, titleBack, titleForth] = look(state);
      button.value = is ? back : forth;
      button.setAttribute("aria-pressed", String(is));
      button.title = is ? titleBack : titleForth;
    }
    if (!place.matches(".row")) return;
    place.dataset.read = state.read ? "1" : "0";
    place.dataset.starred = state.starred ? "1" : "0";
    place.classList.toggle("is-read", state.read);
    place.classList.toggle("waits", waits);
  }

  // Those that are not taken back while they wait.
  function standing() {
    const undone = new Set(marks.map((mark) => mark.of));
    return marks.filter((mark) => mark.kind !== "undo" && !undone.has(mark.key));
  }

  function showMarks() {
    const waiting = standing();
    for (const place of document.querySelectorAll("#rows > .row, .tools[data-id]")) {
      const mine = waiting.filter((mark) => mark.articles.includes(Number(place.dataset.id)));
      if (mine.length) place.dispatchEvent(new CustomEvent("newsloom:dress"));
      const button = one(".mark.like", place);
      if (!button || !(mine.length || base.has(button))) continue;
      if (!base.has(button)) base.set(button, stateOf(place));
      const state = Object.assign({}, base.get(button), ...mine.map((mark) => EFFECTS[mark.kind]));
      show(place, state, mine.length > 0);
    }
  }

  // What the server shows anew is as it says; a mark that waits still is shown on it again.
  document.addEventListener("htmx:after:swap", () => { if (marks.length) showMarks(); });

  // What was sent is shown as the server has it now, which may differ from what was wanted.
  function showSent(sent) {
    base = new WeakMap();
    const at = document.getElementById("pulse-at")?.value ?? "";
    for (const article of new Set(sent.flatMap((mark) => mark.articles).slice(0, 50))) {
      const row = document.getElementById(`a${article}`);
      const address = `${ROOT}/articles/${article}/row?at=${encodeURIComponent(at)}`;
      if (row?.matches("#rows > .row")) window.htmx.ajax("GET", address, { target: row, swap: "outerHTML" });
    }
  }

  let trying = 0;
  const AGAIN = 10000; // ms between two tries to send, while a page is open

  function hear(told) {
    if (!told) return;
    const before = marks;
    marks = told.marks ?? marks;
    const gone = before.filter((mark) => !marks.some((other) => other.key === mark.key));
    if (gone.length && !told.held) showSent(gone);
    else showMarks();
    banner();
    if (marks.length) navigator.setAppBadge?.(standing().length).catch(() => {});
    else if (before.length) navigator.clearAppBadge?.().catch(() => {});
    if (told.held && told.held.kind !== "opened") {
      say(`${DONE[told.held.kind] ?? "Marked"}.${told.held.kind === "undo" ? "" : " Saved here until you are online."}`);
    }
    if (told.problems?.length) {
      say([told.sent ? `${told.sent} sent.` : "", ...told.problems].join(" "));
      ask({ about: "shown" });
    } else if (told.sent && before.length) {
      say(told.sent === 1 ? "1 change sent." : `${told.sent} changes sent.`);
    }
    clearTimeout(trying);
    if (marks.length) trying = setTimeout(send, AGAIN);
  }

  async function send() {
    clearTimeout(trying);
    await ask({ about: "send" }); // what came of it is told to all pages
    if (marks.length) trying = setTimeout(send, AGAIN);
  }

  // --- a kept page ---

  let answers = !root.dataset.kept;

  function asOf(moment) {
    const today = new Date().toDateString() === moment.toDateString();
    const time = moment.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
    return today ? time : `${time} on ${moment.toLocaleDateString(undefined, { day: "numeric", month: "long" })}`;
  }

  function banner() {
    const words = [];
    if (root.dataset.kept) words.push(answers ? "Back online." : "Offline.", `Saved copy from ${asOf(new Date(root.dataset.kept))}.`);
    if (standing().length) words.push(`${count(standing().length)}.`);
    let place = document.getElementById("offline");
    if (!words.length) return place?.remove();
    if (!place) {
      place = document.createElement("p");
      place.id = "offline";
      place.className = "banner offline";
      place.setAttribute("role", "status");
      place.append(document.createElement("span"));
      const link = document.createElement("a");
      link.href = location.href;
      place.append(" ", link);
      one("#main").prepend(place);
    }
    one("span", place).textContent = words.join(" ");
    one("a", place).textContent = !root.dataset.kept ? "" : answers ? "Reload" : "Try again";
  }

  // A kept article may have been fetched for another list than the one it was opened from, which
  // its address names.
  function backToItsList() {
    const back = document.getElementById("back");
    const at = new URLSearchParams(location.search).get("at");
    if (!root.dataset.kept || !back || at === null) return;
    const list = new URLSearchParams(at);
    const path = list.get("page") === "search" ? "search" : "";
    list.delete("page");
    back.href = `${ROOT}/${path}?${list}${new URL(back.href).hash}`;
  }
  backToItsList();

  document.addEventListener("click", (event) => {
    if (!event.target.closest("#offline a")) return;
    event.preventDefault();
    location.reload();
  });
  document.addEventListener("newsloom:answers", () => {
    answers = true;
    if (root.dataset.kept) banner();
    if (marks.length) send();
  });

  // --- signing out drops what waits, so it is sent before ---

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const leaving = new URL(form.action).pathname === `${ROOT}/sign-out`;
    if (!leaving || !marks.length || form.dataset.sure) return;
    event.preventDefault();
    await send();
    form.dataset.sure = "yes";
    if (marks.length) say(`${count(standing().length)} left. Sign out again to discard.`);
    else form.submit();
  });

  // --- beginning ---

  workers.addEventListener("message", (event) => {
    if (event.data?.about === "waiting") hear(event.data);
  });
  window.addEventListener("online", send);
  // A page that the browser kept while it was left may show marks that were sent meanwhile.
  window.addEventListener("pageshow", (event) => { if (event.persisted && marks.length) send(); });

  async function begin() {
    const seen = Boolean(workers.controller);
    await workers.register(policy.createScriptURL(place), { scope: `${ROOT}/`, updateViaCache: "none" });
    await workers.ready;
    if (!workers.controller) await new Promise((done) => { workers.addEventListener("controllerchange", done, { once: true }); });
    hear(await ask({ about: "hello", href: location.href, seen }));
    root.dataset.worker = "yes";
    if (marks.length && answers) send();
  }

  banner();
  window.addEventListener("load", () => { begin().catch(() => { root.dataset.worker = "no"; }); });
})();
