/** Visitors who browse and book continuously, each with a unique client and network, and a record of their failures. */
import { randomInt, randomUUID } from 'node:crypto';
import { REFERENCE, dayFromToday, payload, person } from './booking.mjs';
import { routes } from './site-map.mjs';

/** Time limit of a visit: the gateway's own deadline is 5 s, and the machine is shared. */
const VISIT_MS_MAX = 15_000;
/** Maximum concurrent visits; more accumulate only if the site has stopped responding. */
const VISITS_MAX = 200;
/** Maximum number of recorded failures. */
const FAILURES_MAX = 1_000;
/** A visitor's actions and their shares in percent. */
const MIX = [
  ['document', 55],
  ['read', 22],
  ['book', 7],
  ['bookNatively', 7],
  ['readAgain', 9],
];
/** API reads by programs and scripts. */
const READS = ['/departments', '/doctors', '/doctors?pageSize=100', '/blogs', '/services', '/news', '/events', '/site'];
const LINK = new RegExp(`/appointment/manage#(${REFERENCE.source})\\.([\\w-]{20,})`);
const HIDDEN = /<input(?=[^>]*\btype="hidden")(?=[^>]*\bname="([^"]+)")(?=[^>]*\bvalue="([^"]*)")[^>]*>/g;

export class Visitors {
  #system;
  #bookable;
  /** Every existing page, and two files rendered by modules. */
  #pages = [
    ...routes()
      .filter(({ status }) => !status)
      .map(({ path }) => path),
    '/robots.txt',
    '/sitemap.xml',
  ];
  #watched;
  #ticks;
  #now = new Set();
  #files = new Set();
  #number = 0;
  /** Confirmed bookings with their times. */
  bookings = [];
  failures = [];
  /** Counts by action and status. */
  counts = {};
  /** Documents, as `{at, path, versions}`; `versions` is by team. */
  documents = [];
  /** Durations of the visits in milliseconds. */
  durationsMs = [];

  /**
   * @param {import('./system.mjs').System} system with a gateway that trusts one hop
   * @param {{team: string, version: string, marker: string, path: string}[]} watched versions
   *   whose documents of `path` contain the marker, which no other documents contain
   */
  constructor(system, watched = []) {
    this.#system = system;
    this.#watched = watched;
  }

  /** Loads the available times, then starts `perSecond` visits per second. */
  async start(perSecond) {
    const doctors = await this.#doctors();
    this.#bookable = { doctors, departments: await this.#departments() };
    this.#ticks = setInterval(() => this.#visit(), 1000 / perSecond);
  }

  /** Returns the failures since the last call. */
  takeFailures() {
    return this.failures.splice(0);
  }

  /** Stops new visits and waits for the running ones. */
  async stop() {
    clearInterval(this.#ticks);
    await Promise.all(this.#now);
  }

  #visit() {
    if (this.#now.size >= VISITS_MAX) return this.#fail('visit', `${VISITS_MAX} visits in progress`);
    let dice = randomInt(100);
    const [what] = MIX.find(([, share]) => (dice -= share) < 0);
    const visit = this.attempt(what).finally(() => this.#now.delete(visit));
    this.#now.add(visit);
  }

  /** Makes one visit and records its failure. */
  async attempt(what) {
    const began = performance.now();
    try {
      await this[what]();
    } catch (error) {
      this.#fail(what, `${error.message} ${error.cause ?? ''}`);
    }
    this.durationsMs.push(performance.now() - began);
  }

  #fail(what, problem) {
    this.counts.failed = (this.counts.failed ?? 0) + 1;
    if (this.failures.length < FAILURES_MAX) this.failures.push(`${new Date().toISOString()} ${what}: ${problem}`);
  }

  /** Sends a request as a new visitor; `allowed` are the statuses that are not failures. */
  async #call(what, path, { headers = {}, allowed = [200], ...init } = {}) {
    const address = [100 + randomInt(90), randomInt(256), randomInt(256), 1 + randomInt(250)].join('.');
    const own = { 'X-Client-Id': randomUUID(), 'X-Forwarded-For': address };
    const signal = AbortSignal.timeout(VISIT_MS_MAX);
    // Follows redirects, as a browser does: some pages have a new address by now.
    const answer = await fetch(this.#system.origin + path, {
      signal,
      ...init,
      headers: { ...own, ...headers },
    });
    const text = await answer.text();
    const count = `${what} ${answer.status}`;
    this.counts[count] = (this.counts[count] ?? 0) + 1;
    if (!allowed.includes(answer.status)) throw new Error(`${path} → ${answer.status}: ${text.slice(0, 300)}`);
    if (answer.headers.has('set-cookie')) throw new Error(`${path} sets a cookie`);
    return { status: answer.status, text };
  }

  #api(what, path, { body, headers = {}, ...init } = {}) {
    const own = { 'X-Requested-With': 'XMLHttpRequest', ...(body ? { 'Content-Type': 'application/json' } : {}) };
    return this.#call(what, `/api${path}`, { ...init, body, headers: { ...own, ...headers } });
  }

  /** Visits any page, or a watched one. */
  async document(path = this.#anyPage()) {
    const { text } = await this.#call('document', path);
    const versions = this.#whole(path, text);
    this.documents.push({ at: Date.now(), path, versions });
    const files = [...new Set(text.match(/\/remotes\/[\w.-]+\/[\w.+-]+\/[\w./-]+\.\w+/g))];
    // Fetches only new files, as if the others were cached, and in one of ten visits all files.
    const wanted = randomInt(10) ? files.filter((file) => !this.#files.has(file)) : files;
    for (const file of wanted) {
      await this.#call('file', file);
      this.#files.add(file);
    }
    return text;
  }

  #anyPage() {
    const watched = this.#watched.map(({ path }) => path);
    // A filter makes the document unique, so that no cache holds it.
    if (watched.length && randomInt(2)) return `${watched[randomInt(watched.length)]}?q=${(this.#number += 1)}`;
    return this.#pages[randomInt(this.#pages.length)];
  }

  /**
   * Returns the versions by team. Throws if a document mixes two versions of one team, or if its content belongs to
   * another version.
   */
  #whole(path, text) {
    const named = [
      ...text.matchAll(/data-module="([\w-]+)\/[^"]*" data-version="([^"]+)"/g),
      ...text.matchAll(/\/remotes\/([\w-]+)\/([\w.+-]+)\//g),
    ];
    const versions = {};
    for (const [, team, version] of named) {
      versions[team] ??= version;
      if (versions[team] !== version) throw new Error(`${path} mixes ${team} ${versions[team]} and ${version}`);
    }
    for (const { team, version, marker, path: own } of this.#watched) {
      if (path.split('?')[0] !== own) continue;
      const [says, has] = [versions[team] === version, text.includes(marker)];
      if (says !== has) throw new Error(`${path} names ${team} ${versions[team]}, but has the text of another version`);
    }
    return versions;
  }

  async read() {
    if (randomInt(2)) return this.search();
    if (randomInt(4)) return this.#api('read', READS[randomInt(READS.length)]);
    const { department, doctor } = this.#someTime();
    const query = new URLSearchParams({ department, doctor, from: dayFromToday(7), to: dayFromToday(28) });
    return this.#api('read', `/availability?${query}`);
  }

  /** Searches for a unique text, so that only the service itself can respond. */
  search() {
    return this.#api('search', `/search?q=${encodeURIComponent(`heart ${(this.#number += 1)}`)}`);
  }

  /** Fetches every file that any document has named, as pages left open in browsers may do late. */
  async readFilesAgain() {
    for (const file of this.#files) await this.#call('file', file);
    return this.#files.size;
  }

  /** Books a contested doctor's time: 409 if another visitor was first. */
  async book() {
    const [who, slot] = [person(), this.#someTime()];
    const { status, text } = await this.#api('book', '/appointments', {
      method: 'POST',
      headers: { 'Idempotency-Key': randomUUID() },
      body: JSON.stringify(payload(who, slot, slot.doctor)),
      allowed: [201, 409],
    });
    const answer = JSON.parse(text);
    if (status === 409 && answer.reason !== 'SLOT_TAKEN') throw new Error(`409 ${answer.reason}`);
    if (status === 201) this.bookings.push({ ...slot, reference: answer.reference, secret: answer.secret, who });
  }

  /**
   * Books without script: submits the page's own form with its hidden fields, which go back to the version that
   * rendered it.
   */
  async bookNatively() {
    const page = await this.document('/appointment');
    const [who, slot] = [person(), this.#someDay()];
    const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    const hidden = [...main.slice(main.lastIndexOf('<form')).matchAll(HIDDEN)].map(([, name, value]) => [name, value]);
    const { status, text } = await this.#call('bookNatively', '/appointment', {
      method: 'POST',
      body: new URLSearchParams({ ...Object.fromEntries(hidden), ...who, doctor: '', ...slot }),
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      allowed: [200, 201, 409],
    });
    if (status === 409) return;
    // The gateway's own receipt: the booking was made, but its confirmation page failed to render.
    if (status === 201 && REFERENCE.test(text)) return;
    const [, reference, secret] = LINK.exec(text) ?? [];
    if (!reference) throw new Error(`neither confirmed nor refused: ${text.replace(/<[^>]+>/g, ' ').slice(-600)}`);
    this.bookings.push({ ...slot, reference, secret, who });
  }

  /** Looks up an earlier booking. */
  async readAgain(booking = this.bookings[randomInt(Math.max(1, this.bookings.length))]) {
    if (!booking) return this.read();
    const { reference, secret, date, time } = booking;
    const { text } = await this.#api('readAgain', `/appointments/${reference}`, {
      headers: { 'X-Appointment-Secret': secret },
    });
    const found = JSON.parse(text);
    const isSame = found.date === date && found.time === time && found.status === 'APPOINTMENT_STATUS_BOOKED';
    if (!isSame) throw new Error(`${reference} has become ${found.status} ${found.date} ${found.time}`);
    return found;
  }

  #someTime() {
    const { doctors } = this.#bookable;
    return doctors[randomInt(doctors.length)];
  }

  #someDay() {
    const { departments } = this.#bookable;
    return departments[randomInt(departments.length)];
  }

  /** Returns free times of doctors, few enough that some are requested twice. */
  async #doctors() {
    const { departments } = JSON.parse((await this.#api('read', '/departments')).text);
    const pairs = departments.flatMap(({ name, doctorIds }) =>
      doctorIds.map((doctor) => ({ department: name, doctor })),
    );
    const all = await Promise.all(pairs.slice(0, 8).map((pair) => this.#free(pair, 14)));
    return all.flatMap((times) => times.slice(0, 20));
  }

  /** Returns free times of departments, with any doctor. */
  async #departments() {
    const names = ['General Medicine', 'Pediatrics', 'Dermatology', 'ENT'];
    const all = await Promise.all(names.map((department) => this.#free({ department, doctor: '' }, 28)));
    return all.flat().map(({ department, date, time }) => ({ department, date, time }));
  }

  async #free(pair, days) {
    const query = new URLSearchParams({ ...pair, from: dayFromToday(days - 7), to: dayFromToday(days + 7) });
    const answer = JSON.parse((await this.#api('read', `/availability?${query}`)).text);
    const slots = answer.days.flatMap(({ date, slots: times }) =>
      times.filter(({ available }) => available).map(({ time }) => ({ ...pair, date, time })),
    );
    if (!slots.length) throw new Error(`${pair.department} ${pair.doctor} has no free time`);
    return slots;
  }
}
