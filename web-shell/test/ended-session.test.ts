// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { reloadEnded } from '../src/client/ended-session.ts';

const STAFF = '<form method="post" action="/staff/sign-out"><button>Sign out</button></form>';
const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
const request = vi.fn();

beforeAll(() => {
  vi.stubGlobal('fetch', request);
  reloadEnded();
});
afterEach(() => vi.clearAllMocks());

/** Shows a page, from the back/forward cache or not, to a browser whose next request gets this response. */
async function show(body: string, persisted: boolean, response: Promise<{ type: string }>): Promise<void> {
  document.body.innerHTML = body;
  request.mockReturnValue(response);
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  await response.catch(() => undefined);
}

it('reloads a restored page of staff whose session has ended', async () => {
  await show(STAFF, true, Promise.resolve({ type: 'opaqueredirect' }));
  expect(request).toHaveBeenCalledExactlyOnceWith('/staff', { method: 'HEAD', redirect: 'manual' });
  expect(reload).toHaveBeenCalledOnce();
});

it('leaves a restored page of staff whose session is valid, or without a connection', async () => {
  await show(STAFF, true, Promise.resolve({ type: 'basic' }));
  await show(STAFF, true, Promise.reject(new TypeError('offline')));
  expect(request).toHaveBeenCalledTimes(2);
  expect(reload).not.toHaveBeenCalled();
});

it('makes no request for other pages, nor for a page that was loaded', async () => {
  await show('<p>Doctors</p>', true, Promise.resolve({ type: 'opaqueredirect' }));
  await show(STAFF, false, Promise.resolve({ type: 'opaqueredirect' }));
  expect(request).not.toHaveBeenCalled();
});
