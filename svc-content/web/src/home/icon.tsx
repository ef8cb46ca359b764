import pictograms from '../../media/drawn/pictograms.svg';

/** One pictogram of the set, all of which are in one file. Decoration beside a text. */
export function HomeIcon({ name }: { name: string }) {
  return <img src={`${pictograms}#${name}`} alt="" width={40} height={40} loading="lazy" />;
}
