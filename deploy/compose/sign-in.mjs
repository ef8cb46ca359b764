/**
 * Signs in at the issuer of a local run and prints a page of staff: `node sign-in.mjs ORIGIN ACCOUNT PATH`. Runs in the
 * network namespace of the gateway, whose loopback address is the issuer's.
 */
const REDIRECTS_MAX = 12;
const [origin, account, path] = process.argv.slice(2);
const cookies = new Map();

const signIn = await follow(`${origin}${path}`);
const page = await follow(signIn.url, { method: 'POST', body: new URLSearchParams({ account, password: account }) });
if (new URL(page.url).origin !== origin) throw new Error(`the sign-in ended at ${page.url} (${page.status})`);
if (page.status !== 200) throw new Error(`${page.url} returned ${page.status}: ${page.text.slice(0, 500)}`);
process.stdout.write(page.text);

/** Follows redirects with the cookies of all hosts, which differ in their ports only. */
async function follow(start, first = {}) {
  let [url, init] = [start, first];
  for (let count = 0; count < REDIRECTS_MAX; count += 1) {
    const headers = { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    const to = answer.headers.get('location');
    if (!to) return { url, status: answer.status, text: await answer.text() };
    [url, init] = [new URL(to, url).href, {}];
  }
  throw new Error(`more than ${REDIRECTS_MAX} redirects from ${start}`);
}
