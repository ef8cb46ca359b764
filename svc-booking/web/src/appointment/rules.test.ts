import { describe, expect, it } from 'vitest';
import { AFTERNOON, MORNING, bookingWindow, isDay, shortDay, spanFor } from './calendar.ts';
import { valuesFrom } from '@hospital/form/declaration';
import { violationsIn, violationsOf } from '@hospital/form/outcome';
import { posted } from '@hospital/form/testing';
import { type BookingValues, bookingForm, bookingPayload, notesOf } from './form.ts';

const now = '2026-11-21T09:30:00Z';
const bookingDays = bookingWindow(now);
const NO_VALUES = valuesFrom(bookingForm, {});
const check = (values: BookingValues) => violationsIn(bookingForm, bookingForm.rules(values, { now }));
const complete: BookingValues = {
  ...NO_VALUES, firstName: ' Asha ', lastName: 'Rao', email: 'asha@example.com', phone: '+91 98450 12345',
  department: 'Cardiology', date: '2026-11-23', time: '9:00 AM',
}; // prettier-ignore

describe('payload', () => {
  it('matches the specification', () => {
    expect(
      bookingPayload({ ...complete, doctor: ' Dr. Rao ', picked: 'doc-06 Dr. Rao', message: 'Chest pain ' }),
    ).toEqual({
      patientName: 'Asha Rao',
      email: 'asha@example.com',
      phone: '+91 98450 12345',
      date: '2026-11-23',
      time: '9:00 AM',
      reason: 'Chest pain',
      doctorId: 'doc-06',
      notes: 'Cardiology | Preferred: Dr. Rao',
    });
  });

  it('names a doctor in the notes only if one was typed', () => {
    expect(notesOf({ department: 'ENT', doctor: '  ', picked: '' })).toBe('ENT');
  });
});

describe('calendar', () => {
  it('has the 18 slots of the specification', () => {
    expect(MORNING.length + AFTERNOON.length).toBe(18);
    expect([MORNING[0], MORNING.at(-1), AFTERNOON[0], AFTERNOON.at(-1)]).toEqual([
      '9:00 AM',
      '12:30 PM',
      '2:00 PM',
      '6:30 PM',
    ]);
  });

  it('starts with the day in India, not in UTC', () => {
    expect(bookingWindow('2026-11-21T20:00:00Z')).toEqual({ first: '2026-11-22', last: '2027-01-21' });
  });

  it('requests fourteen days with the chosen one, within the window', () => {
    expect(spanFor('', bookingDays)).toEqual({ from: '2026-11-21', to: '2026-12-04' });
    expect(spanFor('2026-12-04', bookingDays)).toEqual({ from: '2026-11-21', to: '2026-12-04' });
    expect(spanFor('2026-12-05', bookingDays)).toEqual({ from: '2026-12-05', to: '2026-12-18' });
    expect(spanFor('2026-12-18', bookingDays)).toEqual({ from: '2026-12-05', to: '2026-12-18' });
    expect(spanFor('2027-01-18', bookingDays)).toEqual({ from: '2027-01-16', to: '2027-01-20' });
    expect(spanFor('2031-01-01', bookingDays).from).toBe('2026-11-21');
  });

  it('refuses text that only looks like a day', () => {
    expect([isDay('2026-11-23'), isDay('2026-02-30'), isDay('23.11.2026'), isDay('')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(shortDay('2026-11-23')).toEqual({ weekday: 'Mon', date: '23 Nov' });
  });
});

describe('violations', () => {
  it('finds none in a complete form', () => {
    expect(check(complete)).toEqual([]);
  });

  it('finds all at once, in the order of the form', () => {
    expect(check(NO_VALUES).map(({ field }) => field)).toEqual([
      'department', 'date', 'time', 'firstName', 'lastName', 'email', 'phone',
    ]); // prettier-ignore
  });

  it.each([
    ['phone', '080-1234567'],
    ['phone', ' (080) 123 4567'],
    ['lastName', 'x'.repeat(115)],
    ['firstName', 'ಶ್ರೀನಿವಾಸ್\u200c'],
    ['doctor', 'x'.repeat(276)],
    ['message', 'ನೋವು\r\n👨\u200d👩\u200d👧'],
    ['message', '\u200b'],
  ])('accepts %s %s, like the service', (field, value) => {
    expect(check({ ...complete, [field]: value })).toEqual([]);
  });

  it('requires a letter in a name', () => {
    expect(check({ ...complete, firstName: '1', lastName: '2' })).toEqual([
      { field: 'lastName', message: 'Enter a name with at least one letter' },
    ]);
  });

  it.each([
    ['email', 'nobody', 'Enter an e-mail address such as name@example.com'],
    ['email', 'asha@example', 'Enter an e-mail address such as name@example.com'],
    ['email', 'asha@example.com\u202e', 'Remove the characters that cannot be seen, or type this again'],
    ['phone', '12345', 'Enter a phone number of 7 to 15 digits, such as +91 80 0000 0000'],
    ['phone', '1234567890123456', 'Enter a phone number of 7 to 15 digits, such as +91 80 0000 0000'],
    ['firstName', '\u200b', 'Enter the first name of the patient'],
    ['lastName', '\u202eRao', 'Remove the characters that cannot be seen, or type this again'],
    ['doctor', 'Dr.\u0000', 'Remove the characters that cannot be seen, or type this again'],
    ['message', 'a\u200bb', 'Remove the characters that cannot be seen, or type this again'],
    ['date', '2026-11-22', 'Choose a day from Monday to Saturday'],
    ['date', '2026-11-20', 'Choose today or a later day'],
    ['date', '2027-01-21', 'Choose a day in the next 60 days'],
    ['message', 'x'.repeat(2001), 'Shorten this to 2000 characters'],
    ['lastName', 'x'.repeat(116), 'Shorten this to 120 characters'],
    ['doctor', 'x'.repeat(277), 'Shorten this to 276 characters'],
  ])('refuses %s %s', (field, value, message) => {
    expect(check({ ...complete, [field]: value })).toEqual([{ field, message }]);
  });

  it('maps refused members of the payload to the fields of the form', () => {
    const fields = ['notes', 'patientName', 'doctorId', 'reason', 'date', 'requestId', 'date'];
    expect(
      violationsOf(
        bookingForm,
        fields.map((field, index) => ({ field, message: `m${index}` })),
      ),
    ).toEqual([
      { field: 'department', message: 'm0' },
      { field: 'doctor', message: 'm2' },
      { field: 'date', message: 'm4' },
      { field: 'firstName', message: 'm1' },
      { field: 'message', message: 'm3' },
    ]);
  });
});

describe('values', () => {
  it('maps a service of the home page to its department', () => {
    expect(valuesFrom(bookingForm, posted({ service: 'General Consultation' })).department).toBe('General Medicine');
    expect(valuesFrom(bookingForm, posted({ service: 'Cardiology', intent: 'prefill' }))).toEqual({
      ...NO_VALUES,
      department: 'Cardiology',
    });
  });
});
