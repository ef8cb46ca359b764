/** Pictures for the tests of content's desk pages. */
import type { Media } from './media.ts';

export const HASH = '0123456789abcdef0123456789abcdef01234567';
export const OTHER_HASH = `f${HASH.slice(1)}`;

/** Returns a picture as the API has it: an upright photograph of a phone, which a doctor uses. */
export function mediaOf(change: Partial<Media> = {}): Media {
  return {
    hash: HASH, state: 'ready', width: 1600, height: 2133, widths: [320, 640, 960, 1600], bytes: 3_412_000, alt: 'A doctor in a white coat',
    decorative: false, focalX: 50, focalY: 17, author: 'editor', createTime: '2026-11-20T04:00:00Z', etag: 'm1',
    uses: [{ kind: 'doctor', recordId: 'doc-08', title: 'Dr. Rekha Prabhu', live: true }], ...change,
  }; // prettier-ignore
}
