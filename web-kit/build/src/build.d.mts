export interface BuiltPackage {
  /** Content of `module.json`. */
  description: { name: string; version: string } & Record<string, unknown>;
  bytes: { files: number; brotli: number };
}
export interface Build {
  name: string;
  version: string;
  /** Publishable; whoever is told of it removes it. */
  folder: string;
  /** Files that were saved since the build before, the first time of all: none. */
  changed: string[];
  /** Milliseconds from when the last of them was saved, or the watch began, until the folder was complete. */
  ms: number;
}
export function buildPackage(options: { packageDir: string; outDir?: string }): Promise<BuiltPackage>;
