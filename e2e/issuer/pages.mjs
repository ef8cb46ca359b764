/** HTML pages of the laptop issuer. They work without script and load nothing else. */
import { createHash } from 'node:crypto';
import { ACCOUNTS } from './accounts.mjs';

const STYLE = `
:root { color-scheme: light; font: 100%/1.5 system-ui, sans-serif; color: #1b1f24; background: #f3f5f7; }
main { box-sizing: border-box; max-width: 28rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.25; }
label { display: block; margin-top: 1rem; font-weight: 600; }
input { box-sizing: border-box; width: 100%; min-height: 2.75rem; padding: .5rem; font: inherit; border: 2px solid #4c6272; border-radius: 4px; }
button { min-height: 2.75rem; margin: 1.5rem 1rem 0 0; padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: #fff; background: #005c8a; border: 2px solid #005c8a; border-radius: 4px; }
button.second { color: #005c8a; background: #fff; }
a { color: #005c8a; }
:focus-visible { outline: 4px solid #b25400; outline-offset: 2px; }
.error { margin: 0 0 1rem; padding: 1rem; background: #fff; border: 4px solid #b3261e; }
.error h2 { margin: 0 0 .5rem; font-size: 1.25rem; }
.error p { margin: 0; }
.invalid { border-color: #b3261e; }
`;
/** Confirms a sign-out that the site has asked for. */
const CONFIRM = "document.querySelector('[name=logout]').click()";

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Returns the headers of every response. Chromium applies `form-action` to redirects after a form too, so it lists the
 * origins to which a sign-in or a sign-out returns.
 */
export function headersFor(returnOrigins) {
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src ${hash(STYLE)}`,
      'img-src data:',
      `script-src ${hash(CONFIRM)}`,
      `form-action ${["'self'", ...returnOrigins].join(' ')}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  };
}

function page(title, main) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}

/**
 * Returns the sign-in page.
 *
 * @param {{isRefused?: boolean, account?: string}} options `isRefused`: the last attempt failed; `account`: the name
 *   entered then
 */
export function signIn({ isRefused = false, account = '' } = {}) {
  const invalid = isRefused ? ' class="invalid" aria-invalid="true" aria-describedby="problem"' : '';
  const problem = `<div class="error" role="alert" tabindex="-1" autofocus>
<h2>There is a problem</h2>
<p id="problem"><a href="#account">The account name or the password is wrong</a></p>
</div>
`;
  return page(
    isRefused ? 'Error: Sign in' : 'Sign in',
    `${isRefused ? problem : ''}<h1>Sign in</h1>
<p>Test accounts of a site on this computer: ${Object.keys(ACCOUNTS).join(', ')}. The password is the account name.</p>
<form method="post">
<label for="account">Account name</label>
<input id="account" name="account" value="${escape(account)}" autocomplete="username" autocapitalize="none" spellcheck="false" required${invalid}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${invalid}>
<button>Sign in</button>
</form>`,
  );
}

/**
 * Returns the page that asks before a sign-out. `form` is the provider's empty form `op.logoutForm`. If the site has
 * proved which session it means, a script answers.
 */
export function confirmSignOut(form, isProved) {
  return page(
    'Sign out',
    `<h1>Do you want to sign out?</h1>
<p>This ends your sign-in on every site that uses this account.</p>
${form}
<button form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button form="op.logoutForm" class="second">Stay signed in</button>
${isProved ? `<script>${CONFIRM}</script>` : ''}`,
  );
}

export function signedOut() {
  return page('Signed out', '<h1>You are signed out</h1>');
}

/** Returns the page for a request that cannot be continued. `detail` names the cause for a developer. */
export function failed(detail) {
  return page(
    'You cannot sign in with this link',
    `<h1>You cannot sign in with this link</h1>
<p>Go back to the site and select sign in again.</p>
<p>Cause: ${escape(detail)}</p>`,
  );
}

function escape(text) {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return String(text).replace(/[&<>"']/g, (character) => names[character]);
}
