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
  /** Unix time in milliseconds at which the last of them was saved, or at which the watch began. */
  savedAt: number;
}
export function buildPackage(options: { packageDir: string; outDir?: string }): Promise<BuiltPackage>;
