/**
 * The contract between the gateway, the shell and the page modules. Everything that crosses from one of them to another has
 * its type here, so that a change of the contract is a change of this file. Its version stands in `contract.json`, which the
 * build, the gateway and the developer's commands read too. What else belongs to it: the cascade layers
 * `reset, tokens, kit, page` and the custom properties that `tokens.json` names.
 *
 * The gateway serves modules of this version and of the one before side by side.
 */
import type { ComponentType } from 'react';
import contract from '../contract.json';

export const CONTRACT_VERSION = contract.version;

/** RFC 9457 problem of the API, as `application/problem+json`. */
export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail?: string;
  /** UPPER_SNAKE, for example `SLOT_TAKEN`. */
  reason?: string;
  fields?: FieldProblem[];
  /** More about the reason, for example `alternatives` of a time that is taken; at most 8 entries and 1 KiB. */
  metadata?: Readonly<Record<string, string>>;
  traceId?: string;
}

/** One refused field; `field` is the payload's JSON name, for example `patientName`. */
export interface FieldProblem {
  field: string;
  message: string;
  /** For programs, UPPER_SNAKE. Absent: none is named. */
  reason?: string;
}

/** What one declared API read answered. A page decides itself what it shows without it. */
export type DataResult<Body = unknown> =
  { ok: true; status: number; body: Body } | { ok: false; status: number; body: Problem | null };

/** The answers of a page's declared reads: key of `data` in the configuration to result. */
export type PageData<Bodies extends object = Record<string, unknown>> = {
  [Key in keyof Bodies]: DataResult<Bodies[Key]>;
};

/** The fields of a native form post: every value of a name, in the order of the form. At most 100 fields in 64 KiB. */
export type FormFields = Readonly<Record<string, readonly string[]>>;

/** A native form post and what the API answered to the module's `action`. */
export interface ActionOutcome<Body = unknown> {
  form: FormFields;
  result: { status: number; body: Body | Problem | null };
}

/** Props of every module, equal on the server and when hydrating. */
export interface PageProps<Bodies extends object = Record<string, unknown>> {
  params: Record<string, string>;
  query: Record<string, string>;
  data: PageData<Bodies>;
  /**
   * Name of this part of the page, `team:fragment-id` or `team:route`. A native form carries it in its field `part`, so that the
   * post reaches this part.
   */
  part: string;
  /** Null for a plain read and for other parts; set when the page is rendered as the answer to a native post to this part. */
  action: ActionOutcome | null;
  /** RFC 3339 UTC time of the render. The only clock a module may read while rendering. */
  now: string;
  /** Path of the address, without query. */
  path: string;
}

