/**
 * Target pages of the links in newsletter mails. Opening a link has no effect, because virus scanners open every link;
 * only the button acts. No script.
 */
import type { ActionRequest, FormFields, Head, PageProps, PostAddress } from '@hospital/page';
import type { Site } from '@hospital/api/types';
import { titled } from '@hospital/ui/head';

export type LinkProps = PageProps<{ site: Site }>;

/** The API's limit on a token's length. */
const TOKEN_CHARACTERS_MAX = 128;

/**
 * `done` and `unknown`: the API's result. `incomplete`: the URL has no token. `failed`: a retry may succeed. `asked`:
 * not submitted yet.
 */
export type LinkState = 'incomplete' | 'asked' | 'done' | 'unknown' | 'failed';

/**
 * API call for a post to the page, by its button or by a mail program's one-click unsubscribe (RFC 8058). The latter's
 * body has no token. `receipt`: returns the title of the receipt in the current language.
 */
export function linkAction(template: string, receipt: () => string) {
  return (posted: FormFields, _now: string, address?: PostAddress): ActionRequest | null => {
    const token = tokenOf(posted, address?.query);
    return token ? { method: 'POST', path: template, body: { token }, receipt: { title: receipt() } } : null;
  };
}

export function linkState({ query, action }: Pick<LinkProps, 'query' | 'action'>): LinkState {
  if (!tokenOf(action?.form ?? {}, query)) return 'incomplete';
  if (!action) return 'asked';
  const { status } = action.result;
  if (status === 204) return 'incomplete';
  if (status >= 200 && status < 300) return 'done';
  return status === 429 || status >= 500 ? 'failed' : 'unknown';
}

export function linkStatus({ action }: Pick<LinkProps, 'action'>): number {
  const status = action?.result.status ?? 200;
  return status === 204 ? 400 : status < 300 ? 200 : status;
}

/** Returns the token for the button's form; empty if it is missing or malformed. */
export function tokenOf(posted: FormFields, query: PostAddress['query'] = {}): string {
  const token = (posted.token?.at(-1) || query.token || '').trim();
  return token.length <= TOKEN_CHARACTERS_MAX && /^[\x21-\x7e]+$/.test(token) ? token : '';
}

/** The URL contains a secret, so it must not be sent to other sites as a referrer. */
export function linkHead(title: string, description: string, { path, data }: LinkProps): Head {
  return {
    title: titled(title, data.site),
    description,
    canonicalPath: path,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
