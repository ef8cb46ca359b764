import pictograms from '../../media/drawn/pictograms.svg';

/** One picture of the site's set, all of which are in one file. Decoration; the words stand beside it. */
export function HomeIcon({ name }: { name: string }) {
  return <img src={`${pictograms}#${name}`} alt="" width={40} height={40} loading="lazy" />;
}
