// The service worker: pages are read without a network, and marks made then are sent later, each
// once. Everything it keeps is of one reader, whom the server names in each page by an id. It is
// served with three constants before it: ROOT (the path the pages live under, or nothing), VERSION
// and FILES (of the static files). See docs/use/read.md.
"use strict";

const NAME = `newsloom ${ROOT || "-"}`;
const FILE_CACHE = `${NAME} files ${VERSION}`;
const PAGE_CACHES = `${NAME} pages `;

const PATIENCE = 4000; // ms that a page is waited for when there is a kept one
const MARK_PATIENCE = 15000; // ms until a mark without an answer is kept to be sent later
const MOST_ENTRIES = 700, MOST_BYTES = 40e6; // kept of one reader, pictures too; the oldest go first
const FRESH = 24 * 3600e3; // ms in which an article that is kept is not fetched ahead again
const MOST_PICTURES = 5, LARGEST_PICTURE = 400e3; // of an article, fetched ahead
const PAUSE = 150; // ms between two articles fetched ahead
const SENT_AT_ONCE = 50; // marks
// A proxy before a server that is not there, or a store that is busy.
const UNREACHED = new Set([502, 503, 504]);

const sleep = (time) => new Promise((done) => { setTimeout(done, time); });

// --- what is remembered: who reads, what is kept since when, which marks wait ---

let opened = null;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("state");
      asked.result.createObjectStore("kept", { keyPath: "url" });
      asked.result.createObjectStore("marks", { keyPath: "number", autoIncrement: true });
    };
    asked.onsuccess = () => {
      const forget = () => { opened = null; };
      asked.result.onclose = forget;
      asked.result.onversionchange = () => { asked.result.close(); forget(); };
      resolve(asked.result);
    };
    asked.onerror = () => { opened = null; reject(asked.error); };
  });
  return opened;
}

