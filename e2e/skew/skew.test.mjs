/**
 * The last release and this tree together. Gateways, services, shells and page modules of both run in every
 * combination, on databases that both write in turn. Pointers move while the site runs.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { REFERENCE, confirmation, freeSlot, openFilledForm, payload, person, submitButton } from '../booking.mjs';
import { hydrated, launch, visitor } from '../browser.mjs';
import { until } from '../processes.mjs';
import { NEW, OLD, OTHER_KIT, Remotes, SHELL, TEAMS, moduleOf, scriptBytes } from './builds.mjs';
import { Site } from './site.mjs';

/**
 * Services go forward under the old gateway. Under the new one they first go back, on data that new services wrote, and
 * then forward again.
 */
const ALL_SYSTEMS = [
  { gateway: OLD, services: OLD },
  { gateway: OLD, services: NEW },
  { gateway: NEW, services: OLD },
  { gateway: NEW, services: NEW },
];
/** `both` combines programs as well as pages; `new` needs no programs of the last release. */
const SYSTEMS = process.env.SKEW_PROGRAMS === 'both' ? ALL_SYSTEMS : ALL_SYSTEMS.slice(-1);
/** Each step moves the shell's pointer or all teams' pointers together. */
const PAGES = [
  { shell: OLD, remotes: OLD },
  { shell: NEW, remotes: OLD },
  { shell: NEW, remotes: NEW },
  { shell: OLD, remotes: NEW },
];
const MESSAGE_REFERENCE = /\bMS-[0-9A-Z]{4}-[0-9A-Z]{4}\b/;
const READERS = 4;
/** Maximum compressed size that the style sheets of a second kit may add to a document, in bytes. */
const KIT_BYTES_MAX = 3_000;
const DEPARTMENTS = ['General Medicine', 'Cardiology', 'Orthopedics', 'ENT'];

const folder = mkdtempSync(join(tmpdir(), 'hospital-skew-'));
/** Bookings made so far, by any build. A retry with the same key must return the same booking. */
const booked = [];
let browser;

before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function modules({ shell, remotes }) {
  return {
    [SHELL]: shell.modules[SHELL],
    ...Object.fromEntries(TEAMS.map((team) => [team, remotes.modules[team]])),
  };
}

for (const { gateway, services } of SYSTEMS) {
  describe(`${gateway.name} gateway, ${services.name} services`, () => {
    const remotes = new Remotes(mkdtempSync(join(folder, 'remotes-')));
    let site;
    let assets = new Set();
    before(async () => {
      remotes.point(modules(PAGES[0]));
      site = await Site.start({ gateway, services, folder, remotes });
    });
    after(() => site?.stop());

    test('reads the data of earlier builds', async () => {
      for (const { key, body, reference } of booked) {
        const again = await book(site, key, body);
        assert.equal(again.reference, reference);
      }
    });

    for (const [index, pages] of PAGES.entries()) {
      describe(`${pages.shell.name} shell, ${pages.remotes.name} remotes`, () => {
        before(async () => {
          remotes.point(modules(pages));
          await shown(site, remotes.versions());
        });

        test('serves every page with its files, and the files of the previous pages', async () => {
          const found = await walk(site, remotes.pages());
          assert.ok(found.size > 10, `${found.size} files`);
          const faults = await statuses(site, [...new Set([...found, ...assets])]);
          assert.deepEqual(faults, []);
          assets = found;
        });

        test('takes a booking by API, one by form, and an enquiry', async () => {
          const department = DEPARTMENTS[index];
          const [key, body] = [crypto.randomUUID(), payload(person(), await freeSlot(site, { department }))];
          const { reference } = await book(site, key, body);
          assert.match(reference, REFERENCE);
          booked.push({ key, body, reference });

          const slot = await freeSlot(site, { department });
          const form = await site.form('/appointment', { ...person(), doctor: '', ...slot });
          assert.match(await landed(site, form), REFERENCE);

          const { firstName, lastName, email, phone, message } = person();
          const enquiry = { firstName, lastName, email, phone, subject: 'Visiting hours', message };
          assert.match(await landed(site, await site.form('/contact', enquiry)), MESSAGE_REFERENCE);
        });

        test('the booking page hydrates in a browser', () => looksAlive(site));

        test('no process has logged a failure', () => assert.deepEqual(site.failures(), []));
      });
    }

    test('books with script', async () => {
      const { context, page, problems } = await visitor(browser);
      await openHeldForm(page, site);
      await submitButton(page).click();
      assert.match(await confirmation(page), REFERENCE);
      assert.deepEqual(problems, []);
      await context.close();
    });
  });
}

