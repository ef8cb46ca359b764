import { LANGUAGES_SCRIPT } from './keep-language.ts';
import { WORKER } from './keep-offline.ts';

interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => unknown;
}

/**
 * Creates the only Trusted Types policy of a document. It accepts script URLs published on this site and those at its
 * root. It accepts no text as HTML or script. The browser applies a policy named `default` to every plain string, in
 * the federation runtime too.
 */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL(address) {
      const { origin, pathname } = new URL(address, location.href);
      if (
        origin === location.origin &&
        (pathname.startsWith('/remotes/') || [LANGUAGES_SCRIPT, WORKER].includes(pathname))
      )
        return address;
      throw new TypeError('not a script of this site');
    },
  });
}