async function inStore(name, mode, act) {
  const transaction = (await database()).transaction(name, mode);
  const asked = act(transaction.objectStore(name));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(asked?.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

const remembered = (name) => inStore("state", "readonly", (store) => store.get(name));
const remember = (name, value) => inStore("state", "readwrite", (store) => store.put(value, name));
const all = (name) => inStore(name, "readonly", (store) => store.getAll());
const drop = (name, key) => inStore(name, "readwrite", (store) => store.delete(key));

// --- who reads ---

// A page of a reader was answered: what was kept of anybody else goes.
async function become(reader) {
  if (await remembered("reader") === reader) return;
  for (const name of await caches.keys()) {
    if (name.startsWith(PAGE_CACHES) && name !== PAGE_CACHES + reader) await caches.delete(name);
  }
  for (const one of await all("kept")) if (one.reader !== reader) await drop("kept", one.url);
  const others = (await all("marks")).filter((one) => one.reader !== reader);
  for (const one of others) await drop("marks", one.number);
  if (others.length) await complain(`${count(others.length)} of another account discarded before being sent.`);
  await remember("reader", reader);
}

// Nobody is signed in: no page is shown any more. Marks wait for whoever made them, unless they
// signed out on purpose.
async function signedOut() {
  await remember("reader", "");
  for (const name of await caches.keys()) if (name.startsWith(PAGE_CACHES)) await caches.delete(name);
  await inStore("kept", "readwrite", (store) => store.clear());
  if (await remembered("leaving")) {
    await inStore("marks", "readwrite", (store) => store.clear());
    await remember("leaving", false);
  }
}

// --- what is kept ---

const LISTS = /^(search|digest|briefs(\/\d+)?|stories|help|story\/\d+)?$/;
const ARTICLE = /^articles\/\d+$/;
const PICTURES = "pictures/whole/";
const OF_A_MOMENT = new Set(["as", "rows", "did", "n", "source"]);

const pathOf = (url) => url.pathname.slice(ROOT.length + 1);

// The address under which a page is kept; "": it is not.
function keyOf(url) {
  const key = new URL(url.origin + url.pathname);
  if (ARTICLE.test(pathOf(url))) return key.href;
  if (!LISTS.test(pathOf(url))) return "";
  for (const [name, value] of url.searchParams) {
    if (!OF_A_MOMENT.has(name)) key.searchParams.append(name, value);
  }
  key.searchParams.sort();
  return key.href;
}

const plain = (text) => text.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&#34;", '"')
  .replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">");
const inHead = (text, name) => new RegExp(`<html[^>]* data-${name}="([\\w-]*)"`).exec(text.slice(0, 2000))?.[1] ?? "";
const titleOf = (text) => plain(/<title>([^<]*)<\/title>/.exec(text)?.[1] ?? "").replace(/ · Newsloom$/, "");

async function keep(reader, key, response, body, facts) {
  const at = Date.now();
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length", "etag", "vary"]) headers.delete(name);
  headers.set("newsloom-kept", String(at));
  const cache = await caches.open(PAGE_CACHES + reader);
  await cache.put(key, new Response(body, { headers }));
  const bytes = body.length ?? body.byteLength;
  await inStore("kept", "readwrite", (store) => store.put({ url: key, reader, at, bytes, ...facts }));
}

async function trim(reader) {
  const entries = (await all("kept")).sort((one, other) => other.at - one.at);
  const cache = await caches.open(PAGE_CACHES + reader);
  let bytes = 0;
  for (const [at, one] of entries.entries()) {
    bytes += one.bytes;
    if (at < MOST_ENTRIES && bytes <= MOST_BYTES) continue;
    await cache.delete(one.url);
    await drop("kept", one.url);
  }
}

// A page came from the network: keep it, and what its list leads to.
async function heard(response, url) {
  if (response.type === "opaqueredirect") {
    // To us, or to a proxy's page to sign in, after which somebody else may come: until the next
    // page says who reads, none that is kept is shown.
    await remember("reader", "");
    return;
  }
  if (!response.ok || !response.headers.get("content-type")?.startsWith("text/html")) return;
  const text = await response.text();
  const reader = inHead(text, "reader");
  if (!reader) {
    if (pathOf(url) === "sign-in") await signedOut();
    return;
  }
  await become(reader);
  const wanted = inHead(text, "ahead");
  if (wanted === "off") {
    await caches.delete(PAGE_CACHES + reader);
    await inStore("kept", "readwrite", (store) => store.clear());
    return;
  }
  const key = keyOf(url);
  if (!key) return;
  const kind = ARTICLE.test(pathOf(url)) ? "article" : "list";
  const pictures = inHead(text, "ahead-pictures") === "on";
  await keep(reader, key, response, text, { kind, title: titleOf(text) });
  if (kind === "article") await keepPictures(reader, text, pictures);
  else await fetchAhead(reader, text, Number(wanted), pictures);
  await trim(reader);
}

let ahead = Promise.resolve();

function fetchAhead(reader, list, most, pictures) {
  if (!most || navigator.connection?.saveData) return ahead;
  const links = [...list.matchAll(/class="open" href="([^"]+)"/g)].slice(0, most).map((found) => plain(found[1]));
  ahead = ahead.then(() => articlesAhead(reader, links, pictures)).catch(() => {});
  return ahead;
}

async function articlesAhead(reader, links, pictures) {
  const kept = new Map((await all("kept")).map((one) => [one.url, one.at]));
  for (const link of links) {
    const url = new URL(link, location.origin);
    if (Date.now() - (kept.get(keyOf(url)) ?? 0) < FRESH) continue;
    const response = await fetch(url, { credentials: "same-origin" });
    const text = response.ok && !response.redirected ? await response.text() : "";
    if (inHead(text, "reader") !== reader) return; // somebody else by now, or nobody
    await keepPictures(reader, text, pictures);
    await keep(reader, keyOf(url), response, text, { kind: "article", title: titleOf(text) });
    await sleep(PAUSE);
  }
}

const PICTURE = /<img[^>]* src="([^"]*\/pictures\/whole\/[^"]+)"/g;

async function keepPictures(reader, article, wanted) {
  if (!wanted || navigator.connection?.saveData) return;
  for (const found of [...article.matchAll(PICTURE)].slice(0, MOST_PICTURES)) {
    const url = new URL(plain(found[1]), location.origin);
    if (url.origin !== location.origin) continue;
    const response = await fetch(url, { credentials: "same-origin" }).catch(() => null);
    const bytes = response?.ok ? await response.arrayBuffer() : null;
    if (bytes && bytes.byteLength <= LARGEST_PICTURE) {
      await keep(reader, url.href, response, bytes, { kind: "picture", title: "" });
    }
  }
}

// --- kept pages shown ---

async function kept(key) {
  const reader = await remembered("reader");
  if (!reader || !key) return null;
  const cache = await caches.open(PAGE_CACHES + reader);
  const found = await cache.match(key, { ignoreVary: true });
  if (!found) return null;
  const text = await found.text();
  const at = new Date(Number(found.headers.get("newsloom-kept"))).toISOString();
  const shown = text.replace("<html ", `<html data-kept="${at}" `);
  return new Response(shown, { headers: found.headers });
}

async function nothingKept() {
  const cache = await caches.open(FILE_CACHE);
  return (await cache.match(`${ROOT}/offline`, { ignoreVary: true })) ?? Response.error();
}

async function picture(request) {
  return fetch(request).catch(async () => {
    const cache = await caches.open(PAGE_CACHES + await remembered("reader"));
    return (await cache.match(request.url, { ignoreVary: true })) ?? Response.error();
  });
}

// From the network; where that is away or slow, as it was kept.
async function page(request, asking, url) {
  const key = keyOf(url);
  const first = await Promise.race([asking.catch(() => null), sleep(PATIENCE).then(() => undefined)]);
  if (first && !UNREACHED.has(first.status)) return first;
  const instead = await kept(key);
  if (instead) return instead;
  const late = first === undefined ? await asking.catch(() => null) : first;
  if (late && (!UNREACHED.has(late.status) || late.headers.has("content-security-policy"))) return late;
  return nothingKept();
}

async function file(request) {
  const cache = await caches.open(FILE_CACHE);
  const found = await cache.match(request, { ignoreVary: true });
  if (found) return found;
  try {
    return await fetch(request);
  } catch (error) {
    // A page kept under an older version asks for the files of that one.
    const other = await cache.match(request, { ignoreVary: true, ignoreSearch: true });
    if (other) return other;
    throw error;
  }
}

// --- marks ---

const ON_ARTICLE = /^articles\/(\d+)\/(marks|opened)$/;
const numbers = (text) => (text ?? "").split(",").map(Number).filter(Number.isSafeInteger);

// What a form asks for, as it waits; null: no mark of these.
function markOf(path, form) {
  const one = ON_ARTICLE.exec(path);
  if (one) return { kind: one[2] === "opened" ? "opened" : form.get("kind"), articles: [Number(one[1])] };
  if (path === "marks" || path === "marks/passed") return { kind: "bulk read", articles: numbers(form.get("articles")) };
  return null;
}

// One after the other: the order in which marks are made is the order in which they are sent.
let line = Promise.resolve();
function inTurn(act) {
  const done = line.then(act);
  line = done.catch(() => {});
  return done;
}

const waiting = async () => {
  const reader = await remembered("reader");
  return (await all("marks")).filter((one) => one.reader === reader);
};
// Those that are not taken back while they wait.
function standing(marks) {
  const undone = new Set(marks.map((one) => one.of));
  return marks.filter((one) => one.kind !== "undo" && !undone.has(one.key));
}
const count = (marks) => (marks === 1 ? "1 change" : `${marks} changes`);

async function tellPages(message) {
  for (const page of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) page.postMessage(message);
}

async function tellWaiting(more = {}) {
  const marks = await waiting();
  const problems = await remembered("problems") ?? [];
  await tellPages({ about: "waiting", marks, problems, ...more });
}

// Kept until a page has shown it.
async function complain(words) {
  await remember("problems", [...(await remembered("problems") ?? []), words].slice(-5));
}

async function posted(request, path) {
  const body = await request.clone().text();
  const form = new URLSearchParams(body);
  const reader = await remembered("reader");
  const usual = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  const mark = reader && usual ? markOf(path, form) : null;
  if (path === "undo" && reader) return inTurn(() => takeBack(request));
  if (!mark) return fetch(request);
  return inTurn(() => make({ ...mark, reader, key: crypto.randomUUID(), made: Date.now(), tried: false }, request, body));
}

async function make(mark, request, body) {
  if ((await waiting()).length && !(await send())) {
    await inStore("marks", "readwrite", (store) => store.add(mark));
    return hold(mark, request);
  }
  // It is written down before it is sent: should we end meanwhile, it is sent again with its key.
  mark.tried = true;
  mark.number = await inStore("marks", "readwrite", (store) => store.add(mark));
  let answer = null;
  try {
    answer = await fetch(request.url, {
      method: "POST",
      body,
      headers: { ...Object.fromEntries(request.headers), "newsloom-key": mark.key },
      signal: AbortSignal.timeout(MARK_PATIENCE),
    });
  } catch { /* no answer */ }
  if (!answer || UNREACHED.has(answer.status)) return hold(mark, request);
  if (answer.status === 401 || new URL(answer.url).origin !== location.origin || elsewhere(answer)) {
    await tellWaiting(); // it waits until its reader has signed in
    return request.mode === "navigate" ? Response.redirect(answer.url, 303) : answer;
  }
  await drop("marks", mark.number);
  return request.mode === "navigate" && answer.redirected ? Response.redirect(answer.url, 303) : answer;
}

const elsewhere = (answer) => answer.redirected && pathOf(new URL(answer.url)).startsWith("sign-in");

async function hold(mark, request) {
  try {
    await self.registration.sync?.register("marks");
  } catch { /* not allowed: pages try again while they are open */ }
  await tellWaiting({ held: mark });
  if (request.mode !== "navigate") return new Response(null, { status: 204, headers: { "newsloom-held": mark.key } });
  return Response.redirect(request.referrer || `${ROOT}/`, 303);
}

// The last mark that waits is taken back here; what was sent before, by the server.
async function takeBack(request) {
  if (!(await waiting()).length || await send()) return fetch(request);
  const marks = await waiting();
  const last = standing(marks).at(-1);
  if (!last) return fetch(request);
  if (!last.tried) {
    await drop("marks", last.number);
  } else { // it may have arrived
    const undo = { kind: "undo", of: last.key, articles: last.articles, reader: last.reader, key: crypto.randomUUID(), made: Date.now(), tried: false };
    await inStore("marks", "readwrite", (store) => store.add(undo));
  }
  return hold({ ...last, kind: "undo" }, request);
}

const WORDS = {
  gone: "not saved: the article no longer exists.",
  overtaken: "skipped: you made a newer change elsewhere.",
  late: "not saved: more than 30 days old.",
  refused: "rejected by the server.",
};

// Send what waits, in its order; whether all of it has an answer.
async function send() {
  let sent = 0;
  let most = 1; // first one alone: while nobody answers, the others have surely not arrived
  const problems = {};
  for (let marks = await waiting(); marks.length; marks = await waiting()) {
    const some = marks.slice(0, most);
    const outcomes = await sendThese(some);
    if (!outcomes) break;
    most = SENT_AT_ONCE;
    for (const mark of some) {
      const outcome = outcomes[mark.key] ?? "refused";
      if (outcome === "done") sent += mark.kind === "undo" ? -1 : 1; // what is taken back was none
      else problems[outcome] = (problems[outcome] ?? 0) + 1;
      await drop("marks", mark.number);
    }
  }
  for (const [outcome, marks] of Object.entries(problems)) await complain(`${count(marks)} ${WORDS[outcome] ?? WORDS.refused}`);
  const left = (await waiting()).length;
  await tellWaiting(most > 1 ? { sent: Math.max(sent, 0) } : {});
  return left === 0;
}

// What came of each; null: nobody answered who may.
async function sendThese(marks) {
  const now = Date.now();
  const told = marks.map(({ key, kind, articles, of, made }) => ({ key, kind, articles, of: of ?? "", age: Math.max(0, now - made) / 1000 }));
  for (const one of marks) await inStore("marks", "readwrite", (store) => store.put({ ...one, tried: true }));
  try {
    const answer = await fetch(`${ROOT}/offline/marks`, {
      method: "POST",
      body: new URLSearchParams({ reader: marks[0].reader, marks: JSON.stringify(told) }),
      redirect: "error",
      signal: AbortSignal.timeout(MARK_PATIENCE),
    });
    if (answer.status === 409) await remember("reader", ""); // until the next page says who reads
    if (answer.status === 400) return {};
    return answer.ok ? (await answer.json()).outcomes : null;
  } catch {
    return null;
  }
}

// --- events ---

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(FILE_CACHE);
    await cache.addAll([...FILES, `${ROOT}/offline`]);
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(`${NAME} files `) && name !== FILE_CACHE) await caches.delete(name);
    }
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(`${ROOT}/`)) return;
  const path = pathOf(url);
  if (/^briefs\/\d+\/sound\./.test(path)) return; // ranges of it, and files to keep: the browser's own
  if (request.method === "POST") {
    if (path === "sign-out") event.waitUntil(remember("leaving", true));
    if (ON_ARTICLE.test(path) || ["marks", "marks/passed", "undo"].includes(path)) event.respondWith(posted(request, path));
  } else if (request.method === "GET" && path.startsWith("static/")) {
    event.respondWith(file(request));
  } else if (request.method === "GET" && path.startsWith(PICTURES)) {
    event.respondWith(picture(request));
  } else if (request.method === "GET" && request.mode === "navigate") {
    const asking = fetch(request);
    event.waitUntil(asking.then((response) => heard(response.clone(), url)).catch(() => {}));
    event.respondWith(page(request, asking, url));
  } else if (request.headers.has("hx-request") && /^articles\/\d+\/(row|related)$/.test(path)) {
    // Nobody asked for these by hand, so nobody needs to hear that they cannot be had.
    event.respondWith(fetch(request).catch(() => new Response(null, { status: 204 })));
  }
});