/** What a page says about itself to search engines and to people who share it. */
export interface Head {
  title: string;
  /** The shell appends the hospital's name to the title: for a module that reads no data. */
  named?: boolean;
  description: string;
  keywords?: string;
  /** Path, for example `/doctors`; the shell puts the site's origin before it. */
  canonicalPath: string;
  /** Path or absolute address of the sharing image. */
  image?: string;
  /** Default `index, follow`. */
  robots?: string;
  /** How much of this address the pages that it leads to are told. Default: their own site all of it, others the origin. */
  referrer?: 'same-origin';
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

/** Where a native form was sent: the route's parameters and the query parameters that the page declares. */
export type PostAddress = Pick<PageProps, 'params' | 'query'>;

/** The API call that stands for a native form post. */
export interface ActionRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`, query included. */
  path: string;
  body: Record<string, unknown> | null;
  /** `If-Match`, or a header whose name begins with `x-`. At most 8, each value at most 512 bytes. */
  headers?: Record<string, string>;
  receipt?: Receipt;
}

/** What the gateway itself shows when the call succeeded and the page that should say so cannot be rendered. */
export interface Receipt {
  title: string;
  text?: string;
  /** Label to key of the answer's JSON body, such as `{ Reference: 'reference' }`. Only text, numbers and booleans are shown. */
  facts?: Record<string, string>;
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
  /**
   * Pure: the same form sent to the same address gives the same request. Null: nothing is called, and the page is shown with the form,
   * its `result` a 204.
   */
  action?: (form: FormFields, now: string, address: PostAddress) => ActionRequest | null;
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

/**
 * When a module's script is fetched and its HTML becomes interactive; `none`: never. `interaction`: when a visitor first
 * presses, focuses or types in it. Nothing of it, not even the shell's script, comes before that, so what its first
 * controls do has to work natively too: the touch that asked for the script may well be over when it is there. An element
 * with `data-resume="key"` counts as touched in a tab whose `sessionStorage` has that key.
 */
export type HydrationMode = 'none' | 'interaction' | 'visible' | 'idle' | 'load';

/** Entries of the site map that a page with parameters has: one for each item of a list. */
export interface SiteMapList {
  /** API path below `/api` of the list, such as `/doctors?pageSize=100`. */
  data: string;
  /** Key of the list in the answer. The route's parameters are the items' fields of the same names. */
  list: string;
  /** Field with the time of the last change, RFC 3339. */
  changed?: string;
}

/** What the site's search knows of a page. */
export interface SearchEntry {
  title: string;
  summary: string;
  /** Further words that it is looked for by, separated by spaces. */
  words: string;
}

/** How a page is found: by search engines, by the site's own search, and by the tests that look at every page. */
export interface Findable {
  /** `true`: its route. A page with parameters names a list instead. */
  siteMap: boolean | SiteMapList;
  search: SearchEntry | false;
  /** Addresses that the tests look at. Default: the route, where it has no parameters. */
  walk?: string[];
}

/** What pages show in the place of a page that has not answered 300 ms after its link was followed. */
export interface SkeletonDeclaration {
  /** `card`: cards of a list with their pictures; `text`: a page of text. */
  shape: 'card' | 'text';
  /** Cards, or blocks of text; 1 to 12. */
  count: number;
  /** What is being loaded, for screen readers: `Loading posts`. At most 60 bytes, without `|`. */
  label: string;
}

export interface PageDeclaration extends Partial<Findable> {
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
  /**
   * Pages without scripts of their own, but for resident ones, have the browser fetch those of this page ahead, when it is idle:
   * for a page that most visits lead to.
   */
  ahead?: boolean;
  skeleton?: SkeletonDeclaration;
  /** Rendered when it is published and kept in memory: answered even when everything behind the gateway is down. */
  resident?: boolean;
  /**
   * The document has no script element at all: neither the shell's scripts nor its data, and its policy is `script-src 'none'`. Its
   * styles are the shell's `bareStyle` and those of its module. Only where `hydrate` is `none`, without scripts, fragments and slots.
   */
  bare?: boolean;
  /** Media type of a page that is no HTML, for example `application/atom+xml`; its module exports `raw`. */
  contentType?: string;
  /** Laid out after the page's own module: `id` of this package's fragments, or `team:id`. Each hydrates by itself. */
  fragments?: string[];
  /** Name of a `Slot` that the module renders to the fragment that stands in it. Only where `hydrate` is `none`. */
  slots?: Record<string, string>;
}

export interface FragmentDeclaration {
  id: string;
  module: string;
  hydrate: HydrationMode;
  query?: string[];
  data?: Record<string, string>;
  /** The fragment takes native form posts. */
  action?: boolean;
}

/** A page that the shell puts together from fragments. */
export interface CompositionDeclaration extends Partial<Findable> {
  route: string;
  module: string;
  fragments: (string | { fragment: string; slots: Record<string, string> })[];
  query?: string[];
  data?: Record<string, string>;
  cacheSeconds?: number;
  skeleton?: SkeletonDeclaration;
}

/** An entry of `site:/pages`, the data source that tells a page which pages there are. */
export interface DirectoryEntry {
  path: string;
  team: string;
  siteMap: boolean;
  /** RFC 3339 time of the last change, where it is known. */
  changed?: string;
  search?: SearchEntry;
}

/** Body of `site:/pages`. */
export interface Directory {
  pages: DirectoryEntry[];
}

/** `module.config.json` of a package: what `hospital-build` makes a publishable folder from. */
export interface ModuleConfig {
  name: string;
  /** Module name to its source file. */
  modules: Record<string, string>;
  /**
   * Module name to a script of a few lines that the document carries in itself (filter, carousel): a TypeScript file whose
   * default export is called with the element of each fragment that shows the module. It may import, `@hospital/api` too.
   */
  scripts?: Record<string, string>;
  pages?: PageDeclaration[];
  fragments?: FragmentDeclaration[];
  /** Path that has moved for good to the path where it is now. */
  redirects?: Record<string, string>;
  /**
   * What must be live beside it, or the gateway refuses the version: the lowest version of the contract that the shell speaks, and
   * API paths that its scripts call (`/doctors/{doctor}`). Those of `data` are added by the build.
   */
  requires?: { shell?: number; api?: string[] };
  /** Shell only, from here on. Module with `renderDocument` as its default export. */
  document?: string;
  /** Script of a few lines that every document carries: its default export is called once, without arguments. */
  documentScript?: string;
  /**
   * Name of the Trusted Types policy that the document script makes: a document lets no other text become a script or the address of
   * one. Left out: a document does not ask for it.
   */
  trustedTypes?: string;
  /** Client start-up. */
  script?: string;
  /**
   * Script that measures how a page came, where it does not load the one above by itself: the address is `data-measure` of the body, and the
   * document script decides whether it is loaded. Resident pages name none.
   */
  measure?: string;
  /** Style sheet of every page. */
  style?: string;
  /**
   * Style sheet of pages that declare `bare`, in place of `style`. With it the document function gets `bare: true` for them; without
   * it they get the ordinary frame and style sheet.
   */
  bareStyle?: string;
  /** API path whose data every document gets. */
  site?: string;
  /** Path at the site's root to the file that is served there. */
  root?: Record<string, string>;
  compositions?: CompositionDeclaration[];
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
  path: string;
  site: DataResult;
  head: Head;
  now: string;
  /** The page declares `bare`: the frame must have no script element, data included. */
  bare?: boolean;
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
