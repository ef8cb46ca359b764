export function builtIn(): ReadonlyMap<string, string>;
