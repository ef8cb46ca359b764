// Keeps first aid, numbers and directions, and the kept booking pass. SERVICE_WORKER=off removes it.
const PAGES = 'pages-1';
const PASS = 'pass';
const FIRST_AID = '/emergency';
const OFFLINE = '/offline';
const PASS_PATH = '/appointment/pass';
/** Maximum age of stored pages, in ms. */
const FRESH_MS = 24 * 3_600_000;
/** Time that first aid waits for the network, in ms. */
const WAIT_MS = 3_000;

const find = (path) => caches.match(path, { cacheName: PAGES });

addEventListener('install', (event) => {
  skipWaiting();
  // Scripts and pictures don't wait.
  event.addRoutes?.({ condition: { not: { requestMode: 'navigate' } }, source: 'network' });
  event.waitUntil(storePages());
});

addEventListener('activate', (event) => event.waitUntil(begin()));

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || mode !== 'navigate' || origin !== location.origin) return;
  if (/^\/(api|staff|preview)(\/|$)/.test(pathname)) return;
  const [prefix = ''] = pathname.match(/^\/(kn|hi)(?![^/])/) ?? [];
  event.respondWith(respond(event, prefix, pathname.slice(prefix.length)));
  event.waitUntil(refresh(prefix));
});

async function begin() {
  const old = (await caches.keys()).filter((name) => name !== PAGES && name !== PASS);
  await Promise.all(old.map((name) => caches.delete(name)));
  await registration.navigationPreload?.enable();
  await clients.claim();
}

async function respond(event, prefix, pathname) {
  const pass = pathname === PASS_PATH && (await keptPass());
  if (pass) return pass;
  const network = Promise.resolve(event.preloadResponse).then((loaded) => loaded ?? fetch(event.request));
  const wanted = pathname === FIRST_AID ? FIRST_AID : OFFLINE;
  const stored = async () => (await find(prefix + wanted)) ?? find(wanted);
  const slow = pathname === FIRST_AID && (await stored());
  const late = slow ? [new Promise((done) => setTimeout(done, WAIT_MS, slow))] : [];
  return Promise.race([network, ...late]).catch(async (problem) => {
    const page = await stored();
    if (page) return page;
    throw problem;
  });
}

/** Returns the kept pass until its time is over. */
async function keptPass() {
  const store = await caches.open(PASS);
  const pass = await store.match(PASS_PATH);
  if (!pass || Date.parse(pass.headers.get('x-kept-until')) > Date.now()) return pass;
  await store.delete(PASS_PATH);
}

async function storePages(prefix = '') {
  const store = await caches.open(PAGES);
  await Promise.all(
    [prefix + FIRST_AID, prefix + OFFLINE].map(async (path) => {
      const page = await fetch(path, { cache: 'no-cache', credentials: 'omit' });
      if (page.ok && !page.redirected) await store.put(path, page);
    }),
  );
}

async function refresh(prefix) {
  const page = await find(prefix + OFFLINE);
  const stored = Date.parse(page?.headers.get('date'));
  // Without a connection, the stored pages stay.
  if (!(Date.now() - stored < FRESH_MS)) await storePages(prefix).catch(() => undefined);
}
