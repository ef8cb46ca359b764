/** Renders a link as a QR code. Loaded on demand, when there is a link to print. */
import { correction, generate } from 'lean-qr/nano';

export interface Qr {
  /** Modules on each side, without the margin. */
  size: number;
  /** SVG path whose unit is a module. */
  path: string;
}

/** Encodes with medium error correction, because paper gets creased. */
export function qrOf(text: string): Qr {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const { size } = code;
  let path = '';
  for (let y = 0; y < size; y += 1) {
    for (let x = 0, width = 0; x < size; x += width + 1) {
      for (width = 0; code.get(x + width, y); width += 1);
      if (width > 0) path += `M${x} ${y}h${width}v1h-${width}z`;
    }
  }
  return { size, path };
}
