/** A visitor's steps to book: valid people, free times, the form with and without script. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { hydrated } from './browser.mjs';
import { mailTo } from './mail.mjs';

export const FAILED_TEXT = 'Failed to book appointment. Please try again.';
export const REFERENCE = /\bSH-[0-9A-Z]{4}-[0-9A-Z]{4}\b/;

/** Returns a unique person, so that logs can be searched for that person's data. */
export function person() {
  const number = String(randomInt(1e9)).padStart(9, '0');
  return {
    firstName: `Kaveri${number}`,
    lastName: `Testperson${number}`,
    email: `kaveri.${number}@patients.example`,
    phone: `+91 80 0${number}`,
    message: `Knee pain since spring, note ${number}`,
  };
}

/** Returns the date in India, `days` from today. */
export function dayFromToday(days) {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' });
  return parts.format(new Date(Date.now() + days * 86_400_000));
}

/**
 * Returns a free time of a department (or doctor), at least `days` from today. A different `index` gives each test a
 * different time.
 */
export async function freeSlot(system, { department = 'General Medicine', doctor = '', index = 0, days = 7 } = {}) {
  const query = new URLSearchParams({ department, doctor, from: dayFromToday(days), to: dayFromToday(days + 21) });
  const response = await system.api(`/availability?${query}`);
  assert.equal(response.status, 200, await response.clone().text());
  const found = await response.json();
  const free = found.days.flatMap(({ date, slots }) =>
    slots.filter(({ available }) => available).map(({ time }) => ({ date, time })),
  );
  assert.ok(free[index], `${department} ${doctor} has only ${free.length} free times`);
  return { department, ...free[index] };
}

/** Books every free time of a doctor on one day. Returns the day and the first booking. */
export async function fillDay(system, { id, department }) {
  const { date } = await freeSlot(system, { department, doctor: id, index: 60 });
  const query = new URLSearchParams({ department, doctor: id, from: date, to: date });
  const { days } = await (await system.api(`/availability?${query}`)).json();
  let first;
  for (const { time } of days[0].slots.filter(({ available }) => available)) {
    const { body } = await system.post('/appointments', payload(person(), { department, date, time }, id));
    first ??= body;
  }
  return { date, first };
}

/**
 * Adds a waitlist entry for a day whose times are all booked. Then opens the link in the entry's mail, without which no
 * time is offered. Returns the day's first booking and the entry.
 */
export async function waitForFullDay(system, { id, department }) {
  const { date, first } = await fillDay(system, { id, department });
  const { firstName, lastName, email, phone } = person();
  const who = { patientName: `${firstName} ${lastName}`, email, phone };
  const entry = await system.post('/waitlist-entries', { ...who, department, doctorId: id, date });
  assert.equal(entry.status, 201, JSON.stringify(entry.body));
  const { reference } = entry.body;
  const mail = await mailTo(system, email, ({ text }) => text.includes(reference));
  const [, secret] = new RegExp(`#${reference}\\.([\\w-]{43})`).exec(mail.text) ?? [];
  assert.ok(secret && secret !== entry.body.secret, 'the mail has a separate link');
  const opened = await system.api(`/waitlist-entries/${reference}`, { headers: { 'X-Waitlist-Secret': secret } });
  assert.equal((await opened.json()).proof, 'PROOF_LINK');
  return { first, entry: entry.body };
}

/** Returns a bookable doctor: id and department from the booking team, name from the content team. */
export async function bookableDoctor(system, departmentIndex = 0) {
  const { departments } = await (await system.api('/departments')).json();
  const { doctors } = await (await system.api('/doctors?pageSize=100')).json();
  const withDoctors = departments.filter(({ bookable, doctorIds }) => bookable && doctorIds.length);
  const department = withDoctors[departmentIndex];
  const [id] = department.doctorIds;
  const profile = doctors.find((doctor) => doctor.id === id);
  assert.ok(profile, `${id} of svc-booking is unknown to svc-content`);
  return { id, name: profile.name, department: department.name };
}

/** Opens the steps of the form up to this one, as a visitor does who does not fill them in one after another. */
export async function openStep(page, step) {
  await page
    .getByRole('navigation', { name: 'Steps of the booking' })
    .getByRole('link')
    .nth(step - 1)
    .click();
}

export async function chooseDepartment(page, department) {
  await page.locator(`input[name=department][value="${department}"]`).check();
}

export async function fillPerson(page, { firstName, lastName, email, phone, message }) {
  if (!(await page.locator('main [name=firstName]').isVisible())) await openStep(page, 4);
  for (const [name, value] of Object.entries({ firstName, lastName, email, phone, message })) {
    await page.locator(`main [name=${name}]`).fill(value);
  }
}

/** Chooses department, doctor, day and time with script. The time is one of the radio buttons of free times. */
export async function chooseSlot(page, { department, date, time, doctor = '' }) {
  await chooseDepartment(page, department);
  if (doctor) {
    // The doctor's times replace the department's. Choosing before they have arrived would pick an old one.
    const own = page.waitForResponse((answer) => /\/api\/availability\?.*\bdoctor=doc-/.test(answer.url()));
    await page.locator('main [name=doctor]').fill(doctor);
    await own;
  }
  await page.locator('main [name=date]').fill(date);
  await page.getByRole('radio', { name: time, exact: true }).check();
}

/** Opens the form of /appointment, hydrated and filled but not sent. */
export async function openFilledForm(page, system, slot, who) {
  await page.goto(`${system.origin}/appointment`);
  await hydrated(page);
  await chooseSlot(page, slot);
  await fillPerson(page, who);
}

export function submitButton(page) {
  return page.locator('main form button[type=submit]:not([name=intent])').last();
}

/** Returns the reference on the confirmation panel. */
export async function confirmation(page) {
  const found = page.getByText(REFERENCE).first();
  await found.waitFor();
  return (await found.innerText()).match(REFERENCE)[0];
}

/** Returns the public API's payload for a person and a slot. */
export function payload(who, { department, date, time }, doctorId = '') {
  return {
    patientName: `${who.firstName} ${who.lastName}`,
    email: who.email,
    phone: who.phone,
    date,
    time,
    reason: who.message,
    doctorId,
    notes: department,
  };
}

/** Cancels an appointment with the secret of its patient. */
export async function cancelBooking(system, { reference, secret, etag }) {
  const own = { 'X-Appointment-Secret': secret, 'If-Match': `"${etag}"` };
  const { status, body } = await system.post(`/appointments/${reference}:cancel`, {}, own);
  assert.equal(status, 200, JSON.stringify(body));
}