self.addEventListener("sync", (event) => {
  const all = async () => {
    if (!(await inTurn(send))) throw new Error("marks wait still");
  };
  if (event.tag === "marks") event.waitUntil(all());
});

// What pages ask. Each answer goes back through the port that came along. A mark that is on its way to
// the server is stored but does not wait, so answers that count marks come after it.
const ASKED = {
  // A page begins: what waits; and one that we did not see coming is kept.
  hello: async ({ href, seen }) => {
    const url = new URL(href);
    if (!seen && keyOf(url)) {
      const response = await fetch(url, { credentials: "same-origin" }).catch(() => null);
      if (response && !response.redirected) await heard(response, url);
    }
    return { marks: await inTurn(waiting), problems: await remembered("problems") ?? [] };
  },
  send: async () => { await inTurn(send); },
  shown: async () => { await remember("problems", []); },
  kept: async () => ({ kept: (await all("kept")).filter((one) => ["list", "article"].includes(one.kind)), reader: await remembered("reader"), marks: standing(await inTurn(waiting)).length }),
  waiting: async () => ({ marks: standing(await inTurn(() => all("marks"))).length }),
};

self.addEventListener("message", (event) => {
  const { about } = event.data ?? {};
  if (!Object.hasOwn(ASKED, about)) return;
  event.waitUntil(ASKED[about](event.data).then((answer) => event.ports[0]?.postMessage(answer)));
});
