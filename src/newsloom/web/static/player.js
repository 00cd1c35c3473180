// The player of a brief: the transcript follows the voice, and where one stopped is kept. Without
// it the browser's own controls play the sound, and the transcript is read. Nothing here builds
// HTML, and no place of its own is needed: what it marks are the forms of the list of sources.
"use strict";

(() => {
  const player = document.getElementById("player");
  const audio = document.getElementById("sound");
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const ROOT = document.documentElement.dataset.root || "";
  const SKIP = 15; // seconds
  const SAVED_EVERY = 15; // seconds of listening
  const AT_START = 3; // seconds of a chapter after which "back" leads to its start
  const length = Number(player.dataset.seconds);

  const sentences = all(".sentence[data-begin]").map((element) => ({
    element,
    words: one(".spoken", element),
    begin: Number(element.dataset.begin),
    chapter: Number(element.dataset.chapter),
    article: element.dataset.article || "",
  }));
  const chapters = all(".chapters a[data-begin]").map((link) => ({
    link,
    title: one("bdi", link).textContent,
    begin: Number(link.dataset.begin),
    number: Number(link.hash.replace("#chapter-", "")),
  }));
  const lastBefore = (list, time) => list.findLastIndex((each) => each.begin <= time + 0.05);

  const clock = (seconds) => {
    const whole = Math.max(0, Math.floor(seconds));
    const two = (number) => String(number).padStart(2, "0");
    const minutes = Math.floor(whole / 60);
    return minutes < 60 ? `${minutes}:${two(whole % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
  };

  // --- where it is ---

  // Asked for before the browser knows the sound; it is there once it does.
  let wanted = Number(player.dataset.beginAt);
  const time = () => (audio.readyState ? audio.currentTime : wanted);

  function seek(seconds) {
    wanted = Math.min(Math.max(seconds, 0), length - 0.05);
    if (audio.readyState) audio.currentTime = wanted;
    show();
  }
  const skip = (by) => seek(time() + by);
  function play() {
    audio.play().catch((error) => { if (error.name !== "AbortError") trouble(); });
  }
  const toggle = () => (audio.paused ? play() : audio.pause());
  function playFrom(seconds) {
    seek(seconds);
    following = true;
    play();
  }

  function step(by) {
    const at = lastBefore(sentences, time());
    const next = sentences[Math.min(Math.max(at + by, 0), sentences.length - 1)];
    if (!next) return;
    following = true;
    seek(next.begin);
  }

  function stepChapter(by) {
    const at = lastBefore(chapters, time());
    const again = by < 0 && at >= 0 && time() - chapters[at].begin > AT_START;
    const next = chapters[again ? at : at + by];
    following = true;
    if (next) seek(next.begin);
    else if (by < 0) seek(0);
  }

  // --- what is shown of it ---

  const course = one(".place", player);
  const playButton = one("[data-do=play]", player);
  let current = -1;
  let chapter = -1;
  let second = -1;
  let dragging = false;

  function show() {
    const now = time();
    if (!dragging) draw(now);
    const said = lastBefore(sentences, now);
    if (said !== current) enter(said);
    const at = lastBefore(chapters, now);
    if (at !== chapter) enterChapter(at);
  }

  function draw(now) {
    course.value = now;
    course.style.setProperty("--at", `${(100 * now) / length}%`);
    if (Math.floor(now) === second) return;
    second = Math.floor(now);
    one(".elapsed", player).textContent = clock(now);
    course.setAttribute("aria-valuetext", `${clock(now)} of ${clock(length)}`);
    showPosition(now);
  }

  function enter(at) {
    const before = sentences[current];
    before?.element.classList.remove("current");
    before?.element.removeAttribute("aria-current");
    before?.words.setAttribute("tabindex", "-1");
    current = at;
    const here = sentences[at];
    (here ?? sentences[0])?.words.setAttribute("tabindex", "0");
    if (!here) return;
    here.element.classList.add("current");
    here.element.setAttribute("aria-current", "true");
    showArticle(here.article);
    follow();
  }

  function enterChapter(at) {
    chapters[chapter]?.link.removeAttribute("aria-current");
    chapter = at;
    const here = chapters[at];
    here?.link.setAttribute("aria-current", "true");
    one(".now-chapter", player).textContent = here?.title ?? "";
    showMetadata();
  }

  // --- the article that is told of, and its marks ---

  let article = "";
  const formOf = () => one(`#source-${article} form`);

  function showArticle(id) {
    article = id;
    const title = id ? one(`#source-${id} .title`) : null;
    const link = one(".now-article", player);
    link.hidden = !title;
    if (title) {
      one("bdi", link).textContent = title.textContent;
      link.href = title.href;
    }
    showMarks();
  }

  function showMarks() {
    const form = article ? formOf() : null;
    one(".now-marks", player).classList.toggle("none", !form);
    for (const button of all(".now-marks [data-mark]", player)) {
      const real = form ? one(`.mark.${button.dataset.mark}`, form) : null;
      button.disabled = !real;
      button.setAttribute("aria-pressed", real?.getAttribute("aria-pressed") ?? "false");
    }
  }

  // A form that htmx has not read yet would send itself and leave the page.
  function mark(kind, form = formOf(), patience = 100) {
    const button = form && one(`.mark.${kind}`, form);
    if (!button) return;
    if (form.hasAttribute("data-htmx-powered") || !patience) button.click();
    else setTimeout(() => mark(kind, form, patience - 1), 20);
  }
  document.addEventListener("htmx:after:swap", showMarks);

  // --- the transcript follows, unless the reader looks elsewhere ---

  const backToVoice = one(".back-to-voice", player);
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const SCROLLING = 900; // ms that a scroll of ours takes at most
  let following = true;
  let scrolledUntil = 0;

  function inView(element) {
    const box = element.getBoundingClientRect();
    return box.top < player.getBoundingClientRect().top - 8 && box.bottom > 56;
  }

  function follow() {
    const here = sentences[current];
    backToVoice.hidden = following || !here || inView(here.element);
    if (!following || !here) return;
    scrolledUntil = performance.now() + SCROLLING;
    here.element.scrollIntoView({ block: "center", behavior: still.matches ? "instant" : "smooth" });
  }

  const byHand = () => { scrolledUntil = 0; };
  for (const kind of ["wheel", "touchmove"]) document.addEventListener(kind, byHand, { passive: true });
  document.addEventListener("scroll", () => {
    if (performance.now() < scrolledUntil || current < 0) return;
    following = inView(sentences[current].element);
    backToVoice.hidden = following;
  }, { passive: true });
  backToVoice.addEventListener("click", () => {
    following = true;
    follow();
    sentences[current]?.words.focus({ preventScroll: true });
  });

  // --- speed and sleep ---

  const speed = one(".speed select", player);
  const sleep = one(".sleep select", player);
  const SPEED = `newsloom-speed ${document.documentElement.dataset.reader}`; // of a reader, on this device
  let asleepAt = 0; // a moment
  let asleepAfter = null; // a chapter

  function setSpeed(value) {
    speed.value = value;
    audio.defaultPlaybackRate = audio.playbackRate = Number(speed.value);
    try { localStorage.setItem(SPEED, speed.value); } catch { /* not allowed: it is as usual next time */ }
    showPosition(time());
  }
  function nextSpeed(by) {
    const next = speed.options[speed.selectedIndex + by];
    if (!next) return;
    setSpeed(next.value);
    document.dispatchEvent(new CustomEvent("newsloom:say", { detail: `Speed ${next.textContent}` }));
  }
  speed.addEventListener("change", () => setSpeed(speed.value));

  function setSleep(value) {
    sleep.value = value;
    asleepAt = Number(value) ? Date.now() + Number(value) * 60e3 : 0;
    asleepAfter = value === "chapter" ? chapter : null;
    showSleep();
  }
  function showSleep() {
    const minutes = Math.ceil((asleepAt - Date.now()) / 60e3);
    one(".sleeps", player).textContent = asleepAfter !== null ? "end" : asleepAt ? `${Math.max(minutes, 0)} m` : "";
    sleep.parentElement.classList.toggle("on", Boolean(sleep.value));
  }
  function sleepIfDue() {
    if (asleepAt) showSleep();
    const at = lastBefore(chapters, time());
    const moved = asleepAfter !== null && at !== asleepAfter;
    if (!moved && !(asleepAt && Date.now() >= asleepAt)) return;
    setSleep("");
    audio.pause();
    // lastBefore is early by some milliseconds: go on with the chapter, not with the end of the last.
    if (moved && time() < chapters[at]?.begin) audio.currentTime = chapters[at].begin;
  }
  sleep.addEventListener("change", () => setSleep(sleep.value));

  // --- where one stopped, on whatever device ---

  let saved = time();
  function save() {
    if (!audio.readyState || Math.abs(time() - saved) < 0.5) return;
    const place = saved = audio.ended ? length : time();
    const body = new URLSearchParams({ seconds: place.toFixed(2) });
    // What does not arrive is told again with the next.
    fetch(player.dataset.seen, { method: "POST", body, keepalive: true }).catch(() => { saved = -1; });
  }

  // Heard on another device meanwhile: that is the later place.
  async function catchUp() {
    if (document.visibilityState !== "visible" || !audio.paused || Math.abs(time() - saved) > 0.5) return;
    const answer = await fetch(player.dataset.seen).catch(() => null);
    if (!answer?.ok || !audio.paused) return;
    const { seconds } = await answer.json();
    if (Math.abs(seconds - saved) < 1 || seconds >= length - 1) return;
    saved = seconds;
    seek(seconds);
  }
  document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? catchUp() : save()));
  window.addEventListener("pagehide", save);

  // --- the sound ---

  function trouble() {
    const words = one(".trouble", player);
    words.textContent = navigator.onLine === false ? "You are offline and the audio is not saved here." : "The audio cannot be played. It may have been deleted.";
    words.hidden = false;
  }

  function frame() {
    show();
    if (!audio.paused) requestAnimationFrame(frame);
  }

  const HEARD = {
    loadedmetadata: () => { if (wanted) audio.currentTime = wanted; show(); },
    play: () => {
      if (audio.ended) seek(0);
      one(".trouble", player).hidden = true;
      requestAnimationFrame(frame);
    },
    timeupdate: () => {
      show();
      if (audio.paused) return;
      sleepIfDue();
      if (Math.abs(time() - saved) >= SAVED_EVERY) save();
    },
    seeked: () => { show(); if (audio.paused) save(); },
    pause: save,
    ended: save,
    error: trouble,
  };
  for (const [kind, act] of Object.entries(HEARD)) audio.addEventListener(kind, act);
  for (const kind of ["play", "pause", "ended"]) {
    audio.addEventListener(kind, () => {
      player.classList.toggle("playing", !audio.paused);
      playButton.setAttribute("aria-label", audio.paused ? "Play" : "Pause");
      if (navigator.mediaSession) navigator.mediaSession.playbackState = audio.paused ? "paused" : "playing";
    });
  }

  // --- the system's own controls ---

  const picture = new URL(ROOT + player.dataset.picture, location.href).href;
  const session = navigator.mediaSession;

  function showMetadata() {
    if (!session || !window.MediaMetadata) return;
    const artwork = [{ src: picture, sizes: "512x512", type: "image/png" }];
    session.metadata = new MediaMetadata({
      title: chapters[chapter]?.title || player.dataset.title,
      artist: "Newsloom",
      album: player.dataset.title,
      artwork,
      chapterInfo: chapters.map((each) => ({ title: each.title, startTime: each.begin, artwork })),
    });
  }

  function showPosition(now) {
    session?.setPositionState?.({ duration: length, playbackRate: audio.playbackRate || 1, position: Math.min(now, length) });
  }

  const ASKED = {
    play,
    pause: () => audio.pause(),
    stop: () => audio.pause(),
    seekbackward: (asked) => skip(-(asked.seekOffset || SKIP)),
    seekforward: (asked) => skip(asked.seekOffset || SKIP),
    seekto: (asked) => seek(asked.seekTime),
    previoustrack: () => stepChapter(-1),
    nexttrack: () => stepChapter(1),
  };
  for (const [name, act] of Object.entries(ASKED)) {
    try { session?.setActionHandler(name, act); } catch { /* not known to this browser */ }
  }

  // --- hands and keys ---

  const DONE = {
    play: toggle,
    rewind: () => skip(-SKIP),
    forward: () => skip(SKIP),
    "chapter-before": () => stepChapter(-1),
    "chapter-after": () => stepChapter(1),
    // By the names of accounts/key_values.py; newsloom.js says which key was pressed.
    next: () => step(1),
    previous: () => step(-1),
    "next-chapter": () => stepChapter(1),
    "previous-chapter": () => stepChapter(-1),
    slower: () => nextSpeed(-1),
    faster: () => nextSpeed(1),
    open: () => { if (article) one(".now-article", player).click(); },
    original: () => { if (article) one(`#source-${article} a[target]`)?.click(); },
    sources: () => one("summary", sentences[current]?.element ?? player)?.click(),
    ...Object.fromEntries(["like", "dislike", "star", "later", "read"].map((kind) => [kind, () => mark(kind)])),
  };
  document.addEventListener("newsloom:player", (event) => DONE[event.detail]?.());

  const plain = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

  player.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do], [data-mark]");
    if (button?.dataset.mark) mark(button.dataset.mark);
    else if (button) DONE[button.dataset.do]();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || !plain(event)) return;
    const words = link.closest(".sentence") && link.matches(".spoken");
    if (words) {
      event.preventDefault();
      playFrom(Number(link.closest(".sentence").dataset.begin));
    } else if (link.matches(".chapters a[data-begin]")) {
      event.preventDefault();
      playFrom(Number(link.dataset.begin));
    } else if (!audio.paused && link.pathname.startsWith(`${ROOT}/articles/`)) {
      link.target = "_blank"; // the voice goes on
    }
  });

  course.addEventListener("input", () => {
    dragging = true;
    draw(Number(course.value));
  });
  course.addEventListener("change", () => {
    dragging = false;
    following = true;
    seek(Number(course.value));
  });
  course.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -60, PageUp: 60 }[event.key];
    if (!by || !plain(event)) return;
    event.preventDefault();
    skip(by);
  });

  document.addEventListener("keydown", (event) => {
    if (!plain(event) || event.isComposing || event.defaultPrevented || one("dialog[open], :popover-open")) return;
    if (event.target.closest("input:not([type=hidden]), textarea, select, [contenteditable]")) return;
    if (event.key === " " && event.target.closest("button, summary")) return;
    const act = { " ": toggle, ArrowLeft: () => skip(-SKIP), ArrowRight: () => skip(SKIP) }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  // --- begin ---

  for (const each of sentences) each.words.setAttribute("tabindex", "-1");
  audio.controls = false;
  one(".deck", player).hidden = false;
  player.classList.add("ready");
  let kept = "";
  try { kept = localStorage.getItem(SPEED) ?? ""; } catch { /* not allowed */ }
  setSpeed([...speed.options].some((option) => option.value === kept) ? kept : "1");
  following = wanted > 0 && !location.hash && !window.scrollY;
  show();
  following = true;
  backToVoice.hidden = true;
  if (audio.error) trouble();
  if (audio.readyState) HEARD.loadedmetadata();
})();
