export function drawPictograms(): string;
export function drawScene(content: string): string;
/** Path below this folder to content. */
export function drawAll(): Map<string, string>;
