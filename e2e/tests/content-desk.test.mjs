/** The content desk: what staff change is what visitors read, and can be undone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertReflows, axe, launch, screenshot, visitor } from '../browser.mjs';
import { person } from '../booking.mjs';
import { readByVisitors, saveDraft as save, shows } from '../content-desk.mjs';
import { mailTo } from '../mail.mjs';
import { until } from '../processes.mjs';
import { assertSoundPage, nameOf, signedIn } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

/** Number of the emergency line in the content files. */
const NUMBER = '+91 80 0000 0108';
const DOCTOR = '/staff/content/doctor/doc-08';

describe('the content desk', () => {
  let system;
  let browser;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway, staff: true }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const visitorsRead = (path, wanted) => readByVisitors(system, path, wanted);

  for (const [name, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    test(`publishes changed hours of a doctor and undoes it, on a ${name}`, async () => {
      const { context, page, problems } = await signedIn(browser, system, 'editor', {
        path: '/staff/content',
        viewport,
        javaScriptEnabled: name === 'desktop',
      });
      const isScripted = name === 'desktop';
      if (isScripted) await assertSoundPage(page, system, '/staff/content');
      await page.goto(system.origin + DOCTOR);
      const timings = page.getByLabel('Timings');
      const earlier = await timings.inputValue();
      const path = await page.getByRole('link', { name: 'See it on the website' }).getAttribute('href');
      await timings.fill(`3:15 PM - 4:${name.length}0 PM`);
      await save(page);
      if (isScripted) assert.deepEqual(await axe(page), []);
      await screenshot(page, `content-desk-saved-${name}`);
      assert.ok((await (await fetch(system.origin + path)).text()).includes(earlier), 'a draft is not read');
      await page.getByRole('button', { name: /^Publish this/ }).click();
      await visitorsRead(path, `3:15 PM - 4:${name.length}0 PM`);
      await page.getByRole('button', { name: /^Undo/ }).click();
      await visitorsRead(path, earlier);
      await page.goto(`${system.origin}${DOCTOR}/history`);
      await shows(page, 'Version 3');
      await screenshot(page, `content-desk-history-${name}`);
      if (isScripted) assert.deepEqual(await axe(page), []);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('changes the emergency number on every page', async () => {
    const { context, page } = await signedIn(browser, system, 'editor', { path: '/staff/content/site/site' });
    const inputs = await page.locator('main input').all();
    for (const input of inputs) if ((await input.inputValue()) === NUMBER) await input.fill('+91 80 0000 0777');
    await save(page);
    await page.getByRole('button', { name: /^Publish this/ }).click();
    for (const path of ['/', '/emergency', '/doctors', '/nothing-here']) await visitorsRead(path, '+918000000777');
    const log = () => system.programs['svc-messaging'].log();
    await until('mails follow', () => log().includes('mails follow changed facts of the hospital'));
    const who = person();
    const name = `${who.firstName} ${who.lastName}`;
    const words = { subject: 'Visiting hours', message: `When may we visit ${name}?` };
    const sent = await system.post('/messages', { name, email: who.email, phone: who.phone, ...words });
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    assert.match((await mailTo(system, who.email)).text, /\+91 80 0000 0777/);
    await context.close();
  });

  test('refuses what another record needs, and says which', async () => {
    const { body } = await system.api('/surgeries/1').then(async (answer) => ({ body: await answer.json() }));
    const { context, page } = await signedIn(browser, system, 'editor', {
      path: `/staff/content/doctor/${body.doctorId}`,
    });
    await page.getByText('Archive…').click();
    await page.getByRole('button', { name: /^Archive this/ }).click();
    await shows(page, /surgery\/|specialty\//);
    await screenshot(page, 'content-desk-refused');
    assert.equal((await system.api(`/doctors/${body.doctorId}`)).status, 200);
    await context.close();
  });

  test('an archived event leads to the events, and the list of changes says who did it', async () => {
    const events = await (await system.api('/events')).json();
    const single = events.events.find(({ id }) => !/-\d{4}-\d{2}$/.test(id));
    const { context, page } = await signedIn(browser, system, 'editor', { path: `/staff/content/event/${single.id}` });
    await page.getByText('Archive…').click();
    await page.getByRole('button', { name: /^Archive this/ }).click();
    await until('the page leads on', async () => {
      const answer = await fetch(`${system.origin}/event/${single.id}`, { redirect: 'manual' });
      return answer.status === 301 && answer.headers.get('location') === '/events';
    });
    await page.goto(`${system.origin}/staff/content/changes`);
    await shows(page, single.title);
    await assertReflows(page);
    await screenshot(page, 'content-desk-changes');
    await context.close();
  });

  test('a draft is seen in a preview by those with the link, and by nobody else', async () => {
    const { context, page, problems } = await signedIn(browser, system, 'editor', {
      path: '/staff/content/doctor/doc-01',
    });
    // On the profile, on the card in the list, and on the home page.
    const words = '47 Years';
    await page.getByLabel('Experience').fill(words);
    await save(page);
    await page.getByRole('link', { name: /^Preview version/ }).click();
    const phone = page.frameLocator('iframe[title="Preview on a phone"]');
    const framed = () => phone.getByText(words).first().waitFor();
    await framed();
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      await assertReflows(page);
      await screenshot(page, `content-desk-preview-${viewport.width}`);
    }
    assert.deepEqual(await axe(page), []);
    for (const view of ['The list', 'Home']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await framed();
    }
    const link = new URL(await page.getByLabel('Link for others').inputValue(), system.origin).pathname;
    const guest = await visitor(browser, { viewport: PHONE });
    await guest.page.goto(system.origin + link);
    await shows(guest.page, 'Preview of a draft, not published.');
    await guest.page.getByRole('link', { name: 'List', exact: true }).click();
    await shows(guest.page, words);
    await guest.page.locator('main a[href^="/preview/"][href*="/doctor/"]').first().click();
    await shows(guest.page, words);
    const [, path] = new URL(guest.page.url()).pathname.match(/^\/preview\/[^/]+(\/doctor\/.+)$/);
    assert.deepEqual(await axe(guest.page), []);
    await assertReflows(guest.page);
    await screenshot(guest.page, 'content-desk-preview-guest');
    for (const live of ['/', '/doctors', path])
      assert.ok(!(await (await fetch(system.origin + live)).text()).includes(words), `${live} shows a draft`);
    const forged = await fetch(`${system.origin}/preview/${'A'.repeat(120)}/`);
    assert.equal(forged.status, 404);
    assert.match(await forged.text(), /This preview has ended/);
    assert.deepEqual([...problems, ...guest.problems], []);
    await context.close();
    await guest.context.close();
  });

  test('a text is shown as visitors see it: by a button, and while it is typed', async () => {
    const path = '/staff/content/post/new';
    const text = (page) => page.getByLabel('Text (optional)', { exact: true }).first();
    const region = (page) => page.getByRole('region', { name: 'As visitors see it' });
    const plain = await signedIn(browser, system, 'editor', { path, viewport: PHONE, javaScriptEnabled: false });
    await plain.page.getByLabel('Title', { exact: true }).fill('Feet in the monsoon');
    await text(plain.page).fill('Keep **dry**');
    await plain.page.getByRole('button', { name: 'Show the text as it will look' }).click();
    await region(plain.page).locator('strong', { hasText: 'dry' }).waitFor();
    assert.equal(await plain.page.getByLabel('Title', { exact: true }).inputValue(), 'Feet in the monsoon');
    assert.equal(await text(plain.page).inputValue(), 'Keep **dry**');
    await region(plain.page).scrollIntoViewIfNeeded();
    await screenshot(plain.page, 'content-desk-text-plain');
    await plain.context.close();

    const { context, page, problems } = await signedIn(browser, system, 'editor', { path, viewport: PHONE });
    await text(page).fill('Keep your feet dry');
    await region(page).getByText('Keep your feet dry').waitFor();
    await text(page).selectText();
    await page.getByRole('button', { name: 'Bold' }).click();
    await region(page).locator('strong').waitFor();
    await page.keyboard.press('Control+z');
    assert.equal(await text(page).inputValue(), 'Keep your feet dry', 'a tool is undone by the keyboard');
    await text(page).press('ControlOrMeta+End');
    for (const tool of ['Heading', 'List']) {
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: tool }).click();
      await page.keyboard.type(`${tool} <3`);
    }
    await region(page).getByRole('listitem').getByText('List <3').waitFor();
    assert.deepEqual(await axe(page), []);
    await assertReflows(page);
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      await text(page).scrollIntoViewIfNeeded();
      await screenshot(page, `content-desk-text-${viewport.width}`);
    }
    const waits = [];
    for (const word of ['Socks', 'Shoes', 'Towels', 'Sandals', 'Powder']) {
      await page.keyboard.type(word.slice(0, -1));
      const began = performance.now();
      await page.keyboard.type(word.slice(-1));
      await region(page).getByText(word).first().waitFor();
      waits.push(performance.now() - began);
    }
    console.log(`key to shown text, in ms: ${waits.map(Math.round).join(', ')}`);
    await context.setOffline(true);
    await page.keyboard.type('Lost');
    await shows(page, 'We can’t update this at the moment');
    assert.match(await region(page).textContent(), /Powder/);
    await context.setOffline(false);
    await page.keyboard.type('Found');
    await region(page).getByText('LostFound').waitFor();
    assert.deepEqual(
      problems.filter((line) => !line.includes('ERR_INTERNET_DISCONNECTED')),
      [],
    );
    await context.close();
  });

  test('a post is written on a phone, planned, undone and archived', async () => {
    const { context, page, problems } = await signedIn(browser, system, 'editor', {
      path: '/staff/content/post/new',
      viewport: PHONE,
      javaScriptEnabled: false,
    });
    for (const path of ['/', '/blogs']) await fetch(system.origin + path);
    await page.getByLabel('Id', { exact: true }).fill('monsoon-feet');
    await page.getByLabel('Title', { exact: true }).fill('Feet in the monsoon');
    await page.getByLabel('Text (optional)', { exact: true }).first().fill('<p>Keep them <b>dry</b>.</p>');
    await screenshot(page, 'content-desk-post-phone');
    await page.getByRole('button', { name: 'Save draft' }).first().click();
    await shows(page, 'Publish version 1 now');
    assert.equal((await system.api('/blogs/monsoon-feet')).status, 404, 'a draft is not read');
    const record = page.url();
    await page.getByRole('link', { name: 'Preview version 1' }).click();
    // Both: leaving the page would abort the load of a frame.
    const framed = async () => {
      for (const screen of ['phone', 'desktop'])
        await shows(page.frameLocator(`iframe[title="Preview on a ${screen}"]`), 'Feet in the monsoon');
    };
    await framed();
    await screenshot(page, 'content-desk-post-preview');
    for (const view of ['The list', 'Home']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await page.waitForLoadState();
      await framed();
    }
    for (const path of ['/', '/blogs'])
      assert.ok(!(await (await fetch(system.origin + path)).text()).includes('Feet in the monsoon'), path);
    await page.goto(record);
    await page.getByRole('button', { name: 'Save, then choose or upload a picture: New section' }).click();
    await shows(page, 'For the field “Section 1: Picture”');
    await assertReflows(page);
    await screenshot(page, 'content-desk-post-section-picture');
    await page.goto(record);
    await page.getByText('Publish at a time…').click();
    const later = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 16);
    await page.getByLabel('Publish on').fill(later);
    await page.getByRole('button', { name: /at these times$/ }).click();
    await shows(page, /will be published on/);
    // The form has minutes; the API has any time.
    const address = '/records/post/monsoon-feet';
    const headers = { Authorization: `Bearer ${system.token('content:read content:publish')}` };
    const etag = (await system.api(address, { headers })).headers.get('etag');
    const planned = await system.api(`${address}:publish`, {
      method: 'POST',
      headers: { ...headers, 'If-Match': etag },
      body: JSON.stringify({ publishTime: new Date(Date.now() + 2_000).toISOString() }),
    });
    assert.equal(planned.status, 200);
    for (const path of ['/blogs/feet-in-the-monsoon', '/blogs', '/']) await visitorsRead(path, 'Feet in the monsoon');
    await page.goto(`${system.origin}/staff/content/post/monsoon-feet`);
    await page.getByLabel('Text (optional)', { exact: true }).first().fill('<p>Wear sandals.</p>');
    await page.getByRole('button', { name: 'Save draft' }).first().click();
    await shows(page, /^Saved as version 2/);
    await page.getByRole('button', { name: /^Publish version 2 now/ }).click();
    await visitorsRead('/blogs/feet-in-the-monsoon', 'Wear sandals.');
    await page.getByRole('button', { name: /^Undo/ }).click();
    await visitorsRead('/blogs/feet-in-the-monsoon', 'Keep them');
    await page.goto(`${system.origin}/staff/content/post/monsoon-feet/history`);
    await shows(page, 'Version 3');
    await shows(page, nameOf('editor'));
    await screenshot(page, 'content-desk-post-history');
    await page.goto(`${system.origin}/staff/content/post/monsoon-feet`);
    await page.getByText('Archive…').click();
    await page.getByRole('button', { name: /^Archive this post/ }).click();
    await until('the page leads on', async () => {
      const answer = await fetch(`${system.origin}/blogs/feet-in-the-monsoon`, { redirect: 'manual' });
      return answer.status === 301 && answer.headers.get('location') === '/blogs';
    });
    await page.goto(`${system.origin}/staff/content?kind=post`);
    await shows(page, 'Feet in the monsoon');
    await assertReflows(page);
    await screenshot(page, 'content-desk-posts');
    assert.deepEqual(problems, []);
    await context.close();
  });

  /** Reads every page of a staff list. */
  async function listed(scope, path, name) {
    const headers = { Authorization: `Bearer ${system.token(scope)}` };
    const all = [];
    let pageToken = '';
    do {
      const more = pageToken && `&pageToken=${encodeURIComponent(pageToken)}`;
      const answer = await system.api(`${path}pageSize=100${more}`, { headers });
      assert.equal(answer.status, 200, path);
      const body = await answer.json();
      all.push(...body[name]);
      pageToken = body.nextPageToken;
    } while (pageToken);
    return all;
  }

  test('the same doctors have profiles and rosters, as they come', async () => {
    const [records, sessions] = [
      await listed('content:read', '/records/doctor?state=live&', 'records'),
      await listed('rosters:read', '/sessions?', 'sessions'),
    ];
    const profiles = records.map(({ recordId }) => recordId).sort();
    const rosters = [...new Set(sessions.flatMap(({ doctorId }) => doctorId || []))].sort();
    assert.ok(profiles.length > 0);
    assert.deepEqual(profiles, rosters);
  });

  test('a new doctor gets a profile and, by the next step, a roster', async () => {
    const manager = { path: '/staff/content/doctor/new', viewport: PHONE, javaScriptEnabled: false };
    const { context, page } = await signedIn(browser, system, 'manager', manager);
    const texts = {
      Id: 'doc-77', Name: 'Dr. Sumana Rao', Specialty: 'Cardiology', Degrees: 'MBBS, MD', 'Registration number': 'KMC 777',
      Experience: '5 Years', Languages: 'Kannada', Picture: '/images/doctors/dr-nandini-iyengar.svg',
      'Visiting days': 'Mon–Sat', Timings: '9:00 AM - 1:00 PM', About: 'Looks after hearts.', Education: 'MBBS',
      'Special fields': 'Echo', Title: 'Cardiologist', Description: 'A cardiologist.', 'Main search words': 'heart',
    }; // prettier-ignore
    for (const [label, text] of Object.entries(texts)) {
      await page
        .getByLabel(new RegExp(`^${label}( \\(|$)`))
        .first()
        .fill(text);
    }
    // The fee is forgotten, and the picture is none: both are named at once.
    await page.getByLabel('Picture').fill('photo.jpg');
    await page.getByRole('button', { name: 'Save draft' }).first().click();
    await shows(page, 'This doctor can’t be published yet');
    const problems = page.getByRole('alert').getByRole('link');
    assert.equal(await problems.count(), 2, (await problems.allTextContents()).join());
    await screenshot(page, 'content-desk-problems');
    await page.getByLabel('Picture').fill(texts.Picture);
    await page.getByLabel('Consultation fee in rupees').fill('700');
    await save(page);
    await page.getByRole('button', { name: /^Publish this/ }).click();
    await shows(page, 'It is published');
    await until('the checklist names the doctor', async () => {
      await page.goto(`${system.origin}/staff/content/checklist`);
      return (await page.getByText('Has a profile, but no session in a roster').count()) === 1;
    });
    await assertReflows(page);
    await screenshot(page, 'content-desk-checklist-phone');
    await page.goto(`${system.origin}/staff/content/doctor/doc-77`);
    await screenshot(page, 'content-desk-next-step');
    await page.getByRole('link', { name: 'Add the doctor’s roster' }).click();
    assert.equal(await page.getByLabel('Name of the doctor').inputValue(), texts.Name);
    assert.equal(await page.getByLabel('Department').inputValue(), 'cardiology');
    await page.getByLabel('Mon', { exact: true }).check();
    await page.locator('form[aria-label="New session"] [name=from]').fill('09:00');
    await page.locator('form[aria-label="New session"] [name=until]').fill('11:00');
    await page.getByLabel('Fee of the doctor, in rupees').fill('700');
    await screenshot(page, 'content-desk-roster');
    await page.getByRole('button', { name: 'Add the session' }).click();
    await shows(page, 'The session of Dr. Sumana Rao is added.');
    await until('patients can book', async () => {
      const { departments } = await (await system.api('/departments')).json();
      const { attendants } = departments.find(({ id }) => id === 'cardiology');
      return attendants.some(({ name, feeRupees }) => name === texts.Name && feeRupees === 700);
    });
    await page.goto(`${system.origin}/staff/content/checklist`);
    await shows(page, 'No photograph');
    assert.equal(await page.getByText('Has a profile, but no session').count(), 0);
    await context.close();
  });

  test('the checklist is read and followed on a desktop', async () => {
    const { context, page, problems } = await signedIn(browser, system, 'editor', {
      path: '/staff/content/checklist',
      viewport: DESKTOP,
    });
    await shows(page, 'No photograph');
    await assertReflows(page);
    assert.deepEqual(await axe(page), []);
    await screenshot(page, 'content-desk-checklist-desktop');
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('two editors: the second sees the difference and keeps the words', async () => {
    const one = await signedIn(browser, system, 'editor', { path: DOCTOR });
    const other = await signedIn(browser, system, 'manager', { path: DOCTOR });
    await one.page.getByLabel('Experience').fill('11 Years');
    await save(one.page);
    await other.page.getByLabel('Experience').fill('12 Years');
    await other.page.getByRole('button', { name: 'Save draft' }).first().click();
    await shows(other.page, '11 Years');
    assert.equal(await other.page.getByLabel('Experience').inputValue(), '12 Years');
    await screenshot(other.page, 'content-desk-conflict');
    await one.context.close();
    await other.context.close();
  });
});
