/** The site of another hospital, from examples/second-hospital: nothing of the built-in hospital is left in it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'smol-toml';
import { freeSlot, payload, person } from '../booking.mjs';
import { DESKTOP, PHONE, launch, screenshot } from '../browser.mjs';
import { mailTo } from '../mail.mjs';
import { ROOT } from '../processes.mjs';
import { routes } from '../site-map.mjs';
import { System, UNLIMITED } from '../system.mjs';

const FOLDER = join(ROOT, 'examples/second-hospital');
const toml = (...path) => parse(readFileSync(join(ROOT, ...path), 'utf8'));
const SITE = toml('examples/second-hospital/content/site.toml');
const BUILT_IN = toml('svc-content/content/site.toml');
const GATEWAY = { env: { SITE_DIR: FOLDER } };
const FLAGS = [...UNLIMITED, '--address-documents-max', '100000'];

const named = (list, purpose) => SITE[list].find((entry) => entry.purpose === purpose);
const { street, locality, city, postal_code: code } = SITE.address;
const NAMED = { SITE_NAME: SITE.name, SITE_ADDRESS: `${street}, ${locality}, ${city} ${code}` };
const HELLO = named('email', 'general').address;
const VISITS = named('email', 'appointments').address;
/** The settings of `cargo xtask up --site`. */
const SPECIAL = {
  gateway: GATEWAY,
  'svc-content': { env: { CONTENT_DIR: join(FOLDER, 'content') } },
  'svc-booking': {
    env: {
      ...NAMED,
      RESOURCES: join(FOLDER, 'resources.toml'),
      SITE_EMAIL: VISITS,
      CALENDAR_DOMAIN: `appointments.${VISITS.split('@')[1]}`,
      REFERENCE_PREFIX: 'BE',
      FHIR_NAMING: `https://${VISITS.split('@')[1]}/naming`,
    },
  },
  'svc-messaging': {
    env: {
      ...NAMED,
      MAILBOXES: join(FOLDER, 'mailboxes.toml'),
      SITE_EMAIL: HELLO,
      SITE_PHONE: named('phone', 'reception').display,
      SITE_EMERGENCY_PHONE: named('phone', 'emergency').display,
      MAIL_FROM: `${SITE.name} <${HELLO}>`,
    },
  },
};

/** Examples in the description of the API, which is the same for every hospital. */
const EXAMPLES = ['General Medicine', 'SH-7K3M'];
/** Departments that another hospital may have too: a document in another language carries how they are translated. */
const TRANSLATED = ['General Medicine', 'General Consultation'];
/** Words of the built-in hospital: name, place, numbers, doctors, departments and letters of references. */
const WORDS = [
  'sampige',
  'bangalore',
  'General Consultation',
  ...EXAMPLES,
  BUILT_IN.address.city,
  BUILT_IN.address.locality,
  BUILT_IN.address.street,
  BUILT_IN.address.postal_code,
  BUILT_IN.tagline,
  ...BUILT_IN.phone.flatMap(({ display }) => [display, display.replace(/[^+\d]/g, '')]),
  ...toml('svc-content/content/doctors.toml').doctor.map(({ name }) => name.replace(/^Dr\. /, '')),
].map((word) => word.toLowerCase());

/** Fails with the words of the built-in hospital in a text, and what surrounds them. */
function assertNone(text, where) {
  const lower = text.toLowerCase();
  const left = WORDS.filter((word) => lower.includes(word)).map((word) => {
    const at = lower.indexOf(word);
    return `${word}: …${text.slice(Math.max(0, at - 60), at + 60)}…`;
  });
  assert.deepEqual(left, [], where);
}

const hasWord = (path) => WORDS.some((word) => path.replaceAll('-', ' ').includes(word));

