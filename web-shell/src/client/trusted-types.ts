interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => unknown;
}

/**
 * The one Trusted Types policy of a document: what is published on this site may be the address of a script, and no text may become
 * HTML or script. Its name `default` makes the browser ask it wherever a plain string is set, in the federation runtime too.
 */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL(address) {
      const { origin, pathname } = new URL(address, location.href);
      if (origin === location.origin && pathname.startsWith('/remotes/')) return address;
      throw new TypeError('not a script of this site');
    },
  });
}
