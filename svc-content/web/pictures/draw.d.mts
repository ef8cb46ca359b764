export const DRAWN: ReadonlyMap<string, string>;
export function table(): string;
