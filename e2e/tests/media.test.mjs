/** Pictures that staff upload: from a phone's photograph to the forms that visitors get, and what is refused. */
/* global Blob, ImageData, OffscreenCanvas */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { launch, visitor } from '../browser.mjs';
import { until } from '../processes.mjs';
import { signedIn } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

/** Position in the EXIF data of the photograph, and the orientation of a phone held upright. */
const DATUM = 'GPS-12.97N-77.59';
const ORIENTATION = 6;
/** Maximum memory of svc-content after two uploads of 1 megapixel, with their forms. */
const MEMORY_MIB_MAX = 300;

/** Time for the six forms, unoptimised on a busy machine. */
const FORMS_MS_MAX = 180_000;

/** Returns an EXIF segment: the orientation, and a directory with a position. */
function exif() {
  const tiff = [
    ...[0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 2],
    ...[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, ORIENTATION, 0, 0],
    ...[0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0],
    ...[0, 1, 0, 0x12, 0, 2, 0, 0, 0, DATUM.length, 0, 0, 0, 56, 0, 0, 0, 0],
    ...Buffer.from(DATUM),
  ];
  return [0xff, 0xe1, 0, tiff.length + 8, ...Buffer.from('Exif\0\0'), ...tiff];
}

/** Returns the header of a PNG of 50,000 × 50,000 pixels. */
function bomb() {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  return [...header, 0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50, 8, 2, 0, 0, 0, 0, 0, 0, 0];
}

/**
 * Uploads a picture as a script of a staff page does. `what`: `photograph` or `truncated`, a photograph of 1 megapixel,
 * or the bytes, text or size of another body.
 */
function put(page, what, query = 'alt=Clouds') {
  return page.evaluate(
    async ([what, exif, query]) => {
      let body = new Blob([typeof what === 'string' ? what : new Uint8Array(what)]);
      if (what === 'photograph' || what === 'truncated') {
        const canvas = new OffscreenCanvas(1200, 900);
        const context = canvas.getContext('2d');
        const noise = new ImageData(1200, 900);
        let state = 1;
        for (let at = 0; at < noise.data.length; at += 1) {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          noise.data[at] = at % 4 === 3 ? 255 : ((at >> 8) % 160) + (state >>> 29);
        }
        context.putImageData(noise, 0, 0);
        const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
        body = new Blob([jpeg.slice(0, 2), new Uint8Array(exif), jpeg.slice(2)]);
        if (what === 'truncated') body = body.slice(0, body.size / 2);
      }
      const headers = { 'x-requested-with': 'fetch' };
      const began = performance.now();
      const answer = await fetch(`/api/media?${query}`, { method: 'PUT', headers, body });
      const seconds = (performance.now() - began) / 1000;
      return { status: answer.status, seconds, bytes: body.size, body: await answer.json() };
    },
    [what, exif(), query],
  );
}

/** Calls the API with JSON as a script of a staff page does. */
function call(page, method, path, body, headers = {}) {
  return page.evaluate(
    async ([method, path, body, headers]) => {
      const sent = { 'content-type': 'application/json', 'x-requested-with': 'fetch', ...headers };
      const answer = await fetch(`/api${path}`, { method, headers: sent, body: body && JSON.stringify(body) });
      return { status: answer.status, body: await answer.json() };
    },
    [method, path, body, headers],
  );
}

