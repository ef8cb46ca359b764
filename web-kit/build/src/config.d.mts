import type { ModuleConfig } from '@hospital/page';
export const CONTRACT_VERSION: number;
export const DEV_CONFIG: string;
export function readConfig(
  packageDir: string,
  options?: { isDev?: boolean },
): { config: ModuleConfig; packageVersion: string };
export function hydratingModules(config: ModuleConfig): string[];
