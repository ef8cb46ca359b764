/** Prices of surgeries as text, without Intl, which the gateway's engine lacks. */
import type { PriceRange } from '@hospital/api/types';

/** Formats `₹1,25,000`, grouped as in India. */
export function rupees(amount: number): string {
  return `₹${String(amount).replace(/(\d)(?=(\d\d)+\d$)/g, '$1,')}`;
}

/** Formats `₹62,000 – ₹88,000`; returns an empty string if there is no price. */
export function priceText(price: PriceRange | undefined): string {
  return price ? `${rupees(price.fromRupees)} – ${rupees(price.toRupees)}` : '';
}
