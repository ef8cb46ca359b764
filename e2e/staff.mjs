/** Members of staff in a browser: they sign in and out through the real issuer. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertReflows, axe, screenshot, visitor } from './browser.mjs';
import { ACCOUNTS as PEOPLE } from './issuer/accounts.mjs';
import { ROOT } from './processes.mjs';
import { published } from './site-map.mjs';

export const ACCOUNTS = Object.keys(PEOPLE);
/** Heading of the issuer's page for signing in. */
const SIGN_IN = { name: 'Sign in', exact: true };

/** Name of an account's person, as pages show it. */
export function nameOf(account) {
  return PEOPLE[account].name;
}

/** Scopes of each account, from the roles of a local run. */
export const SCOPES = Object.fromEntries(
  [...readFileSync(join(ROOT, 'deploy/staff-roles.toml'), 'utf8').matchAll(/^(\w+) = \[([^\]]*)\]/gm)].map(
    ([, group, list]) => [group, [...list.matchAll(/"([^"]+)"/g)].map(([, scope]) => scope)],
  ),
);

/** Returns the published pages of staff with one address: `path`, `label`, and the `scope` that they need, if any. */
export function staffPages() {
  return published()
    .flatMap(({ pages }) => pages)
    .filter(({ access, route }) => access && !route.includes('{'))
    .map(({ route, access }) => ({ path: route, ...access }));
}

/** Returns the pages that an account may see. */
export function pagesOf(account) {
  return staffPages().filter(({ scope }) => !scope || SCOPES[account].includes(scope));
}

/**
 * Opens a page of staff in a fresh browser profile and signs in. `problems` collects what no page should cause.
 *
 * @param {{path?: string, isLive?: boolean, viewport?: object, javaScriptEnabled?: boolean}} options `path`: the page to
 *   open; `isLive`: whether its lists follow the changes of others
 */
export async function signedIn(browser, system, account, { path = '/staff', isLive = true, ...options } = {}) {
  const opened = await visitor(browser, options);
  if (!isLive) await opened.context.route('**/staff/events*', (route) => route.abort('aborted'));
  await signIn(opened.page, system, account, path);
  return opened;
}

/** Opens a page without a session, signs in, and waits until that page is back. */
export async function signIn(page, system, account, path = '/staff') {
  await page.goto(`${system.origin}${path}`);
  await enter(page, account);
  await at(page, system, path);
}

/** Waits for a page of this site, or for one below it to which it leads, such as that of the present day. */
export async function at(page, system, path) {
  const { pathname } = new URL(path, system.origin);
  const isAt = (url) =>
    url.origin === system.origin && (url.pathname === pathname || url.pathname.startsWith(`${pathname}/`));
  await page.waitForURL(isAt);
}

/** Sends the issuer's form. */
export async function enter(page, account, password = account) {
  await atIssuer(page);
  await page.getByLabel('Account name').fill(account);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', SIGN_IN).click();
}

/** Waits for the issuer's page for signing in. */
export async function atIssuer(page) {
  await page.getByRole('heading', SIGN_IN).waitFor();
}

/** Signs out here and at the issuer, and waits for the page after it. */
export async function signOut(page, system) {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${system.origin}/`);
}

/** Answers the question of the issuer, which it asks without script, or without proof that the site asked. */
export async function confirmSignOut(page) {
  await page.getByRole('heading', { name: 'Do you want to sign out?' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
}

/** Returns the session's cookie; `undefined` if there is none. */
export async function sessionCookie(context, system) {
  return (await context.cookies(system.origin)).find(({ name }) => name === 'session');
}

/** Presses Tab until the focused element has this role and name. Fails after more stops than a page has. */
export async function tabTo(page, role, name) {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let stop = 0; stop < 100; stop += 1) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluateAll((found) => found.includes(document.activeElement))) return;
  }
  throw new Error(`Tab does not reach ${role} ${name} at ${page.url()}`);
}

/** Checks a page with script as people with large text, a keyboard or a screen reader meet it. Saves a screenshot. */
export async function assertSoundPage(page, name) {
  await assertReflows(page);
  assert.deepEqual(await axe(page), [], name);
  await screenshot(page, `${name}-${page.viewportSize().width}`);
}

/** Returns the problems of a page without those of the statuses that a test causes on purpose. */
export function unexpected(problems, ...statuses) {
  return problems.filter((line) => !statuses.some((status) => line.includes(String(status))));
}
