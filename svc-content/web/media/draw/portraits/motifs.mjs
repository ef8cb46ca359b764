/** Small things of Jayanagar behind the doctors, around (0, 0), about 40 units wide. */
import { fill, line } from '@hospital/draw/svg';

export const MOTIFS = {
  sampige: (c) => fill('M0-3C-6-7-7-14 0-20 7-14 6-7 0-3M3-1C4-8 11-12 18-6 16 2 9 4 3-1M1 2C9 2 14 8 11 16 3 16-1 10 1 2M-1 2C1 10-3 16-11 16-14 8-9 2-1 2M-3-1C-9 4-16 2-18-6-11-12-4-8-3-1', c),
  frond: (c) => line('M-14 18C-8 2 2-10 18-18M-11 11l-9-3M-7 4l-9-4M-1-3l-9-5M6-9l-8-7M12-14l-6-7M-10 10l10 1M-5 3l10 0M1-5l10 1M8-11l9 2', c, 2.6),
  palm: (c) => line('M-4 26C-3 12 0 4 4-4M4-4C-4-12-14-10-18 0M4-4C0-16-8-18-16-14M4-4C6-16 12-20 20-18M4-4C14-10 22-6 24 4', c, 3.4),
  hills: (c) => fill('M-22 12C-14-2-9-5-3 3 2-8 10-15 16-2 19 0 21 7 22 12z', c),
  kolam: (c) => line('M-11-11h0M0-11h0M11-11h0M-11 0h0M0 0h0M11 0h0M-11 11h0M0 11h0M11 11h0', c, 3.2) + line('M0-18 18 0 0 18-18 0z', c, 1.6),
  arch: (c) => line('M-14 20V-2C-14-11-5-13 0-21 5-13 14-11 14-2V20M-7 20V0C-7-5-3-7 0-11 3-7 7-5 7 0V20', c, 2.2),
  lamp: (c) => fill('M0-18C6-9 6-2 0-2S-6-9 0-18zM-17 3Q0 11 17 3C15 14 8 17 0 17S-15 14-17 3z', c),
  birds: (c) => line('M-18-2q6-7 10 0q5-7 10 0M2-14q5-6 8 0q4-6 8 0M4 8q4-5 7 0q3-5 7 0', c, 2.2),
}; // prettier-ignore
