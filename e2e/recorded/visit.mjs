/** Makes every call available to visitors at least once, as fictional people. */
import assert from 'node:assert/strict';

const WHO = { name: 'Kaveri Example', email: 'kaveri@patients.example', phone: '+91 80 0000 0123' };
const OTHER = { name: 'Tunga Example', email: 'tunga@patients.example', phone: '+91 80 0000 0456' };
const DEPARTMENT = 'Cardiology';

/** `fill` waits for as long as a person takes to fill in a form. */
export async function visit(api, fill) {
  let number = 0;
  async function call(method, path, body, headers = {}) {
    number += 1;
    const own = { 'X-Client-Id': `recorded-${number}`, 'X-Requested-With': 'recorder' };
    const key = `recorded-request-${String(number).padStart(4, '0')}`;
    if (method === 'POST') Object.assign(own, { 'Idempotency-Key': key });
    if (body) Object.assign(own, { 'Content-Type': 'application/json' });
    const answer = await fetch(`${api}${path}`, {
      method,
      headers: { ...own, ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    const json = text ? JSON.parse(text) : undefined;
    return { status: answer.status, headers: answer.headers, json };
  }
  async function taken(...request) {
    const answer = await call(...request);
    assert.ok(answer.status < 300, `${request[0]} ${request[1]}: ${answer.status} ${JSON.stringify(answer.json)}`);
    return answer;
  }
  const get = async (path) => (await taken('GET', path)).json;

  await read(get);
  await book(get, taken, call);
  await assess(taken);
  await write(get, taken, call, fill);
}

async function read(get) {
  const first = async (path, key, one) => {
    const [item] = (await get(path))[key];
    if (one) await get(one(item));
  };
  await get('/site');
  await get('/pages/about');
  await first('/doctors?pageSize=2', 'doctors', ({ id }) => `/doctors/${id}`);
  await first('/services', 'services', ({ slug, id }) => `/services/${slug || id}`);
  await first('/specialties', 'specialties', ({ slug, id }) => `/specialties/${slug || id}`);
  await first('/surgeries', 'surgeries', ({ slug, id }) => `/surgeries/${slug || id}`);
  await first('/events', 'events', ({ id }) => `/events/${id}`);
  await first('/news?pageSize=2', 'news', ({ id }) => `/news/${id}`);
  await first('/blogs?pageSize=2', 'blogs', ({ id }) => `/blogs/${id}`);
  for (const path of ['/promos', '/reviews', '/health-news', '/department-profiles', '/search?q=heart'])
    await get(path);
}

async function book(get, taken, call) {
  const { departments } = await get('/departments');
  const [doctorId] = departments.find(({ name }) => name === DEPARTMENT).doctorIds;
  await get(`/next-available?department=${DEPARTMENT}`);
  const from = day(7);
  const { days } = await get(`/availability?department=${DEPARTMENT}&doctor=${doctorId}&from=${from}&to=${day(13)}`);
  await get(`/free-times?from=${from}&to=${day(13)}`);
  const free = days.flatMap(({ date, slots }) =>
    slots.filter(({ available }) => available).map(({ time }) => ({ date, time })),
  );
  const person = {
    patientName: WHO.name,
    email: WHO.email,
    phone: WHO.phone,
    reason: 'A question',
    notes: DEPARTMENT,
    doctorId,
  };

  const { json: hold } = await taken('POST', '/holds', { department: DEPARTMENT, doctorId, ...free[0] });
  const { json: booked } = await taken('POST', '/appointments', { ...person, ...free[0], holdId: hold.id });
  const { json: other } = await taken('POST', '/holds', { department: DEPARTMENT, doctorId, ...free[1] });
  await taken('DELETE', `/holds/${other.id}`);
  // A time that is already booked.
  const stranger = { patientName: OTHER.name, email: OTHER.email, phone: OTHER.phone, reason: '', notes: DEPARTMENT };
  const again = await call('POST', '/appointments', { ...stranger, ...free[0], doctorId });
  assert.equal(again.status, 409);

  const path = `/appointments/${booked.id}`;
  let secret = { 'X-Appointment-Secret': booked.secret };
  const { json: seen, headers } = await taken('GET', path, undefined, secret);
  await taken('GET', `${path}/calendar`, undefined, secret).catch((error) => {
    // A calendar file is not JSON, but the call was made.
    if (!(error instanceof SyntaxError)) throw error;
  });
  const change = { ...person, ...free[0], reason: 'Another question' };
  const match = { 'If-Match': headers.get('etag') ?? seen.etag };
  const { json: changed } = await taken('PUT', path, change, { ...secret, ...match });
  const moved = await taken('POST', `${path}:move`, { ...free[2], etag: changed.etag }, secret);
  if (moved.json.secret) secret = { 'X-Appointment-Secret': moved.json.secret };
  await taken('POST', `${path}:cancel`, { etag: moved.json.etag }, secret);
  await wait(taken, call);
  const consultation = { patientName: WHO.name, patientEmail: WHO.email, phone: WHO.phone, description: 'By video' };
  await taken('POST', '/consultations', { ...consultation, ...free[3] });
}

async function wait(taken, call) {
  const entry = { patientName: OTHER.name, email: OTHER.email, phone: OTHER.phone, department: DEPARTMENT };
  const { json } = await call('POST', '/waitlist-entries', { ...entry, date: day(8) });
  const path = `/waitlist-entries/${json.id ?? 'nobody'}`;
  const secret = { 'X-Waitlist-Secret': json.secret ?? 'of-nobody-at-all' };
  await call('GET', path, undefined, secret);
  await call('POST', `${path}:accept`, {}, secret);
  await call('POST', `${path}:leave`, {}, secret);
}

async function assess(taken) {
  const answers = {
    personalInfo: { age: 52, gender: 'female', height: 160, weight: 70 },
    diabetesRisk: { familyHistory: 'yes', bloodPressure: 'high', activityLevel: 'low' },
    stressEvaluation: { sleepHours: 5, sleepQuality: 'poor', workStress: 'high' },
    copingStrategies: { strategies: ['Regular exercise'] },
  };
  await taken('POST', '/assessments', { ...answers, consent: false });
  const { json } = await taken('POST', '/assessments', { ...answers, consent: true });
  await taken('DELETE', `/assessments/${json.id}`);
}

async function write(get, taken, call, fill) {
  const { token } = await get('/form-token');
  await fill();
  const check = { token, website: '', canProve: true };
  const words = { subject: 'Visiting hours', message: 'May my mother be visited after six? Thank you.' };
  await taken('POST', '/messages', { name: WHO.name, email: WHO.email, phone: WHO.phone, ...words, check });
  await taken('POST', '/newsletter:subscribe', { email: OTHER.email, check });
  // The token in a mail is unknown here.
  await call('POST', '/newsletter:confirm', { token: 'of-nobody-at-all' });
  await call('POST', '/newsletter:unsubscribe', { token: 'of-nobody-at-all' });
}

/** Returns the date in India, `days` from today. */
function day(days) {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' });
  return parts.format(new Date(Date.now() + days * 86_400_000));
}