describe('pictures of staff', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start({ gateway: UNLIMITED, staff: true }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  test('an editor uploads a photograph, describes it, and visitors get it', async () => {
    const { page } = await signedIn(browser, system, 'editor');
    const uploaded = await put(page, 'photograph');
    assert.equal(uploaded.status, 201, JSON.stringify(uploaded.body));
    const { hash, widths, width, height, etag } = uploaded.body;
    assert.deepEqual({ width, height, widths }, { width: 900, height: 1200, widths: [320, 640, 900] });

    assert.equal(uploaded.body.alt, 'Clouds');
    // The process ends between the answer and the forms.
    const service = system.programs['svc-content'];
    await service.kill();
    await service.start();
    await service.ready();

    const changed = { alt: 'Blue clouds', focalX: 20 };
    const { body: described } = await call(page, 'PUT', `/media/${hash}`, changed, { 'if-match': `"${etag}"` });
    assert.deepEqual([described.alt, described.focalX, described.focalY], ['Blue clouds', 20, 50]);
    const late = await call(page, 'PUT', `/media/${hash}`, changed, { 'if-match': `"${etag}"` });
    assert.equal(late.body.reason, 'ETAG_MISMATCH');

    const ready = async () => (await call(page, 'GET', `/media/${hash}`)).body.state === 'ready';
    await until('the forms of the picture', ready, FORMS_MS_MAX);
    const sizes = {};
    for (const of of widths) {
      for (const type of ['avif', 'webp']) {
        const answer = await fetch(`${system.origin}/media/${hash}-${of}.${type}`);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-type'), `image/${type}`);
        assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
        assert.match(answer.headers.get('content-security-policy'), /default-src 'none'.*sandbox/);
        const form = Buffer.from(await answer.arrayBuffer());
        assert.ok(!form.includes('Exif') && !form.includes(DATUM));
        sizes[`${of}.${type}`] = form.length;
      }
    }
    const { seconds, bytes } = uploaded;
    console.log(`${bytes} bytes answered in ${seconds.toFixed(1)} s; forms: ${JSON.stringify(sizes)}`);
    const { body: list } = await call(page, 'GET', '/media');
    assert.deepEqual(
      list.media.map((one) => one.hash),
      [hash],
    );
    assert.equal((await put(page, 'photograph')).status, 200);
    const [, peak] = readFileSync(`/proc/${service.pid}/status`, 'utf8').match(/VmHWM:\s+(\d+) kB/);
    console.log(`peak memory of svc-content: ${Math.round(peak / 1024)} MiB`);
    assert.ok(peak / 1024 < MEMORY_MIB_MAX);

    const { page: seen } = await visitor(browser);
    for (const type of ['avif', 'webp']) {
      await seen.goto(`${system.origin}/media/${hash}-640.${type}`);
      const shown = await seen.locator('img').evaluate((image) => [image.naturalWidth, image.naturalHeight]);
      assert.deepEqual(shown, [640, 853]);
    }
    for (const path of [
      `${hash}-641.avif`,
      `${hash}-640.png`,
      `${hash}-source.png`,
      `${hash}-640.avif/x`,
      `..%2f${hash}-640.avif`,
      `%2e%2e%2f${hash}-640.avif`,
      `${hash.toUpperCase()}-640.avif`,
      `${'0'.repeat(40)}-640.avif`,
      '',
      `${hash}-640.avif%00`,
    ]) {
      const answer = await fetch(`${system.origin}/media/${path}`);
      assert.equal(answer.status, 404, path);
      assert.doesNotMatch(answer.headers.get('cache-control') ?? '', /immutable/);
    }
  });

  test('what is no picture, too large, or sent by others is refused with the reason', async () => {
    const { page } = await signedIn(browser, system, 'editor');
    const svg = await put(page, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    assert.equal(svg.status, 400);
    const [{ field, message }] = svg.body.fields;
    assert.equal(field, 'picture');
    assert.equal(message, 'SVG is not accepted. Send a JPEG, PNG or WebP picture');
    const bombed = await put(page, bomb());
    assert.match(bombed.body.fields[0].message, /50000 × 50000 pixels. At most 40 million/);
    const truncated = await put(page, 'truncated');
    assert.match(truncated.body.fields[0].message, /incomplete or damaged/);
    const undescribed = await put(page, bomb(), '');
    assert.deepEqual(undescribed.body.fields.map(({ field }) => field).sort(), ['alt', 'picture']);
    const large = await put(page, 21 * 1024 * 1024);
    assert.equal(large.status, 413);
    assert.match(large.body.detail, /20971520 bytes/);
    const larger = await put(page, 50 * 1024 * 1024).catch((error) => error);
    // A browser that is still sending when the connection closes may report no status.
    assert.ok(larger instanceof Error || larger.status === 413, JSON.stringify(larger));
    const other = await signedIn(browser, system, 'frontdesk');
    assert.equal((await put(other.page, 'x')).status, 403);
    const headers = { 'x-requested-with': 'fetch' };
    const anonymous = await fetch(`${system.origin}/api/media`, { method: 'PUT', headers, body: 'x' });
    assert.equal(anonymous.status, 401);
  });
});
