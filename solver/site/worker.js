// The service worker of a site: the page works without a network after the first visit. SITE, its files, is written above:
// `version`, a mark of all of them; `files`, those of the page; `lasting`, those among them whose names change when they do;
// `small`, the parts of tables that are fetched at once; `marks`, which tell the tables' versions apart.

const { pathname, href } = new URL(registration.scope);
const PAGE = `page ${pathname} ${SITE.version}`;
const tableCache = (mark) => `tables ${pathname} ${mark}`; // as solver/web/page/js/tables/kept.js has it

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

/** Keep a part of a table, unless it is kept. */
async function keepPart(name) {
  const [mark] = name.split("/").at(-1).split("-");
  const cache = await caches.open(tableCache(mark));
  if (!(await cache.match(name))) await cache.add(name);
}

/** Of this site alone: an origin may have many. */
async function forgetOlder() {
  const current = new Set([PAGE, ...SITE.marks.map(tableCache)]);
  const own = (await caches.keys()).filter((name) => name.split(" ")[1] === pathname && /^(page|tables) /.test(name));
  await Promise.all(own.filter((name) => !current.has(name)).map((name) => caches.delete(name)));
}

/** What can change is asked for, and what is kept stands in where the network does not answer. */
async function answer(request, name) {
  const kept = () => caches.open(PAGE).then((cache) => cache.match(name));
  if (SITE.lasting.includes(name)) return (await kept()) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (error) {
    return (await kept()) ?? Promise.reject(error);
  }
}
