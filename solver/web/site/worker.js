// The service worker of a site: after the first visit the page works offline. The line above defines SITE: `version`, a hash of
// all files; `files`, those of the page; `lasting`, those of them whose names contain a hash of their content; `small`, the
// parts of tables to fetch at once; `marks`, the hashes that identify the versions of the tables.

const { pathname, href } = new URL(registration.scope);
const PAGE = `page ${pathname} ${SITE.version}`;
const tableCache = (mark) => `tables ${pathname} ${mark}`; // the same as in page/js/tables/kept.js

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(Promise.all([clients.claim(), forgetOlder()])));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const name = url.replace(/[?#].*$/s, "").replace(href, "").replace(/^(index\.html)?$/, "./");
  if (method === "GET" && SITE.files.includes(name)) event.respondWith(answer(event.request, name));
});

async function install() {
  await (await caches.open(PAGE)).addAll(SITE.files.map((name) => new Request(name, { cache: "no-cache" })));
  await Promise.all(SITE.small.map(keepPart));
  await skipWaiting();
}

/** Store a part of a table in its cache, unless it is there. */
async function keepPart(name) {
  const [mark] = name.split("/").at(-1).split("-");
  const cache = await caches.open(tableCache(mark));
  if (!(await cache.match(name))) await cache.add(name);
}

/** Delete the caches of older versions, but only of this site: an origin may have several. */
async function forgetOlder() {
  const current = new Set([PAGE, ...SITE.marks.map(tableCache)]);
  const own = (await caches.keys()).filter((name) => name.split(" ")[1] === pathname && /^(page|tables) /.test(name));
  await Promise.all(own.filter((name) => !current.has(name)).map((name) => caches.delete(name)));
}

/** Answer from the network first, and from the cache if that fails; for lasting files the other way round. */
async function answer(request, name) {
  const kept = () => caches.open(PAGE).then((cache) => cache.match(name));
  if (SITE.lasting.includes(name)) return (await kept()) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (error) {
    return (await kept()) ?? Promise.reject(error);
  }
}
