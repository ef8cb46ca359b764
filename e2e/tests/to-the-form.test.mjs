/**
 * W3: the link of every bookable doctor or clinic names that choice. One link of each kind of page is followed to the
 * form, also in a tab that has a draft.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openStep } from '../booking.mjs';
import { DESKTOP, PHONE, hydrated, launch, visitor } from '../browser.mjs';
import { System } from '../system.mjs';

/** Booking links in the page itself, not in the frame. */
const BOOKING = 'main a[href^="/appointment"]';
/** Doctors on the home page: three in the panel of its first screen, and four further down. */
const HOME_DOCTORS = 7;

describe('links to the booking form', () => {
  let system;
  let browser;
  let departments;
  let doctors;
  let specialties;
  let surgeries;
  before(async () => {
    const walk = ['--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway: walk }), launch()]);
    const all = async (list) => (await (await system.api(`/${list}?pageSize=100`)).json())[list];
    [departments, doctors, specialties, surgeries] = await Promise.all(
      ['departments', 'doctors', 'specialties', 'surgeries'].map(all),
    );
    // The directory omits a doctor who takes no new patients, but the doctor's profile exists.
    doctors.push(await (await system.api('/doctors/doc-16')).json());
    assert.ok(doctors.length >= 16 && surgeries.length >= 10 && specialties.length >= 18);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  /** Returns the choices that the form must have for a doctor's id. */
  function withDoctor(id) {
    const department = departments.find(({ doctorIds }) => doctorIds.includes(id));
    assert.ok(department, `${id} is in no department`);
    return { id: department.id, department: department.name, doctor: doctors.find((one) => one.id === id).name };
  }

  /** Returns the choices that the form must have for a specialty; null if it cannot be booked. */
  function inSpecialty({ slug, doctors: names }) {
    const own = departments.find(({ id, bookable }) => id === slug && bookable);
    if (own) return { id: own.id, department: own.name, doctor: '' };
    const elsewhere = departments
      .flatMap(({ attendants }) => attendants)
      .find(({ name, doctorId }) => doctorId && names.includes(name));
    return elsewhere ? withDoctor(elsewhere.doctorId) : null;
  }

  /** Returns every page with its booking link and the choices that the form must then have. */
  function ways() {
    const open = doctors.filter(({ closedToNewPatients }) => !closedToNewPatients);
    const card = ({ id }) => ({ link: `[data-card] a[href*="doctor=${id}"]:has-text("Book")`, wanted: withDoctor(id) });
    return [
      ...open.map(({ id, slug }) => ({ path: `/doctor/${slug}`, wanted: withDoctor(id) })),
      ...open.map((doctor) => ({ path: '/doctors', ...card(doctor) })),
      ...surgeries.map(({ slug, doctorId }) => ({ path: `/deluxe-surgeries/${slug}`, wanted: withDoctor(doctorId) })),
      ...specialties
        .map((specialty) => ({
          path: `/specialty/${specialty.slug}`,
          wanted: inSpecialty(specialty),
          // Their cards link to their own free times.
          people: doctors.filter(({ name }) => specialty.doctors.includes(name)).map(({ id }) => id),
        }))
        .filter(({ wanted }) => wanted),
    ];
  }

  /** Returns the first way from each kind of page. */
  function oneOfEachKind() {
    const kinds = new Map(
      ways()
        .map((way) => [way.path.split('/')[1], way])
        .reverse(),
    );
    return [...kinds.values()];
  }

  const chosen = async (page) => ({
    department: await page.locator('input[name=department]:checked').inputValue(),
    doctor: await page.locator('main [name=doctor]').inputValue(),
  });

  /** Leaves an unfinished booking in the tab. */
  async function begin(page) {
    await page.goto(`${system.origin}/appointment?department=general-medicine`);
    await hydrated(page);
    await openStep(page, 4);
    await page.locator('main [name=firstName]').fill('Kaveri');
    await page.locator('main [name=doctor]').fill('Dr. Somebody Else');
    await page.waitForFunction(() => JSON.stringify({ ...sessionStorage }).includes('Somebody Else'));
  }

  for (const [viewport, hasDraft] of [
    [PHONE, true],
    [DESKTOP, false],
  ]) {
    const tab = hasDraft ? 'a tab in which another booking was begun' : 'a fresh tab';
    test(`at ${viewport.width} px in ${tab}, one page of each kind links to the form for its subject`, async () => {
      const { context, page, problems } = await visitor(browser, { viewport });
      if (hasDraft) await begin(page);
      const wrong = [];
      for (const { path, link = BOOKING, wanted } of oneOfEachKind()) {
        const { department, doctor } = wanted;
        await page.goto(`${system.origin}${path}`);
        await page.locator(link).first().click();
        await page.waitForURL('**/appointment?*');
        await hydrated(page);
        const found = await chosen(page);
        if (found.department !== department || found.doctor !== doctor) {
          wrong.push(`${path}: ${JSON.stringify(found)} in place of ${department}, ${doctor || 'any doctor'}`);
        }
        if (!hasDraft) continue;
        // Other typed data is kept, and the unfinished booking is still available.
        assert.equal(await page.locator('main [name=firstName]').inputValue(), 'Kaveri', path);
        assert.equal(await page.getByText('You started another booking in this tab').count(), 1, path);
      }
      assert.deepEqual(wrong, []);
      // Leaving a page aborts its idle fetches.
      assert.deepEqual(
        problems.filter((problem) => !/\.js net::ERR_ABORTED/.test(problem)),
        [],
      );
      await context.close();
    });
  }

  test('all links of a page to the form name the same department and doctor', async () => {
    for (const { path, link, wanted, people = [] } of ways().filter(({ path }) => path !== '/doctors')) {
      const found = await bookingLinks(path);
      assert.ok(found.length > 0, `${path} ${link ?? ''}`);
      const ids = new Set(found.map(({ searchParams }) => searchParams.get('department')));
      assert.deepEqual([...ids], [wanted.id], path);
      const named = new Set(found.map(({ searchParams }) => searchParams.get('doctor') ?? ''));
      const id = wanted.doctor && doctors.find(({ name }) => name === wanted.doctor).id;
      assert.ok(named.delete(id), `${path}: ${[...named]}`);
      assert.deepEqual(
        [...named].filter((one) => !people.includes(one)),
        [],
        path,
      );
    }
  });

  test('without script, the served form has the same choice', async () => {
    const targets = new Map();
    for (const { path, wanted } of ways().filter(({ path }) => path !== '/doctors'))
      for (const { pathname, search, searchParams } of await bookingLinks(path)) {
        const doctor = searchParams.get('doctor');
        targets.set(`${pathname}${search}`, doctor ? withDoctor(doctor) : wanted);
      }
    for (const [target, { department, doctor }] of targets) {
      const html = await (await fetch(`${system.origin}${target}`)).text();
      const [chosen = ''] = /<input(?=[^>]*\bname="department")(?=[^>]*\bchecked)[^>]*>/.exec(html) ?? [];
      assert.equal(decoded(/ value="([^"]*)"/.exec(chosen)?.[1] ?? ''), department, target);
      const [card = ''] = /<input(?=[^>]*\bname="picked")(?=[^>]*\bchecked)[^>]*>/.exec(html) ?? [];
      const id = new URLSearchParams(target.split('?')[1]).get('doctor') ?? '';
      assert.ok(!doctor || (id && card.includes(id)), `${target}: ${card}`);
    }
  });

  test('each time on a doctor’s page opens the form with doctor, day and time', async () => {
    const { context, page, problems } = await visitor(browser, { viewport: PHONE });
    const { id, slug } = doctors.find((doctor) => doctor.specialtyKey === 'cardiology');
    await page.goto(`${system.origin}/doctor/${slug}`);
    const times = page.getByRole('region', { name: 'Next free times' }).getByRole('link', { name: / on .* with / });
    const hrefs = await times.evaluateAll((links) =>
      links.map(({ href }) => href).filter((href) => /time=/.test(href)),
    );
    assert.ok(hrefs.length >= 4, `${hrefs.length} times`);
    assert.equal(new Set(hrefs).size, hrefs.length);
    const wanted = new URL(hrefs.at(-1)).searchParams;
    await times.last().click();
    await page.waitForURL('**/appointment?*');
    await hydrated(page);
    const { department, doctor } = withDoctor(id);
    const sent = () =>
      page.evaluate(() => Object.fromEntries(new FormData(document.querySelector('form:has([name=department])'))));
    await page.waitForFunction(() => document.querySelector('form [name=time]'));
    const form = await sent();
    assert.deepEqual(
      [form.department, form.doctor, form.date, form.time],
      [department, doctor, wanted.get('date'), wanted.get('time')],
    );
    assert.deepEqual(
      problems.filter((problem) => !/\.js net::ERR_ABORTED/.test(problem)),
      [],
    );
    await context.close();
  });

  test('a problem in the patient’s words leads to its department', async () => {
    const { departmentProfiles } = await (await system.api('/department-profiles')).json();
    const { problems } = departmentProfiles.find(({ id }) => id === 'orthopedics');
    const html = decoded(await text('/specialty/orthopedics'));
    for (const problem of problems) {
      const at = html.indexOf(`>${problem}</a>`);
      assert.ok(at > 0, problem);
      assert.match(html.slice(html.lastIndexOf('<a ', at), at), /href="\/appointment\?department=orthopedics"/);
    }
    assert.match(html, /href="\/emergency"/);
  });

  test('the home page links each of its doctors to their next free time', async () => {
    const times = await bookingLinks('/');
    const named = times.filter(({ searchParams }) => searchParams.get('doctor'));
    assert.ok(named.length > 0 && named.length <= HOME_DOCTORS, `${named.length} doctors`);
    for (const { searchParams } of named) {
      const { id } = withDoctor(searchParams.get('doctor'));
      assert.equal(searchParams.get('department'), id);
    }
  });

  test('has no links to the form for a doctor without new patients, or a specialty without doctor and clinic', async () => {
    const closed = doctors.filter(({ closedToNewPatients }) => closedToNewPatients);
    assert.ok(closed.length > 0, 'one doctor takes no new patients');
    for (const { slug } of closed) assert.deepEqual(await bookingLinks(`/doctor/${slug}`), [], slug);
    const without = specialties.filter((specialty) => !inSpecialty(specialty));
    assert.ok(without.length > 0, 'some specialties cannot be booked');
    for (const { slug, name } of without) {
      const links = await bookingLinks(`/specialty/${slug}`);
      // The page offers General Medicine and asking a question instead.
      assert.deepEqual([...new Set(links.map(({ search }) => search))], ['?department=general-medicine'], slug);
      const list = await text(`/doctors?specialty=${encodeURIComponent(name)}`);
      assert.match(list, new RegExp(`You can’t book ${escaped(name)} online`), slug);
    }
  });

  test('S6: shows the clinics of a specialty without doctors', async () => {
    const clinics = specialties.filter(
      ({ slug, doctors: names }) => !names.length && inSpecialty({ slug, doctors: [] }),
    );
    assert.ok(clinics.length > 0);
    for (const { slug, name } of clinics) {
      const list = await text(`/doctors?specialty=${encodeURIComponent(name)}`);
      const own = departments.find(({ id }) => id === slug).attendants.filter(({ doctorId }) => !doctorId);
      for (const clinic of own) assert.ok(decoded(list).includes(clinic.name), `${slug}: ${clinic.name}`);
    }
  });

  async function text(path) {
    const response = await fetch(`${system.origin}${path}`);
    assert.equal(response.status, 200, path);
    return response.text();
  }

  /** Returns the targets of the form links in the page's main part. */
  async function bookingLinks(path) {
    const html = await text(path);
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    return [...main.matchAll(/href="(\/appointment[^"]*)"/g)].map(([, href]) => new URL(decoded(href), system.origin));
  }
});

function decoded(html) {
  return html.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"');
}

function escaped(text) {
  return decoded(text)
    .replaceAll('&', '&amp;')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
