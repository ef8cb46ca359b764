/** Pages have texts of one hospital built in, for outages. The site of another hospital must not show them. */
import type { DataResult } from '@hospital/page';
import { siteOf } from '@hospital/ui/site';

/** Returns whether a site's facts are those of the built-in hospital, or are missing. */
export function isBuiltInHospital(site: DataResult | undefined): boolean {
  return siteOf(site).name === siteOf(undefined).name;
}
