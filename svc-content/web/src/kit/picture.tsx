import { DrawnHere } from './drawing.tsx';

/** The large picture at the top of a page, in the first screen. Decoration: the title says what it shows. */
export function Picture({ svg, address }: { svg?: string | undefined; address?: string | undefined }) {
  if (svg) return <DrawnHere svg={svg} />;
  return address ? <img src={address} alt="" width={640} height={360} fetchPriority="high" /> : null;
}
