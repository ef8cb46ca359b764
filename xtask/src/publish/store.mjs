// Client of an S3-compatible store. Arguments: the command, the store's address, the time limit per object in ms, and
//   get KEY FILE              writes the object to FILE, prints its ETag; without an object removes FILE, prints
// nothing
//   upload KEYS FOLDER        uploads a version to KEYS/…, its manifest last: gateways ignore versions without one
//   replace KEY FILE [ETAG]   writes FILE if the object has that ETag, or is absent; prints `done` or `changed`
// Credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION.
import { createHash } from 'node:crypto';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';

const MANIFEST = 'integrity.json';
const SIGNATURE = 'integrity.sig';
/** Maximum number of concurrent uploads. */
const UPLOADS_MAX = 8;
/** Maximum size of any response body, such as pointers or a manifest. */
const ANSWER_BYTES_MAX = 1024 * 1024;
/** Maximum number of retries after a 429 or 5xx response, within the time limit per object. */
const RETRIES_MAX = 5;
const FOREVER = 'public, max-age=31536000, immutable';
/** Whether a conditional write failed: the object has changed (412), is being written (409), or is gone (404). */
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

/** Writes an object. Returns `false` if the condition in the headers no longer holds. */
async function put(key, body, headers) {
  const answer = await request('PUT', key, { body, headers });
  const isConditional = 'if-match' in headers || 'if-none-match' in headers;
  if (isConditional && hasChanged(answer)) return false;
  if (answer.status !== 200) throw refused('PUT', key, answer);
  return true;
}

/** Returns whether this manifest is already published. Throws if it is published with other bytes. */
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
  // For a version that is already published, only the signature may change.
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
  // Writes the manifest a second time, to detect a store that ignores the condition before a pointer depends on it.
  if (await manifestOnce()) {
    const problem = 'the store ignores `If-None-Match`: who publishes beside others would undo what they did';
    throw new Error(`${base}: ${problem}`);
  }
}

async function replace(key, file, etag) {
  const body = await readFile(file);
  const condition = etag ? { 'if-match': etag } : { 'if-none-match': '*' };
  if (await put(key, body, { 'cache-control': 'no-cache', ...condition })) return 'done';
  // If the response to a successful write was lost, its retry fails the condition, but the object has these bytes.
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
