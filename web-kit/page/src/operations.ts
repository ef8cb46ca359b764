/** Bodies of the data sources with the state of the site. */

/** Body of `site:/releases`, the data source that lists the live and the refused versions. For pages of staff. */
export interface Releases {
  /** Reason why the list of wanted versions as a whole is refused. */
  problem: string | null;
  /** Reason why changed keys are refused. */
  keys_problem: string | null;
  remotes: Record<string, ReleasedTeam>;
}

export interface ReleasedTeam {
  /** Version that should be served. */
  wanted: string | null;
  /** Version that is served. */
  stable: string | null;
  /** Seconds since 1970. */
  since: number | null;
  previous?: string | null;
  canary: { version: string; percent: number; since: number | null } | null;
  /** Versions that the gateway does not serve. */
  refused: { version: string; reason: string; detail: string }[];
}

/** Body of `site:/services`, the data source with the health of the services. For pages of staff. */
export interface ServiceHealth {
  services: {
    name: string;
    /** The service's purpose in visitors' words. */
    offers: string;
    state: 'up' | 'slow' | 'down' | 'unknown';
    /** RFC 3339 time of the last check. */
    checked: string | null;
  }[];
}
