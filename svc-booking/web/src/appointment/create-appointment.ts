import type { Problem } from '@hospital/page';
import type { Booked } from './outcome.ts';
import type { BookingPayload } from './payload.ts';

export type BookingAnswer =
  | { kind: 'created'; appointment: Booked }
  | { kind: 'refused'; status: number; problem: Problem | null }
  /** Nobody knows whether it was stored: no connection, or no answer in time. */
  | { kind: 'unanswered' };

export async function createAppointment(payload: BookingPayload, requestId: string): Promise<BookingAnswer> {
  const response = await fetch('/api/appointments', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'fetch', 'idempotency-key': requestId },
    body: JSON.stringify(payload),
  }).catch(() => null);
  if (!response) return { kind: 'unanswered' };
  const body = await response.json().catch(() => null);
  if (response.ok) return { kind: 'created', appointment: body as Booked };
  return { kind: 'refused', status: response.status, problem: body as Problem | null };
}
