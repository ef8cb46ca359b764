/**
 * The contract between the gateway, the shell and the page modules. All types exchanged between them are defined here,
 * so a change of the contract is a change of this file. Its version is in `contract.json`, which the build, the gateway
 * and the developer commands also read. The contract includes the cascade layers `reset, tokens, kit, page` and the
 * custom properties listed in `tokens.json`.
 *
 * The gateway serves modules of this version and of the previous version side by side.
 */
import type { ComponentType } from 'react';
import contract from '../contract.json';
import type { OtherLanguage } from './language.ts';

export type { ReleasedTeam, Releases, ServiceHealth } from './operations.ts';

export const CONTRACT_VERSION = contract.version;

/** RFC 9457 problem of the API, as `application/problem+json`. */
export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail?: string;
  /** Reason code in UPPER_SNAKE, for example `SLOT_TAKEN`. */
  reason?: string;
  fields?: FieldProblem[];
  /** Details of the reason, for example `alternatives` to a taken time. At most 8 entries and 1 KiB. */
  metadata?: Readonly<Record<string, string>>;
  traceId?: string;
}

/** A refused field. `field` is its JSON name in the payload, for example `patientName`. */
export interface FieldProblem {
  field: string;
  message: string;
  /** Machine-readable reason code in UPPER_SNAKE. Absent if the API sent none. */
  reason?: string;
}

/** Result of one declared API read. If the read failed, the page decides what to show instead. */
export type DataResult<Body = unknown> =
  { ok: true; status: number; body: Body } | { ok: false; status: number; body: Problem | null };

/** Results of a page's declared reads, by their key in `data` of the configuration. */
export type PageData<Bodies extends object = Record<string, unknown>> = {
  [Key in keyof Bodies]: DataResult<Bodies[Key]>;
};

/** Fields of a native form post: all values of a name, in the order of the form. At most 100 fields in 64 KiB. */
export type FormFields = Readonly<Record<string, readonly string[]>>;

/** A native form post and the API's response to the module's `action`. */
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
   * Name of this part of the page, `team:fragment-id` or `team:route`. A native form carries the name in its field
   * `part`, so the post reaches this part.
   */
  part: string;
  /** Outcome of the native post to this part that the page answers. Null for a plain read and for other parts. */
  action: ActionOutcome | null;
  /** RFC 3339 UTC time of the render. The only clock a module may read while rendering. */
  now: string;
  /** Path of the address, without query and without the language's prefix. */
  path: string;
  /** Language of the page. Absent for English. */
  language?: OtherLanguage;
  /** The signed-in person, on pages that declare `access`. Absent on all other pages. */
  staff?: StaffMember;
}

/** A signed-in member of staff. */
export interface StaffMember {
  /** At most 128 characters. */
  name: string;
  /** Scopes of the person's roles, such as `appointments:read`. Services check them again. */
  scopes: readonly string[];
  /** Id of the doctor whom the roster knows the person as. Absent for everybody else, and from gateways before it. */
  doctor?: string;
}

