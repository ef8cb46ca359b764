/** `/images/doctors/{file}`: the drawn portraits at the paths that the API names, for the pages of other teams. */
import type { PageProps } from '@hospital/page';

type PortraitProps = Pick<PageProps, 'params'>;

const SOURCES = import.meta.webpackContext('../../media/drawn/portraits?raw', { regExp: /^\.\/[a-z-]+\.svg$/ });

function sourceOf({ params: { file = '' } }: PortraitProps): string | undefined {
  const key = `./${file}`;
  return SOURCES.keys().includes(key) ? SOURCES(key) : undefined;
}

export function raw(props: PortraitProps): string {
  return sourceOf(props) ?? '';
}

export function status(props: PortraitProps): number {
  return sourceOf(props) ? 200 : 404;
}
