export const SURGERIES: Readonly<Record<string, string>>;
