/**
 * The server side of the contract: one pure, synchronous function from JSON to JSON, set as
 * `globalThis.hospitalRender`. It runs in QuickJS inside the gateway and in Node in tests.
 * No clock, no I/O, no timers, no Intl: the input contains everything a render needs.
 */
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import type {
  ActionRequest,
  DocumentInput,
  DocumentParts,
  FormFields,
  Head,
  PageModule,
  PageProps,
  PostAddress,
  RawModule,
} from './contract.ts';
import { BUILT_IN_NAME } from './built-in.ts';
import { isUntranslated, type Messages, messagesOf, type OtherLanguage, setLanguage } from './language.ts';
import { t } from './messages.ts';

type RenderInput =
  | { kind: 'fragment'; module: string; identifierPrefix: string; props: PageProps; hydrates?: boolean }
  | ({ kind: 'action'; module: string; form: FormFields; now: string; language?: OtherLanguage } & Partial<PostAddress>)
  | ({ kind: 'document' } & DocumentInput);

interface FragmentOutput {
  html: string;
  head: Head | null;
  status: number;
  location?: string;
  props?: PageProps;
  messages?: Messages;
  /** The package lacks a catalogue of the language, so the HTML is marked as English. */
  untranslated?: true;
}

type RenderOutput =
  FragmentOutput | { raw: string; status: number } | { request: ActionRequest | null } | DocumentParts;

// Each module types the bodies of its own data; only `any` accepts all of them.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyModule = PageModule<any> | RawModule<any>;

export type ModuleRegistry = Record<string, AnyModule>;

declare global {
  var hospitalRender: ((json: string) => string) | undefined;
  /** Keys of the texts that each module's script can show. Written by the build; absent in tests. */
  var hospitalTexts: Readonly<Record<string, readonly string[]>> | undefined;
  /** Keys of the names that the team's service sends for the built-in hospital. Written by the build. */
  var hospitalNames: readonly string[] | undefined;
}

/**
 * Sets `globalThis.hospitalRender` for these modules.
 * The function throws on an unknown module or kind, and passes on errors thrown by components.
 * The gateway then renders a fallback.
 */
export function defineServer(modules: ModuleRegistry, document?: (input: DocumentInput) => DocumentParts): void {
  globalThis.hospitalRender = (json) => {
    const input = JSON.parse(json) as RenderInput;
    setLanguage((input.kind === 'fragment' ? input.props.language : input.language) ?? 'en');
    try {
      return JSON.stringify(render(modules, document, input));
    } finally {
      setLanguage(undefined);
    }
  };
}

function render(
  modules: ModuleRegistry,
  document: ((input: DocumentInput) => DocumentParts) | undefined,
  input: RenderInput,
): RenderOutput {
  switch (input.kind) {
    case 'fragment': {
      const module = find(modules, input.module);
      const status = module.status?.(input.props) ?? 200;
      if ('raw' in module) return { raw: module.raw(input.props), status };
      const location = module.location?.(input.props);
      // The gateway passes them on only for fragments that hydrate.
      const messages = input.hydrates === false ? {} : messagesOf(textsOf(input.module, input.props));
      return {
        html: renderToString(createElement(module.default, input.props), { identifierPrefix: input.identifierPrefix }),
        head: module.head?.(input.props) ?? null,
        status,
        ...(location && { location: checked(location) }),
        ...(module.clientProps && { props: module.clientProps(input.props) }),
        ...(Object.keys(messages).length > 0 && { messages }),
        ...(isUntranslated() && { untranslated: true }),
      };
    }
    case 'action': {
      const module = find(modules, input.module);
      if (!('action' in module) || !module.action) throw new Error(`module ${input.module} takes no form posts`);
      const { params = {}, query = {} } = input;
      return { request: module.action(input.form, input.now, { params, query }) };
    }
    case 'document': {
      if (!document) throw new Error('this bundle renders no document');
      return document(input);
    }
    default:
      throw new Error(`unknown kind ${JSON.stringify((input as { kind: unknown }).kind)}`);
  }
}

/** Returns the keys of the texts that a module's script can show. Undefined: all. */
function textsOf(module: string, { data }: PageProps): readonly string[] | undefined {
  const { hospitalTexts, hospitalNames = [] } = globalThis;
  const own = hospitalTexts?.[module];
  if (!own) return undefined;
  const { site } = data;
  const name = site?.ok && (site.body as { name?: string } | null)?.name;
  const isOther = name && ![BUILT_IN_NAME, t(`${BUILT_IN_NAME}##built-in`)].includes(name);
  if (isOther) return own.filter((key) => !key.endsWith('##built-in'));
  return [...new Set([...own, ...hospitalNames])];
}

/** Returns a path of this site unchanged. Throws on others: a visitor's input must never lead to another site. */
function checked(location: string): string {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(location))
    throw new Error('a module may only send visitors to a path of this site');
  return location;
}

function find(modules: ModuleRegistry, name: string): AnyModule {
  const module = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (!module) throw new Error(`unknown module ${name}`);
  return module;
}
