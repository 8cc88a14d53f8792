// Service worker: answers a navigation with the offline page if the appliance does not answer. It stores that page
// alone and touches no other request, so no patient data is kept and an upgrade shows at the next load.
const CACHE = "ringward-offline-VERSION";
const OFFLINE = "/dashboard/offline";

self.addEventListener("install", (event) => {
  const page = new Request(OFFLINE, { cache: "reload", credentials: "omit" });
  const store = caches.open(CACHE).then((cache) => cache.add(page));
  event.waitUntil(store.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("ringward-offline-") && name !== CACHE;
  const drop = caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))));
  event.waitUntil(drop.then(() => self.clients.claim()));
});

/** Of a proxy that does not reach the appliance, whose own responses all have a request id. */
const isOfProxy = ({ status, headers }) => [502, 503, 504].includes(status) && !headers.has("x-request-id");

const offline = async () => (await caches.match(OFFLINE)) ?? Response.error();

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isOfPage = request.mode === "navigate" && request.method === "GET";
  // Downloads and sign-in with a provider navigate below the API.
  if (!isOfPage || new URL(request.url).pathname.startsWith("/dashboard/api/")) return;
  event.respondWith(fetch(request).then((answer) => (isOfProxy(answer) ? offline() : answer), offline));
});
