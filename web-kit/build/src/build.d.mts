export interface BuiltPackage {
  /** Content of `module.json`. */
  description: { name: string; version: string } & Record<string, unknown>;
  bytes: { files: number; brotli: number };
}
export function buildPackage(options: { packageDir: string; outDir?: string }): Promise<BuiltPackage>;
