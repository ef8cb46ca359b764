export const PICTOGRAMS: Readonly<Record<string, string>>;
