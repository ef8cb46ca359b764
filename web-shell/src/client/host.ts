/** The federation host: provides React to every remote. The document is the only source of its remotes. */
import { createInstance, type ModuleFederation } from '@module-federation/enhanced/runtime';
import provideRuntime from '@module-federation/inject-external-runtime-core-plugin';
import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';
import type { PageDocumentData } from '@hospital/page';

/** Timeout of a remote's script, in milliseconds. After a timeout, the server's HTML stays. */
const SCRIPT_TIMEOUT_MS = 8000;

export type Host = Pick<ModuleFederation, 'loadRemote'>;

export function createHost(remotes: PageDocumentData['remotes']): Host {
  const host = createInstance({
    name: 'shell',
    remotes: remotes.map(({ name, entry }) => ({ name, entry, type: 'global' })),
    shareStrategy: 'loaded-first',
    shared: {
      react: eager(React),
      'react-dom': eager(ReactDOM),
      'react/jsx-runtime': eager(jsxRuntime),
    },
    plugins: [
      // Remotes are built without the federation runtime and use this one.
      provideRuntime(),
      {
        name: 'script-timeout',
        createScript: ({ url }) => ({ script: scriptElement(url), timeout: SCRIPT_TIMEOUT_MS }),
      },
    ],
  });
  return host;
}

function eager(library: object) {
  return {
    version: React.version,
    lib: () => library,
    loaded: true,
    shareConfig: { singleton: true, eager: true, requiredVersion: `^${React.version}` },
  };
}

function scriptElement(url: string): HTMLScriptElement {
  const script = document.createElement('script');
  script.src = url;
  script.async = true;
  return script;
}
