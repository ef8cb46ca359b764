/**
 * What a link of the newsletter's mails leads to. Opening it changes nothing, as programs that look for viruses open every link; the
 * button does. No script.
 */
import type { ActionRequest, FormFields, Head, PageProps, PostAddress } from '@hospital/page';
import type { Site } from '@hospital/api/get-site';
import { titled } from '@hospital/ui/head';

export type LinkProps = PageProps<{ site: Site }>;

/** The API's limit. */
const TOKEN_CHARACTERS_MAX = 128;

/**
 * `done` and `unknown`: what the API said. `incomplete`: the address has no secret. `failed`: it may work in a minute.
 * `asked`: nothing was done yet.
 */
export type LinkState = 'incomplete' | 'asked' | 'done' | 'unknown' | 'failed';

/** The API call of a post to the page: by its button, or by a mail program for one click (RFC 8058), whose body names no secret. */
export function linkAction(template: string, receipt: string) {
  return (posted: FormFields, _now: string, address?: PostAddress): ActionRequest | null => {
    const token = tokenOf(posted, address?.query);
    return token ? { method: 'POST', path: template, body: { token }, receipt: { title: receipt } } : null;
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

/** For the button's form; empty where there is none, or none that can be right. */
export function tokenOf(posted: FormFields, query: PostAddress['query'] = {}): string {
  const token = (posted.token?.at(-1) || query.token || '').trim();
  return token.length <= TOKEN_CHARACTERS_MAX && /^[\x21-\x7e]+$/.test(token) ? token : '';
}

/** The address holds a secret: nobody else is told of it. */
export function linkHead(title: string, description: string, { path, data }: LinkProps): Head {
  return {
    title: titled(title, data.site),
    description,
    canonicalPath: path,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
