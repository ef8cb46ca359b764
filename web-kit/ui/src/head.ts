/** Helpers for page heads. `site` is the response of `/site`; a page that does not read it omits it. */
import type { DataResult, Head } from '@hospital/page';
import { t } from '@hospital/page/messages';
import { isMissing } from './read.ts';
import { siteOf } from './site.ts';

/** Returns `Cardiology | Sampige Hospital`. */
export function titled(title: string, site?: DataResult): string {
  return `${title} | ${siteOf(site).name}`;
}

/** Returns the head of a page without its content. The title is `missing` for an unknown item, otherwise `kind`. */
export function absentHead(
  result: DataResult,
  site: DataResult,
  path: string,
  titles: { missing: string; kind: string },
): Head {
  const missing = isMissing(result);
  return {
    title: titled(missing ? titles.missing : titles.kind, site),
    description: missing
      ? t('There is nothing at this address.')
      : t('We can’t show this page right now. Please try again in a minute.'),
    canonicalPath: path,
    robots: 'noindex',
  };
}
