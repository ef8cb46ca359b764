// @vitest-environment happy-dom
/** The page as served and as the answer to posts, and with script. */
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type Root, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Api, type Reply, type Seen, inEngine, posted, reply, serveApi } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { days, pageProps } from './appointment/fixtures.ts';
import ManagePage, { head, status } from './manage.tsx';
import { APPOINTMENT, CANCELLED, ENTRY, MOVED, NEW_SECRET, OFFERED, SECRET } from './manage/fixtures.ts';

type Props = Parameters<typeof ManagePage>[0];

// Axe and a server beside each other take their time on a busy machine.
configure({ asyncUtilTimeout: 5000 });

const NOW = '2026-11-21T09:30:00Z';
const TITLE = 'Your appointment | Sampige Hospital';
const LINK = { reference: APPOINTMENT.reference, secret: SECRET };
const CARRIED = {
  ...LINK, etag: 'v1', department: 'cardiology', doctorId: 'doc-06', bookedDate: '2026-11-23', bookedTime: '9:30 AM',
}; // prettier-ignore
const PERSON = { patientName: 'Asha R.', email: 'asha@example.com', phone: '98450 12345', reason: 'Pain' };

const props = (change: Partial<Props> = {}) =>
  pageProps({ path: '/appointment/manage', part: 'booking:/appointment/manage', ...change });
const acted = (task: string, code: number, body: unknown, form: Record<string, string> = LINK) =>
  props({ action: { form: posted({ task, ...form }), result: { status: code, body } } });

let root: Root | null = null;
let api: Api;
let answer: (seen: Seen) => Reply;
/** How far the clock of the server is ahead of that of the device, in milliseconds. */
let serverAheadMs = 0;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) });
  (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.api')] = undefined;
  history.replaceState(null, '', '/appointment/manage');
  document.title = TITLE;
  serverAheadMs = 0;
  api = await serveApi(
    (seen) => answer(seen),
    () => Date.now() + serverAheadMs,
  );
  answer = () => reply.json(200, APPOINTMENT);
  vi.stubGlobal('fetch', api.fetch);
  vi.spyOn(console, 'error').mockImplementation((...words) => expect.fail(`console.error: ${words.join(' ')}`));
});

afterEach(async () => {
  await act(async () => root?.unmount());
  root = null;
  cleanup();
  document.body.replaceChildren();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await api.close();
});

