export const SERVICES: Readonly<Record<string, string>>;
