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
  const count = (marks) => (marks === 1 ? "1 mark waits" : `${marks} marks wait`);

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
    like: (state) => [state.rating === 1, "unrate", "like", "Take the like back (l)", "Like: more of this (l)"],
    dislike: (state) => [state.rating === -1, "unrate", "dislike", "Take the dislike back (d)", "Dislike: less of this (d)"],
    star: (state) => [state.starred, "unstar", "star", "Remove the star (s)", "Star: keep it (s)"],
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
    read: "Marked read", unread: "Marked unread", like: "Liked", dislike: "Disliked", unrate: "Rating taken back",
    star: "Starred", unstar: "Star removed", skipped: "Passed over", "bulk read": "Marked read", undo: "Taken back",
  };

  const base = new Map(); // the state of articles as the server showed it
  let marks = []; // those that wait

  const pressed = (place, name) => one(`.mark.${name}`, place)?.getAttribute("aria-pressed") === "true";
  const placesOf = (article) => [document.getElementById(`a${article}`), one(`.tools[data-id="${article}"]`)].filter(Boolean);

  function stateOf(place) {
    const rating = pressed(place, "like") ? 1 : pressed(place, "dislike") ? -1 : 0;
    return { rating, starred: pressed(place, "star"), read: pressed(place, "read") };
  }

  function show(place, state) {
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
    place.classList.toggle("waits", marks.some((mark) => mark.articles.includes(Number(place.dataset.id))));
  }

  function showMarks() {
    const undone = new Set(marks.map((mark) => mark.of));
    const standing = marks.filter((mark) => mark.kind !== "undo" && !undone.has(mark.key));
    const touched = new Set([...base.keys(), ...marks.flatMap((mark) => mark.articles)]);
    for (const article of touched) {
      const [place, ...more] = placesOf(article);
      if (!place) continue;
      if (!base.has(article)) base.set(article, stateOf(place));
      const effects = standing.filter((mark) => mark.articles.includes(article)).map((mark) => EFFECTS[mark.kind]);
      const state = Object.assign({}, base.get(article), ...effects);
      for (const each of [place, ...more]) show(each, state);
    }
  }

  // What the server shows anew is as it says; a mark that waits still is shown on it again.
  document.addEventListener("htmx:after:swap", () => {
    base.clear();
    if (marks.length) showMarks();
  });

  let trying = 0;
  const AGAIN = 10000; // ms between two tries to send, while a page is open

  function hear(told) {
    if (!told) return;
    const before = marks.length;
    marks = told.marks ?? marks;
    showMarks();
    if (!marks.length) base.clear();
    banner();
    if (marks.length) navigator.setAppBadge?.(marks.length).catch(() => {});
    else if (before) navigator.clearAppBadge?.().catch(() => {});
    if (told.held && told.held.kind !== "opened") say(`${DONE[told.held.kind] ?? "Marked"}. It is sent when Newsloom answers.`);
    if (told.problems?.length) {
      say([told.sent ? `${told.sent} sent.` : "", ...told.problems].join(" "));
      ask({ about: "shown" });
    } else if (told.sent && before) {
      say(told.sent === 1 ? "1 mark sent." : `${told.sent} marks sent.`);
    }
    clearTimeout(trying);
    if (marks.length) trying = setTimeout(send, AGAIN);
  }

  const send = async () => hear(await ask({ about: "send" }));

  // --- a kept page ---

  let answers = !root.dataset.kept;

  function asOf(moment) {
    const today = new Date().toDateString() === moment.toDateString();
    const time = moment.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
    return today ? time : `${time} on ${moment.toLocaleDateString(undefined, { day: "numeric", month: "long" })}`;
  }

  function banner() {
    const words = [];
    if (root.dataset.kept) words.push(answers ? "Newsloom answers again." : "Offline:", `shown as of ${asOf(new Date(root.dataset.kept))}.`);
    if (marks.length) words.push(`${count(marks.length)} to be sent.`);
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
    one("a", place).textContent = !root.dataset.kept ? "" : answers ? "Show it as it is now" : "Try again";
  }

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
    if (marks.length) say(`${count(marks.length)} still to be sent. Sign out once more, and they are dropped.`);
    else form.submit();
  });

  // --- beginning ---

  workers.addEventListener("message", (event) => {
    if (event.data?.about === "waiting") hear(event.data);
  });
  window.addEventListener("online", send);

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