function serve(given: Props): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<ManagePage {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

async function open(given = props()) {
  const main = serve(given);
  await act(async () => {
    root = hydrateRoot(main, <ManagePage {...given} />, {
      identifierPrefix: 'f0-',
      onRecoverableError: (error) => expect.fail(String(error)),
    });
  });
  return main;
}

/** Comes by the link. */
async function come(secret = SECRET, reference = LINK.reference) {
  history.replaceState(null, '', `/appointment/manage#${reference}.${secret}`);
  return open();
}

const form = (task: string) =>
  document.querySelector(`input[name=task][value=${task}]`)?.closest('form') as HTMLFormElement;
const hidden = (task: string) =>
  Object.fromEntries(
    [...form(task).querySelectorAll<HTMLInputElement>('[type=hidden]')].map((field) => [field.name, field.value]),
  );
const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const alert = () => screen.findByRole('alert');
/** U5: what has been done is the page's heading, has the focus, and is its title. */
async function isSaid(words: string) {
  const heading = await screen.findByRole('heading', { level: 1, name: words });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(document.title).toBe(`${words} | Sampige Hospital`);
}

describe('as served', () => {
  const pages: [string, Props][] = [
    ['plain', props()],
    ['without data', props({ data: { departments: { ok: false, status: 503, body: null }, doctors: { ok: false, status: 503, body: null }, site: { ok: false, status: 503, body: null } } })],
    ['wrong', acted('find', 204, null, { reference: 'x', secret: '' })],
    ['unknown', acted('find', 404, { reason: 'NOT_FOUND' })],
    ['replaced', acted('find', 400, { reason: 'LINK_REPLACED' })],
    ['opened', acted('find', 200, APPOINTMENT)],
    ['opened, cancelled', acted('find', 200, CANCELLED)],
    ['free times', acted('move', 200, { days: days('2026-11-24', '2026-11-30') }, { ...CARRIED, intent: 'times', date: '2026-11-24' })],
    ['no free time', acted('move', 200, { days: days('2026-11-22', '2026-11-22') }, { ...CARRIED, intent: 'times', date: '2026-11-22' })],
    ['moved', acted('move', 200, MOVED, { ...CARRIED, date: '2026-11-23', time: '10:00 AM' })],
    ['time taken', acted('move', 409, { reason: 'SLOT_TAKEN' }, { ...CARRIED, date: '2026-11-23', time: '10:00 AM' })],
    ['changed', acted('change', 200, APPOINTMENT, { ...LINK, etag: 'v1', ...PERSON })],
    ['changed meanwhile', acted('change', 412, { reason: 'ETAG_MISMATCH' }, { ...LINK, etag: 'v1', ...PERSON })],
    ['cancelled', acted('cancel', 200, CANCELLED, { ...LINK, etag: 'v1' })],
    ['not cancelled', acted('cancel', 503, null, { ...LINK, etag: 'v1' })],
    ['waiting', acted('find', 200, ENTRY, { ...LINK, reference: ENTRY.reference })],
    ['offered', acted('find', 200, OFFERED, { ...LINK, reference: ENTRY.reference })],
    ['accepted', acted('accept', 200, { ...APPOINTMENT, secret: NEW_SECRET }, { ...LINK, reference: ENTRY.reference })],
    ['left', acted('leave', 200, { ...ENTRY, state: 'WAITLIST_STATE_ENDED' }, { ...LINK, reference: ENTRY.reference })],
  ]; // prettier-ignore

  it.each(pages)('%s: breaks no accessibility rule and hydrates without a difference', async (_, given) => {
    answer = () => reply.json(200, { days: days('2026-11-21', '2026-12-04'), departments: [] });
    const main = serve(given);
    expect(await brokenRules(main)).toEqual([]);
    main.remove();
    const live = await open(given);
    expect(await brokenRules(live)).toEqual([]);
  });

  it('is a plain form that posts, and no page for search engines', () => {
    serve(props());
    const fields = [...form('find').elements].map((element) => element.getAttribute('name')).filter(Boolean);
    expect(fields).toEqual(['reference', 'secret', 'task', 'requestId', 'part']);
    expect([form('find').method, form('find').getAttribute('action')]).toEqual(['post', '/appointment/manage']);
    expect(head(props())).toMatchObject({ robots: 'noindex', referrer: 'same-origin' });
  });

  it('says the same of a wrong and of an unknown link, and shows nothing of anybody', () => {
    const main = serve(acted('find', 404, { reason: 'NOT_FOUND' }));
    expect(screen.getByRole('alert').textContent).toContain(
      'We could not find an appointment with this reference and link.',
    );
    expect(main.textContent).not.toContain('Asha');
    expect(status(acted('find', 404, { reason: 'NOT_FOUND' }))).toBe(404);
  });

  it('names reception when the link was replaced', () => {
    serve(acted('find', 400, { reason: 'LINK_REPLACED' }));
    expect(screen.getByRole('alert').textContent).toContain('This link was replaced by a newer one');
    expect(screen.getByRole('alert').querySelector('a[href="tel:+918000000141"]')).toBeTruthy();
  });

  it('shows what is booked, with all that can be done as native forms', () => {
    const main = serve(acted('find', 200, APPOINTMENT));
    for (const words of [
      'Booked', 'PatientAsha Rao', 'SH-7K3M-9QXD', 'Monday 23 November 2026', '9:30 AM IST', 'Cardiology', 'Dr. Nandini Iyengar', '1 Main Road',
    ]) expect(main.textContent).toContain(words); // prettier-ignore
    expect(screen.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')).toBe(
      'data:text/calendar;charset=utf-8,BEGIN%3AVCALENDAR%0D%0AEND%3AVCALENDAR%0D%0A',
    );
    expect(hidden('move')).toMatchObject(CARRIED);
    expect(hidden('change')).toMatchObject({
      ...LINK,
      etag: 'v1',
      date: '2026-11-23',
      time: '9:30 AM',
      doctorId: 'doc-06',
    });
    expect(hidden('cancel')).toMatchObject({ ...LINK, etag: 'v1' });
    // It is asked for first, and confirmed by what is folded away.
    expect(form('cancel').closest('details')?.open).toBe(false);
    expect(form('cancel').querySelector('button')?.textContent).toBe('Yes, cancel it');
    for (const link of main.querySelectorAll('a')) expect(link.href).not.toContain(SECRET);
  });

  it.each([
    ['cancelled', CANCELLED, 'Cancelled'],
    ['over', { ...APPOINTMENT, startsAt: '2026-11-21T09:00:00Z' }, 'Over'],
    ['missed', { ...APPOINTMENT, status: 'APPOINTMENT_STATUS_NO_SHOW' }, 'Missed'],
  ])('only shows one that is %s', (_, appointment, words) => {
    const main = serve(acted('find', 200, appointment));
    expect(main.textContent).toContain(words);
    expect(document.querySelector('form')).toBeNull();
  });

  it('goes by days to another time: its free times, then the new link', () => {
    const free = { days: days('2026-11-24', '2026-11-30', ['2026-11-24 9:00 AM']) };
    serve(acted('move', 200, free, { ...CARRIED, intent: 'times', date: '2026-11-24' }));
    expect(document.body.textContent).toContain('Booked now: Monday 23 November 2026, 9:30 AM IST');
    const times = [...form('move').querySelectorAll<HTMLInputElement>('input[type=radio]')];
    expect([times.length, times[0]?.disabled, times[1]?.disabled]).toEqual([18, true, false]);
    expect(hidden('move')).toMatchObject(CARRIED);
    expect((form('move').elements.namedItem('date') as HTMLInputElement).value).toBe('2026-11-24');
    document.body.replaceChildren();

    const main = serve(acted('move', 200, MOVED, { ...CARRIED, date: '2026-11-23', time: '10:00 AM' }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your appointment was moved');
    expect(main.textContent).toContain('The link that you had until now no longer works.');
    expect(main.textContent).toContain(`http://127.0.0.1:8080/appointment/manage#SH-7K3M-9QXD.${NEW_SECRET}`);
    expect(screen.getByRole('link', { name: 'Open this link' }).getAttribute('href')).toBe(
      `/appointment/manage#SH-7K3M-9QXD.${NEW_SECRET}`,
    );
    expect(hidden('cancel')).toMatchObject({ secret: NEW_SECRET, etag: 'v2' });
  });

  it('keeps what was typed when it was changed meanwhile, and leads back', () => {
    const given = acted(
      'change',
      412,
      { reason: 'ETAG_MISMATCH' },
      { ...LINK, etag: 'v1', notes: 'Cardiology', ...PERSON },
    );
    serve(given);
    expect(screen.getByRole('alert').textContent).toContain('It was changed meanwhile');
    expect((form('change').elements.namedItem('reason') as HTMLTextAreaElement).value).toBe('Pain');
    expect(hidden('find')).toMatchObject(LINK);
    expect(status(given)).toBe(412);
  });

  it('W11: has a title that says what has become of it', () => {
    const titleOf = (...given: Parameters<typeof acted>) => head(acted(...given)).title;
    expect(head(props()).title).toBe(TITLE);
    expect(titleOf('find', 200, APPOINTMENT)).toBe(TITLE);
    expect(titleOf('find', 404, { reason: 'NOT_FOUND' })).toBe(`Error: ${TITLE}`);
    const link = { ...LINK, etag: 'v1' };
    expect(titleOf('cancel', 200, CANCELLED, link)).toBe('Your appointment is cancelled | Sampige Hospital');
  });

  it('offers a time with its deadline', () => {
    const main = serve(acted('find', 200, OFFERED, { ...LINK, reference: ENTRY.reference }));
    expect(main.textContent).toContain('This time is kept for you until 3:20 PM IST');
    expect(hidden('accept')).toMatchObject({ reference: ENTRY.reference, secret: SECRET });
    expect(form('leave').closest('details')?.open).toBe(false);
  });
});

describe('with script', () => {
  it('opens the link without typing, and keeps it in the address', async () => {
    const main = await come();
    expect(await screen.findByText('Monday 23 November 2026')).toBeTruthy();
    expect(api.seen).toHaveLength(1);
    expect(api.seen[0]).toMatchObject({ method: 'GET', path: '/appointments/SH-7K3M-9QXD' });
    expect(api.seen[0]?.headers['x-appointment-secret']).toBe(SECRET);
    expect(location.hash).toBe(`#SH-7K3M-9QXD.${SECRET}`);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/a1B2c3|Asha/);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('opens what is typed, and puts its link into the address', async () => {
    await open();
    for (const [name, value] of Object.entries(LINK)) {
      fireEvent.input(form('find').elements.namedItem(name) as HTMLInputElement, { target: { value } });
    }
    await press('Open');
    await screen.findByText('Monday 23 November 2026');
    expect(location.hash).toBe(`#SH-7K3M-9QXD.${SECRET}`);
  });

  it.each([
    ['unknown', 404, 'NOT_FOUND', 'We could not find an appointment with this reference and link'],
    ['replaced', 400, 'LINK_REPLACED', 'This link was replaced by a newer one'],
  ])('says of a link that is %s what to do', async (_, code, reason, words) => {
    answer = () => reply.json(code, { reason });
    const main = await come();
    expect((await alert()).textContent).toContain(words);
    expect(main.textContent).not.toContain('Asha');
    expect((form('find').elements.namedItem('reference') as HTMLInputElement).value).toBe('SH-7K3M-9QXD');
  });

  it('does not act on anything but a whole link', async () => {
    history.replaceState(null, '', '/appointment/manage#main');
    await open();
    expect(api.seen).toEqual([]);
  });

  async function chooseTime() {
    const item = screen.getByText('Choose another time').closest('details') as HTMLDetailsElement;
    await act(async () => {
      item.open = true;
      item.dispatchEvent(new Event('toggle'));
    });
    fireEvent.click(await screen.findByRole('radio', { name: /^Mon 23 Nov/ }));
    fireEvent.click(screen.getByRole('radio', { name: '10:00 AM' }));
  }

  function site(changes: Record<string, Reply>) {
    answer = ({ method, path }) => {
      if (/^\/(availability|free-times)/.test(path)) {
        const list = days('2026-11-21', '2026-12-04');
        const short = list.map(({ date, closedReason, slots }) => ({
          date, closedReason, free: slots.filter(({ available }) => available).map(({ time }) => time),
        })); // prettier-ignore
        return reply.json(200, { days: list, departments: [{ department: 'cardiology', days: short }] });
      }
      return changes[`${method} ${path}`] ?? reply.json(200, APPOINTMENT);
    };
  }

  it('moves to another time of the same doctor: the new link replaces the old one', async () => {
    site({ 'POST /appointments/SH-7K3M-9QXD:move': reply.json(200, MOVED) });
    const main = await come();
    await screen.findByText('Monday 23 November 2026');
    expect(api.seen).toHaveLength(1);
    await chooseTime();
    expect(api.seen[1]?.path).toMatch(/^\/availability\?department=cardiology&doctor=doc-06&from=2026-11-21/);
    await press('Move to this time');
    await isSaid('Your appointment was moved');
    const move = api.seen.find(({ method }) => method === 'POST');
    expect(move?.body).toEqual({ date: '2026-11-23', time: '10:00 AM', doctorId: 'doc-06' });
    expect([move?.headers['if-match'], move?.headers['x-appointment-secret']]).toEqual(['"v1"', SECRET]);
    expect(location.hash).toBe(`#SH-7K3M-9QXD.${NEW_SECRET}`);
    expect(main.textContent).toContain(`/appointment/manage#SH-7K3M-9QXD.${NEW_SECRET}`);
    expect(main.textContent).not.toContain(SECRET);
    expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/a1B2c3|ZZZ/);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('stays as it is when the time was just taken', async () => {
    site({
      'POST /appointments/SH-7K3M-9QXD:move': reply.json(409, {
        reason: 'SLOT_TAKEN',
        metadata: { alternatives: '2026-11-24 9:30 AM' },
      }),
    });
    await come();
    await screen.findByText('Monday 23 November 2026');
    await chooseTime();
    await press('Move to this time');
    expect((await alert()).textContent).toContain('10:00 AM on Monday 23 November 2026 was just taken by someone else');
    expect(document.title).toBe(`Error: ${TITLE}`);
    await press('Tue 24 Nov, 9:30 AM');
    const time = await screen.findByRole('radio', { name: '9:30 AM', checked: true });
    expect(document.activeElement).toBe(time);
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Move to this time');
    await waitFor(() => expect(api.seen.at(-1)?.body).toMatchObject({ date: '2026-11-24', time: '9:30 AM' }));
    expect(location.hash).toBe(`#SH-7K3M-9QXD.${SECRET}`);
  });

  it('reads it again when it was changed meanwhile, and keeps what was typed', async () => {
    const theirs = { ...APPOINTMENT, patientName: 'Asha R. Rao', etag: 'v2' };
    let now = APPOINTMENT;
    answer = ({ method }) => {
      if (method === 'GET') return reply.json(200, now);
      now = theirs;
      return reply.json(412, { reason: 'ETAG_MISMATCH' });
    };
    await come();
    await screen.findByText('Monday 23 November 2026');
    const reason = () => form('change').elements.namedItem('reason') as HTMLTextAreaElement;
    fireEvent.input(reason(), { target: { value: 'Pain' } });
    await press('Save the changes');
    expect(await screen.findByText('This was changed meanwhile')).toBeTruthy();
    expect(reason().value).toBe('Pain');
    // What the other one has changed is not taken back by what stood in the form.
    expect((form('change').elements.namedItem('patientName') as HTMLInputElement).value).toBe('Asha R. Rao');
    expect(hidden('change')).toMatchObject({ etag: 'v2' });
    answer = () => reply.json(200, { ...theirs, reason: 'Pain', etag: 'v3' });
    await press('Save the changes');
    expect(await screen.findByText('Your changes are saved')).toBeTruthy();
    expect(api.seen.at(-1)?.body).toMatchObject({ reason: 'Pain', patientName: 'Asha R. Rao', date: '2026-11-23' });
  });

  it('cancels after it was confirmed', async () => {
    answer = ({ method }) => reply.json(200, method === 'POST' ? CANCELLED : APPOINTMENT);
    await come();
    await screen.findByText('Monday 23 November 2026');
    await press('Cancel this appointment');
    const dialog = screen.getByRole('dialog', { name: 'Cancel this appointment?' });
    expect(api.seen).toHaveLength(1);
    fireEvent.click(within(dialog).getByRole('button', { name: 'No, go back' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('Cancel this appointment');
    await press('Yes, cancel it');
    await isSaid('Your appointment is cancelled');
    expect(api.seen[1]).toMatchObject({ path: '/appointments/SH-7K3M-9QXD:cancel', body: {} });
    expect(document.querySelector('form')).toBeNull();
    expect(screen.getByRole('link', { name: 'Remove from calendar' })).toBeTruthy();
  });

  it('takes the time that is offered, with a link to the appointment', async () => {
    answer = ({ method }) => reply.json(200, method === 'POST' ? { ...APPOINTMENT, secret: NEW_SECRET } : OFFERED);
    await come(SECRET, ENTRY.reference);
    expect(await screen.findByText(/This time is kept for you until 3:20 PM IST/)).toBeTruthy();
    await press('Take this time');
    await isSaid('Your appointment is booked');
    expect(api.seen[1]?.headers['x-waitlist-secret']).toBe(SECRET);
    expect(location.hash).toBe(`#SH-7K3M-9QXD.${NEW_SECRET}`);
  });

  it('says when the offer is over, and where the entry stands', async () => {
    let over = false;
    answer = ({ method }) =>
      method === 'POST'
        ? ((over = true), reply.json(400, { reason: 'OFFER_OVER' }))
        : reply.json(200, over ? ENTRY : OFFERED);
    await come(SECRET, ENTRY.reference);
    await screen.findByText(/This time is kept for you/);
    await press('Take this time');
    await waitFor(() =>
      expect(screen.getByRole('heading', { level: 2, name: 'You are on the waitlist' })).toBeTruthy(),
    );
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The time is no longer kept for you');
    expect(api.seen.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  });

  /** An offer whose deadline passes while the page is looked at: so many milliseconds from now. */
  const ending = (ms: number) => ({ ...OFFERED, offerExpireTime: new Date(Date.parse(NOW) + ms).toISOString() });
  const later =
    (ms: number, then: Reply): Reply =>
    (...args) =>
      void setTimeout(() => then(...args), ms);

  it('W4: waits for the answer to an acceptance that was sent in the last second', async () => {
    const booked = reply.json(200, { ...APPOINTMENT, secret: NEW_SECRET });
    answer = ({ method }) => (method === 'POST' ? later(1500, booked) : reply.json(200, ending(700)));
    await come(SECRET, ENTRY.reference);
    await screen.findByText(/This time is kept for you/);
    await press('Take this time');
    await isSaid('Your appointment is booked');
    await waitFor(() => expect(location.hash).toBe(`#SH-7K3M-9QXD.${NEW_SECRET}`));
    expect(api.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('W4: says what was taken when the answer to it was lost', async () => {
    let isTaken = false;
    answer = ({ method }) => {
      if (method === 'GET')
        return reply.json(200, isTaken ? { ...ENTRY, state: 'WAITLIST_STATE_BOOKED' } : ending(700));
      isTaken = true;
      return later(400, reply.closed);
    };
    await come(SECRET, ENTRY.reference);
    await screen.findByText(/This time is kept for you/);
    await press('Take this time');
    expect(await screen.findByText(/We have sent the link to your appointment to your e-mail address/)).toBeTruthy();
    expect(document.body.textContent).not.toContain('Nothing of what you sent was done');
  });

  it('reads the entry again when the deadline passes', async () => {
    let reads = 0;
    answer = () => reply.json(200, (reads += 1) > 1 ? ENTRY : ending(700));
    await come(SECRET, ENTRY.reference);
    await screen.findByText(/This time is kept for you/);
    expect(await screen.findByText('The time is no longer kept for you')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it.each([
    ['25 minutes ahead', 25],
    ['three hours behind', -180],
  ])('W5: shows an offer on a device whose clock is %s', async (_, minutes) => {
    serverAheadMs = -minutes * 60_000;
    vi.setSystemTime(Date.parse(NOW) + minutes * 60_000);
    answer = () => reply.json(200, OFFERED);
    await come(SECRET, ENTRY.reference);
    expect(await screen.findByText(/This time is kept for you until 3:20 PM IST/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Take this time' })).toBeTruthy();
    await new Promise((done) => setTimeout(done, 50));
    expect(api.seen).toHaveLength(1);
  });

  it('W5: lets an appointment be changed whose time is over by the device’s clock alone', async () => {
    serverAheadMs = -72 * 3_600_000;
    vi.setSystemTime(Date.parse(NOW) + 72 * 3_600_000);
    await come();
    expect(await screen.findByText('Cancel this appointment')).toBeTruthy();
  });
});