describe('one team keeps the kit of the last release', () => {
  const remotes = new Remotes(mkdtempSync(join(folder, 'remotes-')));
  const pages = modules({ shell: NEW, remotes: NEW });
  let site;
  let documents;
  before(async () => {
    remotes.point(pages);
    site = await Site.start({ gateway: NEW, services: NEW, folder, remotes });
    await shown(site, remotes.versions());
    documents = await sizes(site);
    remotes.point({ ...pages, booking: OTHER_KIT });
    await shown(site, remotes.versions());
  });
  after(() => site?.stop());

  test('one document contains both kits, each with its own styles', async () => {
    const { context, page, problems } = await visitor(browser);
    await page.goto(`${site.origin}/`, { waitUntil: 'networkidle' });
    const looks = (folder) =>
      page
        .locator(`.${buttonClass(folder)}`)
        .evaluateAll((found) => found.map((button) => getComputedStyle(button).getPropertyValue('--kit-release')));
    const [neighbours, marked] = await Promise.all([NEW.modules.content, OTHER_KIT].map(looks));
    assert.ok(neighbours.length > 0 && marked.length > 0, `${neighbours.length} and ${marked.length} buttons`);
    assert.deepEqual([...new Set(neighbours)], [''], 'neighbours have the looks of this kit');
    assert.ok(
      marked.every((release) => /^["']\d/.test(release)),
      `those of booking have the looks of the other: ${marked}`,
    );
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('the page hydrates with the single React of the shell', async () => {
    const { context, page, problems } = await visitor(browser);
    await page.goto(`${site.origin}/appointment`, { waitUntil: 'networkidle' });
    await hydrated(page);
    const shared = await page.evaluate(() => {
      const scopes = Object.values(window.__FEDERATION__.__SHARE__).flatMap((host) => Object.values(host));
      return scopes.flatMap((scope) =>
        Object.entries(scope).map(([name, versions]) => [name, Object.keys(versions).length]),
      );
    });
    assert.deepEqual([...new Set(shared.map(([name]) => name))].sort(), ['react', 'react-dom', 'react/jsx-runtime']);
    const loadedTwice = shared.filter(([, versions]) => versions !== 1);
    assert.deepEqual(loadedTwice, []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('adds little to the size of a document', async (t) => {
    const own = moduleOf(NEW.modules.booking);
    assert.notEqual(moduleOf(OTHER_KIT).version, own.version);
    const mixed = await sizes(site);
    t.diagnostic(
      `scripts of booking: ${scriptBytes(NEW.modules.booking)}, with the other kit ${scriptBytes(OTHER_KIT)} bytes`,
    );
    for (const [path, bytes] of Object.entries(mixed)) {
      t.diagnostic(`${path}: ${documents[path]} bytes, with two kits ${bytes}`);
      assert.ok(bytes - documents[path] < KIT_BYTES_MAX, `${path}: ${documents[path]}, then ${bytes} bytes`);
    }
  });
});

/** Returns the class of a kit's button. The class name derives from its content, so each kit has its own. */
function buttonClass(folder) {
  const sheet = readFileSync(join(folder, 'kit-button.css'), 'utf8');
  return /\.(k[\w-]+)/.exec(sheet)[1];
}

/** Returns the compressed sizes of documents in bytes. */
async function sizes(site) {
  const of = async (path) => {
    const answer = await site.fetch(path, { headers: { 'Accept-Encoding': 'identity' } });
    return brotliCompressSync(Buffer.from(await answer.arrayBuffer())).length;
  };
  const paths = ['/', '/appointment'];
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await of(path)])));
}

/** Opens the filled form and waits for its hold. Otherwise the hold could arrive after the booking and be refused. */
async function openHeldForm(page, site) {
  const slot = await freeSlot(site, { department: 'Pediatrics' });
  const held = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/holds');
  await Promise.all([held, openFilledForm(page, site, slot, person())]);
}

async function looksAlive(site) {
  const { context, page, problems } = await visitor(browser);
  await page.goto(`${site.origin}/appointment`, { waitUntil: 'networkidle' });
  await hydrated(page);
  assert.deepEqual(problems, []);
  await context.close();
}

/** Waits until the gateway serves these versions: new documents name them. */
function shown(site, versions) {
  return until('the pointers are followed', async () => {
    const page = async (path) => (await site.fetch(`${path}?${crypto.randomUUID()}`)).text();
    const [form, home] = await Promise.all(['/appointment', '/'].map(page));
    const isNamed = (text, name) => text.includes(`/remotes/${name}/${versions[name]}/`);
    return isNamed(form, SHELL) && isNamed(form, 'booking') && isNamed(home, 'content');
  });
}

/** Requests all pages and returns the addresses of their files. */
async function walk(site, paths) {
  const files = new Set();
  const faults = [];
  await each(paths, async (path) => {
    // A page's older address redirects to the page.
    const answer = await site.fetch(path, { redirect: 'follow' });
    const text = await answer.text();
    const expected = /\/(nothing|nobody)\b/.test(path) ? 404 : 200;
    if (answer.status !== expected) faults.push(`${answer.status} ${path}`);
    if (!answer.headers.get('content-type')?.startsWith('text/html')) return;
    if (!text.trimEnd().endsWith('</html>')) faults.push(`${path} ends before its end`);
    for (const [file] of text.matchAll(/\/remotes\/[\w./+-]+\.\w+/g)) files.add(file);
  });
  assert.deepEqual(faults, []);
  return files;
}

async function statuses(site, files) {
  const faults = [];
  await each(files, async (file) => {
    const answer = await site.fetch(file);
    const { byteLength } = await answer.arrayBuffer();
    if (answer.status !== 200 || byteLength === 0) faults.push(`${answer.status} ${file}, ${byteLength} bytes`);
  });
  return faults;
}

/** Runs `act` for all items, a few at a time. */
async function each(items, act) {
  const queue = [...items];
  const worker = async () => {
    while (queue.length > 0) await act(queue.shift());
  };
  await Promise.all(Array.from({ length: READERS }, worker));
}

async function book(site, key, body) {
  const answer = await site.api('/appointments', {
    method: 'POST',
    headers: { 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, `${answer.status} ${await answer.clone().text()}`);
  return answer.json();
}

/** Returns the page that a visitor sees after sending a form. */
async function landed(site, answer) {
  if (answer.status === 303) {
    const { pathname, search } = new URL(answer.headers.get('location'), site.origin);
    return (await site.fetch(pathname + search)).text();
  }
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.text();
}