describe('the site of another hospital', () => {
  let system;
  before(async () => {
    system = await System.start({ gateway: FLAGS, special: SPECIAL });
  });
  after(() => system?.stop());

  /** Returns the text of an address, after it was searched. */
  async function visit(path, { status } = {}) {
    const response = await fetch(system.origin + path);
    const text = await response.text();
    if (status) assert.equal(response.status, status, path);
    assert.ok(response.status < 500, `${path}: ${response.status}`);
    const known = path === '/api/openapi.json' ? EXAMPLES : /^\/(kn|hi)\//.test(path) ? TRANSLATED : [];
    const rest = known.reduce((left, word) => left.replaceAll(word, ''), text);
    assertNone(rest, path);
    return text;
  }

  test('has nothing of the built-in hospital on any page', async () => {
    const siteMap = await visit('/sitemap.xml', { status: 200 });
    const listed = [...siteMap.matchAll(/<loc>([^<]+)/g)].map(([, address]) => new URL(address).pathname);
    assert.ok(listed.length > 40, `${listed.length} pages`);
    for (const path of listed) {
      const html = await visit(path, { status: 200 });
      assert.ok(html.includes(SITE.name), path);
      assert.match(html, /theme-color" content="#35246b"/, path);
    }
    // Addresses that only exist in other tests return error pages.
    const declared = routes().map(({ path }) => path);
    for (const path of declared.filter((path) => !listed.includes(path) && !hasWord(path))) await visit(path);
    const health = await visit('/specialty/cardiology');
    assert.match(health, /Specialty Not Found/);
    for (const path of [
      ...['/robots.txt', '/.well-known/security.txt', '/blogs/feed.xml', '/news/feed.xml', '/status'],
      ...['/favicon.svg', '/api/openapi.json', '/api/site', '/api/doctors', '/api/departments'],
    ]) {
      await visit(path);
    }
    assert.match(await visit('/emergency'), /Chemical in the eye/);
    assert.match(await visit('/'), /<option>Retina/);
    const manifest = JSON.parse(await visit('/site.webmanifest', { status: 200 }));
    assert.equal(manifest.name, SITE.name);
  });

  test('books, and writes mails and calendar entries in its own name', async () => {
    const department = 'Retina';
    const who = person();
    const { status, body } = await system.post('/appointments', payload(who, await freeSlot(system, { department })));
    assert.equal(status, 201, JSON.stringify(body));
    assertNone(JSON.stringify(body), 'the booking');
    assert.match(body.reference, /^BE-/);
    const headers = { Authorization: `Bearer ${system.token('appointments:read')}` };
    // Staff leave out the first letters.
    const read = await system.call('GET', `/appointments/${body.reference.slice(3)}`, undefined, headers);
    assert.deepEqual([read.status, read.body.reference], [200, body.reference]);
    const fhir = await system.call('GET', `/fhir/Appointment?from=${body.date}&to=${body.date}`, undefined, headers);
    assert.equal(fhir.status, 200, JSON.stringify(fhir.body));
    assertNone(JSON.stringify(fhir.body), 'the appointments in FHIR');
    assert.match(JSON.stringify(fhir.body), /https:\/\/belaku\.example\/naming\/appointment-reference/);
    const mail = await mailTo(system, who.email, ({ text }) => text.includes(body.reference));
    const files = mail.attachments.map(({ content }) => content.toString('utf8'));
    assertNone(
      [mail.subject, JSON.stringify([...mail.headers]), mail.text, mail.html, ...files].join('\n'),
      'the mail',
    );
    assert.ok(mail.text.includes(SITE.name) && mail.text.includes(named('phone', 'reception').display), mail.text);
    const calendar = body.calendar.replaceAll('\r\n ', '');
    assert.match(calendar, /^UID:[^@]+@appointments\.belaku\.example\r$/m);
    assertNone(calendar, 'the calendar entry');
  });

  test('has its own mark and colours on a phone and a desktop', async () => {
    const browser = await launch();
    try {
      for (const [name, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
        const page = await browser.newPage({ viewport });
        const violations = [];
        page.on('console', (message) => message.type() === 'error' && violations.push(message.text()));
        await page.goto(system.origin);
        const seen = await page.evaluate(() => {
          const mark = document.querySelector('header svg[data-mark]');
          return {
            mark: getComputedStyle(mark).backgroundImage.slice(0, 30),
            drawn: getComputedStyle(mark.firstElementChild).display,
            action: getComputedStyle(document.documentElement).getPropertyValue('--action'),
          };
        });
        assert.deepEqual(seen, { mark: 'url("data:image/svg+xml;base64', drawn: 'none', action: '#4a3391' });
        assert.deepEqual(violations, []);
        // Drawings of the first hospital's building.
        assert.equal(await page.locator('img[src*="/street"]:visible').count(), 0);
        await screenshot(page, `second-hospital-${name}`);
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });
});

test('shows its own name and numbers while no service runs', async () => {
  const system = await System.start({ services: false, gateway: FLAGS, special: { gateway: GATEWAY } });
  try {
    const { display } = named('phone', 'emergency');
    for (const path of ['/', '/emergency', '/contact', '/doctors', '/blogs', '/appointment', '/offline', '/status']) {
      const html = await (await fetch(system.origin + path)).text();
      assertNone(html, `${path} without services`);
      assert.ok(html.includes(display), path);
    }
  } finally {
    await system.stop();
  }
});
