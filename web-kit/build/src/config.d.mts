import type { ModuleConfig } from '@hospital/page';
export const CONTRACT_VERSION: number;
export function readConfig(packageDir: string): { config: ModuleConfig; packageVersion: string };
export function hydratingModules(config: ModuleConfig): string[];
