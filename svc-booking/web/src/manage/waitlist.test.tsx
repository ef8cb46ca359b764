// @vitest-environment happy-dom
/** A waitlist entry and its offers, with script. */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type Reply, reply } from '@hospital/form/testing';
import { APPOINTMENT, ENTRY, NEW_SECRET, OFFERED, SECRET } from './fixtures.ts';
import { NOW, aPageForEachCase, come, isSaid, press, server } from './testing.tsx';

aPageForEachCase();

describe('the waitlist, with script', () => {
  it('accepts the offered time, with a link to the appointment', async () => {
    server.answer = ({ method }) =>
      reply.json(200, method === 'POST' ? { ...APPOINTMENT, secret: NEW_SECRET } : OFFERED);
    await come(SECRET, ENTRY.reference);
    expect(await screen.findByText(/We’re holding this time for you until 3:20 PM IST/)).toBeTruthy();
    await press('Take this time');
    await isSaid('Your appointment is booked');
    expect(server.seen[1]?.headers['x-waitlist-secret']).toBe(SECRET);
    expect(location.hash).toBe(`#SH-7K3M-9QXD.${NEW_SECRET}`);
  });

  it('shows that the offer has expired, and the state of the entry', async () => {
    let over = false;
    server.answer = ({ method }) =>
      method === 'POST'
        ? ((over = true), reply.json(400, { reason: 'OFFER_OVER' }))
        : reply.json(200, over ? ENTRY : OFFERED);
    await come(SECRET, ENTRY.reference);
    await screen.findByText(/We’re holding this time for you/);
    await press('Take this time');
    await waitFor(() =>
      expect(screen.getByRole('heading', { level: 2, name: 'You’re on the waiting list' })).toBeTruthy(),
    );
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('We’re no longer holding the time for you');
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  });

  /** An offer that expires in this many milliseconds, while the page is open. */
  const ending = (ms: number) => ({ ...OFFERED, offerExpireTime: new Date(Date.parse(NOW) + ms).toISOString() });
  const later =
    (ms: number, then: Reply): Reply =>
    (...args) =>
      void setTimeout(() => then(...args), ms);

  it('W4: waits for the response to an acceptance in the last second', async () => {
    const booked = reply.json(200, { ...APPOINTMENT, secret: NEW_SECRET });
    server.answer = ({ method }) => (method === 'POST' ? later(1500, booked) : reply.json(200, ending(700)));
    await come(SECRET, ENTRY.reference);
    await screen.findByText(/We’re holding this time for you/);
    await press('Take this time');
    await isSaid('Your appointment is booked');
    await waitFor(() => expect(location.hash).toBe(`#SH-7K3M-9QXD.${NEW_SECRET}`));
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('W4: shows the accepted time if the response was lost', async () => {
    let isTaken = false;
    server.answer = ({ method }) => {
      if (method === 'GET')
        return reply.json(200, isTaken ? { ...ENTRY, state: 'WAITLIST_STATE_BOOKED' } : ending(700));
      isTaken = true;
      return later(400, reply.closed);
    };
    await come(SECRET, ENTRY.reference);
    await screen.findByText(/We’re holding this time for you/);
    await press('Take this time');
    expect(await screen.findByText(/We’ve e-mailed you the link to your appointment/)).toBeTruthy();
    expect(document.body.textContent).not.toContain('Your changes weren’t saved');
  });

  it('reads the entry again when the deadline passes', async () => {
    let reads = 0;
    server.answer = () => reply.json(200, (reads += 1) > 1 ? ENTRY : ending(700));
    await come(SECRET, ENTRY.reference);
    await screen.findByText(/We’re holding this time for you/);
    expect(await screen.findByText('We’re no longer holding the time for you')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
  });

  it.each([
    ['25 minutes ahead', 25],
    ['three hours behind', -180],
  ])('W5: shows an offer on a device whose clock is %s', async (_, minutes) => {
    server.aheadMs = -minutes * 60_000;
    vi.setSystemTime(Date.parse(NOW) + minutes * 60_000);
    server.answer = () => reply.json(200, OFFERED);
    await come(SECRET, ENTRY.reference);
    expect(await screen.findByText(/We’re holding this time for you until 3:20 PM IST/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Take this time' })).toBeTruthy();
    await new Promise((done) => setTimeout(done, 50));
    expect(server.seen).toHaveLength(1);
  });

  it('W5: lets an appointment be changed that is over only by the device’s clock', async () => {
    server.aheadMs = -72 * 3_600_000;
    vi.setSystemTime(Date.parse(NOW) + 72 * 3_600_000);
    await come();
    expect(await screen.findByText('Cancel this appointment')).toBeTruthy();
  });
});
