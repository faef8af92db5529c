// The service worker: keeps the files of this build, and asks the network for nothing else.
const files = FILES;
const name = `cipherlane-${VERSION}`;

// A name of this build stands for one content. So a host's `Vary`, of which the cache would take
// a script asked for with an `Origin` for another file than the one kept, says nothing here.
const ANY = { ignoreSearch: true, ignoreVary: true };

async function kept(request) {
  const cache = await caches.open(name);
  return cache.match(request, ANY);
}

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(name);
    // Past the browser's own cache, which may hold the page of another build.
    await cache.addAll(files.map((file) => new Request(file, { cache: "reload" })));
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const key of await caches.keys()) {
      if (key.startsWith("cipherlane-") && key !== name) await caches.delete(key);
    }
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const answer = async () => (await kept(event.request)) ?? fetch(event.request);
  event.respondWith(answer());
});

// Whether every file would be found without a network, for the page, which says so.
self.addEventListener("message", (event) => {
  const answer = async () => {
    const found = await Promise.all(files.map((file) => kept(new Request(file))));
    event.ports[0]?.postMessage(found.every((response) => response?.ok === true));
  };
  event.waitUntil(answer());
});
