export function className(team: string, path: string, name: string): string;
export function isOfKit(path: string): boolean;
