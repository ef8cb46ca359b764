/** Pages have texts of one hospital built in, for outages. The site of another hospital must not show them. */
import type { DataResult } from '@hospital/page';
import { BUILT_IN_NAME } from '@hospital/page/built-in';
import { siteOf } from '@hospital/ui/site';

/** Returns whether a site's facts are those of the built-in hospital in English or the page's language, or missing. */
export function isBuiltInHospital(site: DataResult | undefined): boolean {
  return [BUILT_IN_NAME, siteOf(undefined).name].includes(siteOf(site).name);
}
