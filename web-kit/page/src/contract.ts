/**
 * The contract between the gateway, the shell and the page modules, version 1.
 * Everything that crosses from one of them to another has its type here, so that a change
 * of the contract is a change of this file.
 */
import type { ComponentType } from 'react';

export const CONTRACT_VERSION = 1;

/** RFC 9457 problem of the API, as `application/problem+json`. */
export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail?: string;
  /** UPPER_SNAKE, for example `SLOT_TAKEN`. */
  reason?: string;
  fields?: FieldProblem[];
  traceId?: string;
}

/** One refused field; `field` is the payload's JSON name, for example `patientName`. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** What one declared API read answered. A page decides itself what it shows without it. */
export type DataResult<Body = unknown> =
  { ok: true; status: number; body: Body } | { ok: false; status: number; body: Problem | null };

/** The answers of a page's declared reads: key of `data` in the configuration to result. */
export type PageData<Bodies extends object = Record<string, unknown>> = {
  [Key in keyof Bodies]: DataResult<Bodies[Key]>;
};

/** A native form post and what the API answered to the module's `action`. */
export interface ActionOutcome<Body = unknown> {
  form: Record<string, string>;
  result: { status: number; body: Body | Problem | null };
}

/** Props of every module, equal on the server and when hydrating. */
export interface PageProps<Bodies extends object = Record<string, unknown>> {
  params: Record<string, string>;
  query: Record<string, string>;
  data: PageData<Bodies>;
  /** Null for a plain read; set when the page is rendered as the answer to a native form post. */
  action: ActionOutcome | null;
  /** RFC 3339 UTC time of the render. The only clock a module may read while rendering. */
  now: string;
  /** Path of the address, without query. */
  path: string;
}

/** What a page says about itself to search engines and to people who share it. */
export interface Head {
  title: string;
  description: string;
  keywords?: string;
  /** Path, for example `/doctors`; the shell puts the site's origin before it. */
  canonicalPath: string;
  /** Path or absolute address of the sharing image. */
  image?: string;
  /** Default `index, follow`. */
  robots?: string;
  /** schema.org objects in addition to the hospital's own. */
  jsonLd?: object[];
  /** The page is a text that somebody published, not a place of the site. */
  article?: ArticleHead;
  /** Atom feed that the page belongs to: what it is called, and its path. */
  feed?: { title: string; path: string };
}

/** Article tags of Open Graph. Times are RFC 3339. */
export interface ArticleHead {
  publishedTime?: string;
  modifiedTime?: string;
  author?: string;
  section?: string;
  tags?: string[];
}

/** The API call that stands for a native form post. Paths are below `/api`. */
export interface ActionRequest {
  method: 'GET' | 'POST';
  path: string;
  body: Record<string, unknown> | null;
}

/** What a module's file exports. */
export interface PageModule<Bodies extends object = Record<string, unknown>> {
  default: ComponentType<PageProps<Bodies>>;
  head?: (props: PageProps<Bodies>) => Head;
  /** HTTP status of the document. Default 200. */
  status?: (props: PageProps<Bodies>) => number;
  /**
   * Canonical path (on this site, with its leading slash) of what another address names too, or null when this is
   * the one. The gateway answers 301 with it, or with the `status` that the module gives if that redirects; the module still renders, so that nothing is lost where it is not followed.
   */
  location?: (props: PageProps<Bodies>) => string | null;
  action?: (form: Record<string, string>, now: string) => ActionRequest;
}

/**
 * What a module's file exports when its page has a `contentType`: a feed or a site map, which no document is laid around.
 * It has no `default`.
 */
export interface RawModule<Bodies extends object = Record<string, unknown>> {
  /** The whole answer; the gateway sends it as it is. */
  raw: (props: PageProps<Bodies>) => string;
  /** Default 200. Anything else is not cached. */
  status?: (props: PageProps<Bodies>) => number;
}

/** When a module's script is fetched and its HTML becomes interactive; `none`: never. */
export type HydrationMode = 'none' | 'visible' | 'idle' | 'load';

export interface PageDeclaration {
  /** Route in matchit syntax, for example `/doctor/{slug}`. */
  route: string;
  module: string;
  hydrate: HydrationMode;
  /** Query parameters the page reads; all others are ignored. */
  query?: string[];
  /** Key to API path below `/api`; `{params.x}` and `{query.x}` are filled in, URL-encoded. */
  data?: Record<string, string>;
  /** The page takes native form posts. */
  action?: boolean;
  /** Default 60. */
  cacheSeconds?: number;
  /** Rendered when it is published and kept in memory: answered even when everything behind the gateway is down. */
  resident?: boolean;
  /** Media type of a page that is no HTML, for example `application/atom+xml`; its module exports `raw`. */
  contentType?: string;
  /** Laid out after the page's own module: `id` of this package's fragments, or `team:id`. Each hydrates by itself. */
  fragments?: string[];
}

export interface FragmentDeclaration {
  id: string;
  module: string;
  hydrate: HydrationMode;
  query?: string[];
  data?: Record<string, string>;
}

/** `module.config.json` of a package: what `hospital-build` makes a publishable folder from. */
export interface ModuleConfig {
  name: string;
  contract: typeof CONTRACT_VERSION;
  /** Module name to its source file. */
  modules: Record<string, string>;
  /** Module name to a plain script of a few lines that the document carries in itself (menu, filter, carousel). */
  inlineScripts?: Record<string, string>;
  pages?: PageDeclaration[];
  fragments?: FragmentDeclaration[];
  /** Path that has moved for good to the path where it is now. */
  redirects?: Record<string, string>;
  /** Shell only, from here on. Module with `renderDocument` as its default export. */
  document?: string;
  /** Client start-up. */
  script?: string;
  /** Style sheet of every page. */
  style?: string;
  /** API path whose data every document gets. */
  site?: string;
  /** Path at the site's root to the file that is served there. */
  root?: Record<string, string>;
  compositions?: { route: string; module: string; fragments: string[] }[];
  errors?: Record<string, string>;
}

/** One fragment of a document that hydrates, as the gateway writes it into `#page-data`. */
export interface HydratedFragment {
  id: string;
  remote: string;
  module: string;
  hydrate: HydrationMode;
  identifierPrefix: string;
  props: PageProps;
}

/** Content of `<script type="application/json" id="page-data">`. */
export interface PageDocumentData {
  contract: number;
  remotes: { name: string; version: string; entry: string }[];
  fragments: HydratedFragment[];
}

/** Input of the shell's document function. */
export interface DocumentInput {
  /** Declared route, for the highlighted entry of the navigation. */
  route: string;
  path: string;
  site: DataResult;
  head: Head;
  now: string;
}

/** The parts of a document that are the shell's. */
export interface DocumentParts {
  /** Attributes of the `html` element. */
  htmlAttributes: string;
  /** Title, metas, canonical address, structured data. */
  head: string;
  /** Skip link, emergency bar, header. */
  before: string;
  /** Footer, phone bar. */
  after: string;
}
