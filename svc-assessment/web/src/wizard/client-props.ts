import type { Site } from '@hospital/api/types';
import type { PageProps } from '@hospital/page';

type Props = PageProps<{ site: Site }>;

/** Returns the props that hydrate the wizard: of the site, the name and the emergency number. */
export function clientProps(props: Props): Props {
  const { site } = props.data;
  if (!site.ok) return props;
  const phones = site.body.phones?.filter(({ purpose }) => purpose === 'emergency');
  return { ...props, data: { site: { ...site, body: { name: site.body.name, phones } as Site } } };
}
