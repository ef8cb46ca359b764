// Objects of an S3-compatible store. Arguments: what to do, the store's address, the longest time for one object in ms, and
//   get KEY FILE              writes the object to FILE and prints its ETag; prints nothing and removes FILE where there is none
//   upload KEYS FOLDER        a version's files to KEYS/…, its integrity manifest last: what has none is not fetched by gateways
//   replace KEY FILE [ETAG]   writes FILE if the object still has that ETag, or is not there: prints `done` or `changed`
// Credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION.
import { createHash } from 'node:crypto';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';

const MANIFEST = 'integrity.json';
const SIGNATURE = 'integrity.sig';
/** Objects on their way at once. */
const UPLOADS_MAX = 8;
/** Pointers or a manifest, and every other answer. */
const ANSWER_BYTES_MAX = 1024 * 1024;
/** After an answer of 429 or 5xx, within the time for one object. */
const RETRIES_MAX = 5;
const FOREVER = 'public, max-age=31536000, immutable';
/** The object is not the one that the condition names; while somebody else writes it, or after it went. */
const hasChanged = ({ status, bytes }) =>
  status === 412 || status === 409 || (status === 404 && bytes.includes('NoSuchKey'));

const [command, base, timeMax, ...rest] = process.argv.slice(2);
const client = new AwsClient({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID,
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
  sessionToken: process.env.AWS_SESSION_TOKEN,
  region: process.env.AWS_REGION,
  service: 's3',
  retries: RETRIES_MAX,
});

async function request(method, key, { body, headers } = {}) {
  const url = `${base}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const hash = createHash('sha256')
    .update(body ?? '')
    .digest('hex');
  const signal = AbortSignal.timeout(Number(timeMax));
  try {
    const options = { method, body, headers: { 'x-amz-content-sha256': hash, ...headers }, signal };
    const response = await client.fetch(url, options);
    const chunks = [];
    let left = ANSWER_BYTES_MAX;
    for await (const chunk of response.body ?? []) {
      left -= chunk.length;
      if (left < 0) throw new Error(`more than ${ANSWER_BYTES_MAX} bytes`);
      chunks.push(chunk);
    }
    return { status: response.status, etag: response.headers.get('etag') ?? '', bytes: Buffer.concat(chunks) };
  } catch (error) {
    if (error.name === 'TimeoutError')
      throw new Error(`${method} ${url}: not done after ${timeMax} ms`, { cause: error });
    throw new Error(`${method} ${url}: ${error.cause?.message ?? error.message}`, { cause: error });
  }
}

function refused(method, key, { status, bytes }) {
  const text = bytes.toString().slice(0, 2000);
  const said = ['Code', 'Message'].map((tag) => new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(text)?.[1]);
  return new Error(`${method} ${base}/${key}: ${[status, ...said].filter(Boolean).join(' ')}`);
}

async function get(key) {
  const answer = await request('GET', key);
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw refused('GET', key, answer);
  return answer;
}

/** Says whether it was written: with a condition it may have changed meanwhile. */
async function put(key, body, headers) {
  const answer = await request('PUT', key, { body, headers });
  const isConditional = 'if-match' in headers || 'if-none-match' in headers;
  if (isConditional && hasChanged(answer)) return false;
  if (answer.status !== 200) throw refused('PUT', key, answer);
  return true;
}

/** Whether this manifest is published already; with other bytes it is an error. */
async function isThere(key, manifest) {
  const known = await get(key);
  if (known && !known.bytes.equals(manifest))
    throw new Error(`${base}/${key} was published before with other bytes: a new build needs a new version`);
  return Boolean(known);
}

async function upload(keys, folder) {
  const manifest = await readFile(join(folder, MANIFEST));
  const names = [];
  for (const name of await readdir(folder, { recursive: true }))
    if ((await stat(join(folder, name))).isFile()) names.push(name);
  const isKnown = await isThere(`${keys}/${MANIFEST}`, manifest);
  // Of what is there only the signature may be another.
  const wanted = names.filter((name) => (isKnown ? name === SIGNATURE : name !== MANIFEST));
  const send = async () => {
    for (let name = wanted.pop(); name; name = wanted.pop()) {
      const cache = name === SIGNATURE ? 'no-cache' : FOREVER;
      await put(`${keys}/${name}`, await readFile(join(folder, name)), { 'cache-control': cache });
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_MAX }, send));
  const manifestOnce = () => put(`${keys}/${MANIFEST}`, manifest, { 'cache-control': FOREVER, 'if-none-match': '*' });
  if (!isKnown && !(await manifestOnce())) await isThere(`${keys}/${MANIFEST}`, manifest);
  // The same bytes once more: asked before a pointer hangs on it.
  if (await manifestOnce()) {
    const problem = 'the store ignores `If-None-Match`: who publishes beside others would undo what they did';
    throw new Error(`${base}: ${problem}`);
  }
}

async function replace(key, file, etag) {
  const body = await readFile(file);
  const condition = etag ? { 'if-match': etag } : { 'if-none-match': '*' };
  if (await put(key, body, { 'cache-control': 'no-cache', ...condition })) return 'done';
  // An answer that was lost, and asked for again, says the same.
  const now = await get(key);
  return now?.bytes.equals(body) ? 'done' : 'changed';
}

const commands = {
  async get(key, file) {
    const answer = await get(key);
    if (answer) await writeFile(file, answer.bytes);
    else await rm(file, { force: true });
    return answer?.etag;
  },
  upload,
  replace,
};
try {
  process.stdout.write((await commands[command](...rest)) ?? '');
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