/** Metadata of a page for search engines and link previews. */
export interface Head {
  title: string;
  /** The shell appends the hospital's name to the title. For modules that read no data. */
  named?: boolean;
  description: string;
  keywords?: string;
  /** Path, for example `/doctors`. The shell prepends the site's origin. */
  canonicalPath: string;
  /** Path or absolute URL of the image in link previews. */
  image?: string;
  /** Default `index, follow`. */
  robots?: string;
  /** Referrer policy of the page. Default: the full address for links within the site, the origin for others. */
  referrer?: 'same-origin';
  /** schema.org objects in addition to the hospital's own. */
  jsonLd?: object[];
  /** Set if the page is a published text and not a section of the site. */
  article?: ArticleHead;
  /** Title and path of the Atom feed that the page belongs to. */
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

/** Target of a native form post: the route's parameters and the declared query parameters of the page. */
export type PostAddress = Pick<PageProps, 'params' | 'query'>;

/** The API call for a native form post. */
export interface ActionRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api`, including the query. */
  path: string;
  body: Record<string, unknown> | null;
  /** The page's `file`, which is then the body of the call. */
  file?: string;
  /** `If-Match`, or a header whose name begins with `x-`. At most 8, each value at most 512 bytes. */
  headers?: Record<string, string>;
  receipt?: Receipt;
}

/** Shown by the gateway itself when the call succeeded but the confirming page cannot be rendered. */
export interface Receipt {
  title: string;
  text?: string;
  /** Label to key of the JSON response, such as `{ Reference: 'reference' }`. Shows only text, numbers and booleans. */
  facts?: Record<string, string>;
}

/** Exports of a module's file. */
export interface PageModule<Bodies extends object = Record<string, unknown>> {
  default: ComponentType<PageProps<Bodies>>;
  head?: (props: PageProps<Bodies>) => Head;
  /** HTTP status of the document. Default 200. */
  status?: (props: PageProps<Bodies>) => number;
  /**
   * Returns the canonical path on this site, with a leading slash, or null if the current address is canonical. The
   * gateway redirects there with 301, or with the module's `status` if that is a redirect. The module still renders, so
   * nothing is lost if the redirect is not followed.
   */
  location?: (props: PageProps<Bodies>) => string | null;
  /**
   * Returns the props with which the browser hydrates, without data that the component does not read. The component
   * must render the same with them. Called on the server only.
   */
  clientProps?: (props: PageProps<Bodies>) => PageProps<Bodies>;
  /**
   * Maps a form post to an API call. Must be pure: the same form sent to the same address gives the same request. Null
   * makes no call: the page is shown with the form, and its `result` has status 204.
   */
  action?: (form: FormFields, now: string, address: PostAddress) => ActionRequest | null;
}

/**
 * Exports of a module's file for a page with `contentType`, such as a feed or a site map. The output is not wrapped in
 * a document. There is no `default` export.
 */
export interface RawModule<Bodies extends object = Record<string, unknown>> {
  /** Returns the complete response body, which the gateway sends unchanged. */
  raw: (props: PageProps<Bodies>) => string;
  /** HTTP status. Default 200. Responses with any other status are not cached. */
  status?: (props: PageProps<Bodies>) => number;
}

/**
 * When a module's script is fetched and its HTML becomes interactive. `none`: never. `interaction`: when a visitor
 * first presses, focuses or types in the module. No script, not even the shell's, is fetched before that. The module's
 * first controls must therefore also work natively: the triggering touch may be over before the script has loaded. An
 * element with `data-resume="key"` counts as touched in a tab whose `sessionStorage` has that key.
 */
export type HydrationMode = 'none' | 'interaction' | 'visible' | 'idle' | 'load';

/** Site map entries of a page with parameters: one per item of a list. */
export interface SiteMapList {
  /** API path below `/api` of the list, such as `/doctors?pageSize=100`. */
  data: string;
  /** Key of the list in the response. Route parameters are filled from the items' fields of the same names. */
  list: string;
  /** Field with the time of the last change, RFC 3339. */
  changed?: string;
}

/** Entry of a page in the site's search. */
export interface SearchEntry {
  title: string;
  summary: string;
  /** Additional search terms, separated by spaces. */
  words: string;
}

/** How a page is found by search engines, by the site's own search, and by the tests that visit every page. */
export interface Findable {
  /** `true` lists the route. A page with parameters names a list instead. */
  siteMap: boolean | SiteMapList;
  search: SearchEntry | false;
  /** Addresses that the tests visit. Default: the route, if it has no parameters. */
  walk?: string[];
}

/** Placeholder for a page that has not responded 300 ms after its link was followed. */
export interface SkeletonDeclaration {
  /** `card`: cards of a list with their pictures; `text`: a page of text. */
  shape: 'card' | 'text';
  /** Number of cards or text blocks, 1 to 12. */
  count: number;
  /** Loading message, which screen readers announce: `Loading posts`. At most 60 bytes, without `|`. */
  label: string;
}

/** Who may see a page of the staff area. */
export interface Access {
  /** Scope that a person needs, such as `appointments:read`. If omitted, every signed-in person may see the page. */
  scope?: string;
  /**
   * Name of the page in the navigation, and where access is refused: `Today`. 1 to 60 characters. A page with route
   * parameters is not in the navigation.
   */
  label: string;
}

export interface PageDeclaration extends Partial<Findable> {
  /** Route in matchit syntax, for example `/doctor/{slug}`. */
  route: string;
  module: string;
  hydrate: HydrationMode;
  /** Query parameters the page reads; all others are ignored. */
  query?: string[];
  /** Key to API path below `/api`. `{params.x}` and `{query.x}` are filled in, URL-encoded. */
  data?: Record<string, string>;
  /** The page accepts native form posts. */
  action?: boolean;
  /**
   * Name of the one file that the page's forms may send, as `multipart/form-data`. It is the body of the call of an
   * action that returns the same name as `file`. Needs `action` and `access`.
   */
  file?: string;
  /** Time for which a cached copy is fresh, in seconds. Default 60. */
  cacheSeconds?: number;
  /**
   * Other pages prefetch this page's scripts when the browser is idle, unless they have scripts themselves or are
   * resident. For a page that most visits lead to.
   */
  ahead?: boolean;
  skeleton?: SkeletonDeclaration;
  /** Rendered on publication and kept in memory, so it is served even if everything behind the gateway is down. */
  resident?: boolean;
  /**
   * The document has no script element: neither the shell's scripts nor data. Its content security policy has
   * `script-src 'none'`. Its styles are the shell's `bareStyle` and those of its module. Allowed only with `hydrate`
   * set to `none`, and without scripts, fragments and slots.
   */
  bare?: boolean;
  /** Media type of a page that is not HTML, for example `application/atom+xml`. Its module exports `raw`. */
  contentType?: string;
  /**
   * For signed-in staff alone. Required for routes at or below `/staff`, and refused for all others. The document is made
   * for one person: never cached, prerendered, listed or indexed. Its data and its forms' calls carry the person's rights.
   * `siteMap` and `search` must be unset or false. `resident`, `bare`, `ahead`, `skeleton`, `cacheSeconds` and
   * `contentType` must be unset.
   */
  access?: Access;
  /** Fragments after the page's own module: `id` within this package, or `team:id`. Each hydrates independently. */
  fragments?: string[];
  /** Name of a `Slot` in the module to the fragment that fills it. Allowed only with `hydrate` set to `none`. */
  slots?: Record<string, string>;
}

export interface FragmentDeclaration {
  id: string;
  module: string;
  hydrate: HydrationMode;
  query?: string[];
  data?: Record<string, string>;
  /** The fragment accepts native form posts. */
  action?: boolean;
}

/** A page that the shell composes from fragments. */
export interface CompositionDeclaration extends Partial<Findable> {
  route: string;
  module: string;
  fragments: (string | { fragment: string; slots: Record<string, string> })[];
  query?: string[];
  data?: Record<string, string>;
  cacheSeconds?: number;
  skeleton?: SkeletonDeclaration;
}

/** An entry of `site:/pages`, the data source that lists the site's pages. */
export interface DirectoryEntry {
  path: string;
  team: string;
  siteMap: boolean;
  /** RFC 3339 time of the last change, if known. */
  changed?: string;
  search?: SearchEntry;
}

/** Body of `site:/pages`. */
export interface Directory {
  pages: DirectoryEntry[];
}

/** A page of the staff area that the signed-in person may see. */
export interface DeskEntry {
  path: string;
  label: string;
  team: string;
}

/** Body of `site:/staff`, the data source that lists the pages of the signed-in person: the shell's, then each team's. */
export interface DeskListing {
  pages: DeskEntry[];
}

/** Content of `module.config.json`, from which `hospital-build` builds a package's publishable folder. */
export interface ModuleConfig {
  name: string;
  /** Module name to its source file. */
  modules: Record<string, string>;
  /**
   * Module name to a small script that the document carries inline, such as a filter or carousel. The script is a
   * TypeScript file whose default export is called with the element of each fragment that shows the module. It may
   * import other files, including `@hospital/api`.
   */
  scripts?: Record<string, string>;
  pages?: PageDeclaration[];
  fragments?: FragmentDeclaration[];
  /** Permanently moved path to its new path. */
  redirects?: Record<string, string>;
  /**
   * What must be live, or the gateway refuses the version. `shell`: minimum contract version of the live shell. `api`:
   * API paths that the scripts call, such as `/doctors/{doctor}`. The build adds those of `data`.
   */
  requires?: { shell?: number; api?: string[] };
  /** Module whose default export is `renderDocument`. All members from here on are for the shell only. */
  document?: string;
  /** Small script in every document. Its default export is called once, without arguments. */
  documentScript?: string;
  /**
   * Small script in every document of pages that declare `access`, after `documentScript`. Its default export is called
   * once, without arguments.
   */
  deskScript?: string;
  /**
   * Name of the Trusted Types policy that the document script creates. Documents accept scripts and script URLs only
   * through this policy. If omitted, documents do not require Trusted Types.
   */
  trustedTypes?: string;
  /** Client start-up script. */
  script?: string;
  /**
   * Script that measures the load of pages that do not load `script` themselves. Its address is in `data-measure` of
   * the body, and the document script decides whether to load it. Resident pages have no such address.
   */
  measure?: string;
  /** Style sheet of every page. */
  style?: string;
  /**
   * Style sheet of pages that declare `bare`, instead of `style`. If set, the document function gets `bare: true` for
   * these pages. If omitted, these pages get the ordinary frame and style sheet.
   */
  bareStyle?: string;
  /**
   * Style sheet of pages that declare `access`, after `style`. The document function gets `staff` for these pages.
   */
  deskStyle?: string;
  /** Style sheets of pages in other languages, after `style`, by code. Not for pages that declare `bare`. */
  languageStyles?: Partial<Record<OtherLanguage, string>>;
  /** API path whose data every document gets. */
  site?: string;
  /** Path at the site's root to the file served there. */
  root?: Record<string, string>;
  compositions?: CompositionDeclaration[];
  /**
   * Modules of error screens, by `403`, `404`, `500` and `fragment`. `403` replaces a page that the signed-in person may not
   * see, whose label is `params.label`. Without it, `500` replaces the page.
   */
  errors?: Record<string, string>;
}

/** A hydrating fragment of a document, as the gateway writes it into `#page-data`. */
export interface HydratedFragment {
  id: string;
  remote: string;
  module: string;
  hydrate: HydrationMode;
  identifierPrefix: string;
  props: PageProps;
  /**
   * Translations into the page's language by team, each from the English text to the translation: those of the
   * fragment's package and of the kit. Absent on English pages, and for packages without translations.
   */
  messages?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Content of `<script type="application/json" id="page-data">`. */
export interface PageDocumentData {
  contract: number;
  remotes: { name: string; version: string; entry: string }[];
  fragments: HydratedFragment[];
}

/** Input of the shell's document function. */
export interface DocumentInput {
  /** Path of the address, without query and without the language's prefix. */
  path: string;
  /** Language of the document. Absent for English. */
  language?: OtherLanguage;
  site: DataResult;
  head: Head;
  now: string;
  /** The page declares `bare`: the frame must not contain a script element, not even for data. */
  bare?: boolean;
  /** The signed-in person and the person's pages, on pages that declare `access`. Absent on all other pages. */
  staff?: { name: string; pages: readonly DeskEntry[] };
  /** Address of the icon and colour of the window, on the site of another hospital than the built-in one. */
  look?: { icon: string; theme: string };
}

/** The parts of a document that the shell renders. */
export interface DocumentParts {
  /** Attributes of the `html` element. */
  htmlAttributes: string;
  /** Title, metas, canonical address. */
  head: string;
  /** Skip link, emergency bar, header. */
  before: string;
  /** Footer, phone bar, structured data. */
  after: string;
}
