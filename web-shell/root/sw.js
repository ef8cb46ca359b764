/**
 * Keeps three pages for times without a connection: first aid, numbers and directions, and the booking pass that the
 * visitor chose to keep. The gateway's SERVICE_WORKER=off replaces this file by one that removes itself.
 */
const PAGES = 'pages-1';
const PASS = 'pass';
const FIRST_AID = '/emergency';
const OFFLINE = '/offline';
const PASS_PATH = '/appointment/pass';
/** Age at which stored pages are fetched again, in ms. */
const FRESH_MS = 24 * 3_600_000;
/** Time after which first aid is shown from the store although the network may still respond, in ms. */
const WAIT_MS = 3_000;

addEventListener('install', (event) => {
  skipWaiting();
  // Scripts and pictures don't wait for this worker.
  event.addRoutes?.({ condition: { not: { requestMode: 'navigate' } }, source: 'network' });
  event.waitUntil(storePages());
});

addEventListener('activate', (event) => event.waitUntil(begin()));

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || mode !== 'navigate' || origin !== location.origin) return;
  if (/^\/(api|staff|preview)(\/|$)/.test(pathname)) return;
  event.respondWith(respond(event, pathname));
  event.waitUntil(refresh());
});

async function begin() {
  const old = (await caches.keys()).filter((name) => name !== PAGES && name !== PASS);
  await Promise.all(old.map((name) => caches.delete(name)));
  await registration.navigationPreload?.enable();
  await clients.claim();
}

async function respond(event, pathname) {
  const pass = pathname === PASS_PATH && (await keptPass());
  if (pass) return pass;
  const network = Promise.resolve(event.preloadResponse).then((loaded) => loaded ?? fetch(event.request));
  const stored = () => caches.match(pathname === FIRST_AID ? FIRST_AID : OFFLINE, { cacheName: PAGES });
  const slow = pathname === FIRST_AID && (await stored());
  const late = slow ? [new Promise((done) => setTimeout(done, WAIT_MS, slow))] : [];
  return Promise.race([network, ...late]).catch(async (problem) => {
    const page = await stored();
    if (page) return page;
    throw problem;
  });
}

/** Returns the kept pass. Deletes it once its time is over. */
async function keptPass() {
  const store = await caches.open(PASS);
  const pass = await store.match(PASS_PATH);
  if (!pass || Date.parse(pass.headers.get('x-kept-until')) > Date.now()) return pass;
  await store.delete(PASS_PATH);
}

async function storePages() {
  const store = await caches.open(PAGES);
  await Promise.all(
    [FIRST_AID, OFFLINE].map(async (path) => {
      const page = await fetch(path, { cache: 'no-cache', credentials: 'omit' });
      if (page.ok && !page.redirected) await store.put(path, page);
    }),
  );
}

async function refresh() {
  const page = await caches.match(OFFLINE, { cacheName: PAGES });
  const stored = Date.parse(page?.headers.get('date'));
  // Without a connection, the stored pages stay.
  if (!(Date.now() - stored < FRESH_MS)) await storePages().catch(() => undefined);
}
