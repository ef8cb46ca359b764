/**
 * `service-text.ts` for browsers, without messages that have parameters: pages prevent those refusals, and a native post
 * is answered by the gateway. `package.json` chooses between the two files.
 */
export function serviceText(message: string): string {
  for (const catalogue of Object.values(globalThis.hospitalMessages ?? {})) {
    const found = catalogue[message] ?? catalogue[`${message}##service`];
    if (found) return found;
  }
  return message;
}
