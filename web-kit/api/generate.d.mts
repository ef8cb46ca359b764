export function generate(description: object): Map<string, string>;
export function staleFiles(): string[];
