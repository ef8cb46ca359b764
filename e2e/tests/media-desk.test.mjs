/** Pictures at the desk: from a phone's photograph to the doctor's card, without script. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertReflows, axe, launch, screenshot, visitor } from '../browser.mjs';
import { until } from '../processes.mjs';
import { signedIn } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const DOCTOR = '/staff/content/doctor/doc-08';
const DESCRIPTION = 'A doctor in a white coat';
const SVG = {
  name: 'a.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
};

/** An upright picture with a head, a coat and a wall, as a browser paints it. */
const SCENE = `<body style="margin:0;height:100vh;background:linear-gradient(#9db8ae,#e9dcc3);overflow:hidden">
  <div style="position:absolute;left:34%;top:14%;width:32%;height:26%;border-radius:50%;background:#a9714b"></div>
  <div style="position:absolute;left:16%;top:42%;width:68%;height:70%;border-radius:45%;background:#fdfdfb"></div>`;

/** Time for the forms of a picture, unoptimised on a busy machine. */
const FORMS_MS_MAX = 180_000;

describe('pictures at the desk', () => {
  let system;
  let browser;
  let photograph;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway, staff: true }), launch()]);
    const page = await browser.newPage({ viewport: { width: 900, height: 1200 } });
    await page.setContent(SCENE);
    photograph = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await page.screenshot({ type: 'jpeg' }) };
    await page.close();
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const shows = (page, text) => page.getByText(text).first().waitFor();

  async function upload(page, file, description = DESCRIPTION) {
    await page.getByRole('textbox', { name: 'Description' }).fill(description);
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload' }).click();
  }

  test('an editor with a phone gives a doctor a photograph, and visitors see it', async () => {
    const { context, page, problems } = await signedIn(browser, system, 'editor', {
      path: DOCTOR,
      viewport: PHONE,
      javaScriptEnabled: false,
    });
    const path = await page.getByRole('link', { name: 'See it on the website' }).getAttribute('href');
    await page.getByRole('button', { name: 'Save, then choose or upload a picture' }).click();
    await shows(page, 'There is no picture yet');
    await upload(page, SVG);
    await shows(page, 'SVG is not accepted');
    assert.equal(await page.getByRole('textbox', { name: 'Description' }).inputValue(), DESCRIPTION);
    await screenshot(page, 'media-desk-refused');
    await upload(page, photograph);
    await shows(page, 'The picture is uploaded');
    await page.getByRole('button', { name: 'Use this picture' }).click();
    await page.waitForURL(`${system.origin}${DOCTOR}#result`);
    assert.match(await page.getByLabel('Picture').inputValue(), /^\/media\/[0-9a-f]{40}$/);
    const publish = page.getByRole('button', { name: /^Publish version/ });
    const isPrepared = async () => {
      await page.goto(system.origin + DOCTOR);
      return (await publish.count()) > 0;
    };
    await until('the picture is prepared', isPrepared, FORMS_MS_MAX);
    await publish.click();
    await shows(page, 'It is published');
    const read = async (at) => (await fetch(system.origin + at)).text();
    await until('the photograph on the page', async () => (await read(path)).includes('-640.avif'), FORMS_MS_MAX);
    await page.goto(system.origin + DOCTOR);
    await screenshot(page, 'media-desk-record');
    assert.deepEqual(
      problems.filter((line) => !line.includes('400')),
      [],
    );
    await context.close();
    for (const [name, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
      const { context: visit, page: seen } = await visitor(browser, { viewport });
      for (const at of [path, '/doctors']) {
        await until(`the photograph on ${at}`, async () => (await read(at)).includes('-320.avif'));
        await seen.goto(system.origin + at);
        const image = seen.locator('main img[srcset*="/media/"]').last();
        await image.scrollIntoViewIfNeeded();
        await until('the AVIF', () => image.evaluate(({ complete, naturalWidth }) => complete && naturalWidth > 0));
        assert.match(await image.evaluate(({ currentSrc }) => currentSrc), /-(320|640|900)\.avif$/);
        await screenshot(seen, `media-desk-${at === path ? 'profile' : 'doctors'}-${name}`);
      }
      await visit.close();
    }
  });

  test('a picture is described and cropped at the desk, and deleted if nothing uses it', async () => {
    const { context, page } = await signedIn(browser, system, 'editor', { path: '/staff/media', viewport: DESKTOP });
    const second = await browser.newPage({ viewport: { width: 700, height: 400 } });
    await second.setContent(SCENE.replace('#9db8ae', '#7a92c0'));
    await page.locator('[data-chosen]').waitFor({ state: 'attached' });
    const large = { ...photograph, buffer: Buffer.alloc(20 * 1024 * 1024 + 1) };
    await page.locator('input[type="file"]').setInputFiles(large);
    await shows(page, 'This picture has more than 20 MB');
    await upload(page, SVG);
    await shows(page, 'SVG is not accepted');
    assert.equal(await page.getByRole('textbox', { name: 'Description' }).inputValue(), DESCRIPTION);
    const picture = { ...photograph, buffer: await second.screenshot({ type: 'jpeg' }) };
    await page.locator('input[type="file"]').setInputFiles(picture);
    await page.locator('[data-chosen] img').waitFor();
    await screenshot(page, 'media-desk-chosen');
    // Not the first picture's, which the list shows already.
    await upload(page, picture, 'A doctor indoors');
    await second.close();
    await page.getByRole('heading', { name: 'A doctor indoors' }).waitFor();
    await until(
      'the forms',
      async () => {
        await page.reload();
        return (await page.locator('figure img').count()) > 0;
      },
      FORMS_MS_MAX,
    );
    // The script places the dot.
    await page.locator('[data-dot][style]').waitFor({ state: 'attached' });
    const board = page.locator('[data-board] img');
    const { width, height } = await board.boundingBox();
    await page.locator('[data-board]').click({ position: { x: Math.round(width * 0.3), y: Math.round(height * 0.7) } });
    await page.getByRole('radio', { name: 'Exactly: 30 % from the left, 70 % from the top' }).waitFor();
    await screenshot(page, 'media-desk-exact');
    await page.getByRole('radio', { name: 'Top right' }).check();
    await page.getByRole('textbox', { name: 'Description' }).fill('A doctor at a wall');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await shows(page, 'It is saved');
    assert.deepEqual(await axe(page), []);
    await assertReflows(page);
    for (const [name, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
      await page.setViewportSize(viewport);
      await screenshot(page, `media-desk-picture-${name}`);
    }
    const address = page.url().split('#')[0];
    await page.goto(`${system.origin}/staff/media`);
    await shows(page, 'A doctor at a wall');
    await shows(page, 'Not used');
    assert.deepEqual(await axe(page), []);
    await assertReflows(page);
    for (const [name, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
      await page.setViewportSize(viewport);
      await screenshot(page, `media-desk-list-${name}`);
    }
    await page.goto(address);
    await page.getByText('Delete…').click();
    await page.getByRole('button', { name: 'Delete this picture' }).click();
    await shows(page, 'The picture is deleted');
    assert.equal((await page.goto(address)).status(), 404);
    await context.close();
  });
});
