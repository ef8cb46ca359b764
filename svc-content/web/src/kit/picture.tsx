/** The large drawing of a page, in the first screen of wide windows. Decoration: the title says what it shows. */
export function Picture({ address }: { address: string | undefined }) {
  return address ? <img src={address} alt="" width={640} height={360} fetchPriority="high" /> : null;
}
