// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Media } from './types.ts';

export interface CreateMediaQuery {
  /** As in Media. */
  alt?: string;
  decorative?: boolean;
  focalX?: number;
  focalY?: number;
}

/**
 * Stores a picture with its description. The body is the picture: JPEG, PNG or WebP, recognised by its content, of at most 20 MiB and
 * 40 megapixels. The description is in the query: `?alt=…` or `?decorative=true`. INVALID_ARGUMENT names the field (`picture`, `alt`)
 * and the limit. It answers before the forms are made: see `state`. The same picture again is answered 200 with what is stored, and
 * keeps its description. FAILED_PRECONDITION reason MEDIA_MAX if 10,000 pictures are stored.
 * RESOURCE_EXHAUSTED with RetryInfo if too many pictures are being decoded.
 */
export function createMedia(query: CreateMediaQuery, options: CallOptions = {}): Promise<Media> {
  return call({ method: 'PUT', template: '/media', query, ...options });
}
