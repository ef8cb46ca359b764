// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { RenderTextRequestInput, RenderTextResponse } from './types.ts';

/** Returns the text of a post as visitors see it, and stores nothing. INVALID_ARGUMENT names the field `text` and the limit. */
export function renderText(body: RenderTextRequestInput, options: CallOptions = {}): Promise<RenderTextResponse> {
  return call({ method: 'POST', template: '/records:renderText', body, ...options });
}
