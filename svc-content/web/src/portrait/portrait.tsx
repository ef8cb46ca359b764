/**
 * `/images/doctors/{file}`: leads from the path that the API names to the drawn portrait, for the pages of other teams.
 * Temporary redirects, because the address of a portrait changes with each release.
 */
import type { Head, PageProps } from '@hospital/page';
import { Missing } from '@hospital/ui/missing';
import { portraitOf } from '../parts/drawings.ts';
import { t } from '../messages.ts';

type PortraitProps = Pick<PageProps, 'params'>;

/** Shown only if there is no such portrait. */
export default function Portrait() {
  return <Missing title={t('Page Not Found')} text={t('We have no picture here.')} list="/doctors" />;
}

export function location({ params: { file = '' } }: PortraitProps): string | null {
  return portraitOf(file.replace(/\.svg$/, '')) ?? null;
}

export function status(props: PortraitProps): number {
  return location(props) ? 307 : 404;
}

export function head({ params: { file = '' } }: PortraitProps): Head {
  return {
    title: t('Portrait'),
    named: true,
    description: '',
    canonicalPath: `/images/doctors/${file}`,
    robots: 'noindex',
  };
}
