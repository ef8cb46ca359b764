addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(retire()));

async function retire() {
  const pages = (await caches.keys()).filter((name) => name.startsWith('pages-'));
  await Promise.all(pages.map((name) => caches.delete(name)));
  await registration.unregister();
}
