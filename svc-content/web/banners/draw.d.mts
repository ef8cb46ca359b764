export const BANNERS: readonly string[];
export function drawBanner(name: string): string;
