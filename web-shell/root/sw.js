/** First aid, directions and the kept booking pass, offline. The gateway's SERVICE_WORKER=off replaces this file. */
const PAGES = 'pages-1';
const PASS = 'pass';
const FIRST_AID = '/emergency';
const OFFLINE = '/offline';
const PASS_PATH = '/appointment/pass';
/** Maximum age of stored pages, in ms. */
const FRESH_MS = 24 * 3_600_000;
/** Wait for the network before stored first aid is shown, in ms. */
const WAIT_MS = 3_000;

addEventListener('install', (event) => {
  skipWaiting();
  // Scripts and pictures don't wait for this worker.
  event.addRoutes?.({ condition: { not: { requestMode: 'navigate' } }, source: 'network' });
  event.waitUntil(storePages(''));
});

addEventListener('activate', (event) => event.waitUntil(begin()));

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || mode !== 'navigate' || origin !== location.origin) return;
  if (/^\/(api|staff|preview)(\/|$)/.test(pathname)) return;
  // Stores first aid in the languages that are visited.
  const [, prefix, path] = /^(\/[a-z]{2}|)(\/.*|)$/.exec(pathname);
  event.respondWith(respond(event, prefix, path));
  event.waitUntil(refresh(prefix));
});

async function begin() {
  const old = (await caches.keys()).filter((name) => name !== PAGES && name !== PASS);
  await Promise.all(old.map((name) => caches.delete(name)));
  await registration.navigationPreload?.enable();
  await clients.claim();
}

async function respond(event, prefix, path) {
  const pass = path === PASS_PATH && (await keptPass());
  if (pass) return pass;
  const network = Promise.resolve(event.preloadResponse).then((loaded) => loaded ?? fetch(event.request));
  const name = path === FIRST_AID ? FIRST_AID : OFFLINE;
  const stored = async () => (await find(prefix + name)) ?? find(name);
  const slow = path === FIRST_AID && (await stored());
  const late = slow ? [new Promise((done) => setTimeout(done, WAIT_MS, slow))] : [];
  return Promise.race([network, ...late]).catch(async (problem) => (await stored()) ?? Promise.reject(problem));
}

const find = (path) => caches.match(path, { cacheName: PAGES });

/** Returns the kept pass; deletes an expired one. */
async function keptPass() {
  const store = await caches.open(PASS);
  const pass = await store.match(PASS_PATH);
  if (!pass || Date.parse(pass.headers.get('x-kept-until')) > Date.now()) return pass;
  await store.delete(PASS_PATH);
}

async function storePages(prefix) {
  const store = await caches.open(PAGES);
  await Promise.all(
    [prefix + FIRST_AID, prefix + OFFLINE].map(async (path) => {
      const page = await fetch(path, { cache: 'no-cache', credentials: 'omit' });
      if (page.ok && !page.redirected) await store.put(path, page);
    }),
  );
}

async function refresh(prefix) {
  const stored = Date.parse((await find(prefix + OFFLINE))?.headers.get('date'));
  // Without a connection, the stored pages stay.
  if (!(Date.now() - stored < FRESH_MS)) await storePages(prefix).catch(() => undefined);
}
