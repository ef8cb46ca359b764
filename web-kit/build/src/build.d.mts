export interface BuiltPackage {
  /** Content of `module.json`. */
  description: { name: string; version: string } & Record<string, unknown>;
  bytes: { files: number; brotli: number };
}
export interface Build {
  name: string;
  version: string;
  /** Publishable folder. The receiver removes it. */
  folder: string;
  /** Files saved since the previous build. Empty for the first build. */
  changed: string[];
  /** Milliseconds from the last save, or the start of the watch, until the folder was complete. */
  ms: number;
}
export function buildPackage(options: { packageDir: string; outDir?: string; isDev?: boolean }): Promise<BuiltPackage>;
