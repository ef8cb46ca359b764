import type { Build } from './build.mjs';

export interface Watch {
  close(): Promise<void>;
}
export function watchPackage(options: {
  packageDir: string;
  workDir: string;
  onBuilt: (build: Build) => void;
  onFailed: (problem: string) => void;
}): Watch;
