/** Pictograms of specialties, services and facilities, 48 by 48, by the icon name used in the content files. */
import { PALETTE as C, SKIN } from '@hospital/draw/palette';
import { box, cross, dot, fill, line, mirrored, moved, oval } from '@hospital/draw/svg';

export const PICTOGRAMS = {
  heart:
    fill('M24 42C10 32 4.5 24.5 4.5 17 4.5 10.5 9.3 6 14.8 6c3.9 0 7.3 2.2 9.2 5.7C25.9 8.2 29.3 6 33.2 6c5.5 0 10.3 4.5 10.3 11 0 7.5-5.5 15-19.5 25Z', C.teal) +
    line('M8.5 23.5H17l3.5-7.5 6 14 4-6.5h9', C.champaca, 3),
  brain:
    hemisphere(C.teal) + mirrored(48, hemisphere(C.sea)) + line('M22 15.5c-3-1-5 .5-5.5 3M12 26c2.5-1.5 5-1 6.5 1.5M22 34c-2.5 1-4.5.3-5.5-1.5', C.pale, 2.2) +
    line('M26 20c2.5-1.5 5-1 6 1.5M36.5 29c-2.5-1.5-5-1-6.5 1', C.pale, 2.2) + dot(31.5, 13, 2.6, C.champaca),
  child:
    dot(12.5, 13, 6.5, C.teal) + dot(35.5, 13, 6.5, C.teal) + dot(12.5, 13, 3, C.champaca) + dot(35.5, 13, 3, C.champaca) + dot(24, 25.5, 16.5, C.sea) +
    oval(24, 32, 8, 6.3, C.cream) + oval(24, 29.6, 3, 2.2, C.deep) + line('M24 32v1.8c-1.5 1.5-3 1.4-3.8.6M24 33.8c1.5 1.5 3 1.4 3.8.6', C.deep, 1.5) + dot(17.5, 23, 2, C.deep) + dot(30.5, 23, 2, C.deep),
  bone: moved(
    'rotate(45 24 24)',
    box(19.5, 8, 9, 32, C.teal, 2),
    dot(18.8, 8, 5.8, C.teal),
    dot(29.2, 8, 5.8, C.teal),
    dot(18.8, 40, 5.8, C.sea),
    dot(29.2, 40, 5.8, C.sea),
    box(19.5, 24, 9, 14, C.sea, 0),
    line('M15.5 24h17', C.champaca, 3.4),
  ),
  gynecology:
    line('M18.5 15.5C13 10.5 6.5 12 7 19M29.5 15.5C35 10.5 41.5 12 41 19', C.teal, 3.6) +
    fill('M15.5 13.5c5 2.5 12 2.5 17 0 1.8 6-2.8 10.5-4 16.5-.8 4.5-.8 12-4.5 12s-3.7-7.5-4.5-12c-1.2-6-5.8-10.5-4-16.5Z', C.sea) +
    dot(8, 23, 4.6, C.champaca) + dot(40, 23, 4.6, C.champaca) + line('M24 20v9', C.pale, 2.4),
  stethoscope:
    line('M10 6H8.5v11.5a9.5 9.5 0 0 0 19 0V6H26', C.teal, 4) + line('M18 27v5.5a10 10 0 0 0 20 0V29', C.sea, 4) + dot(38, 24, 6, C.champaca) + dot(38, 24, 2.4, C.cream),
  skin:
    fill('M5 19c3.2-4 6.3-4 9.5 0s6.3 4 9.5 0 6.3-4 9.5 0 6.3 4 9.5 0v10H5Z', C.light) +
    fill('M5 26c3.2-3 6.3-3 9.5 0s6.3 3 9.5 0 6.3-3 9.5 0 6.3 3 9.5 0v10H5Z', C.sea) + fill('M5 35h38v4a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4Z', C.teal) +
    line('M15 34c2-8 0-18 4-28M33 33c1.5-8 0-15 3-23', C.deep, 2.6) + dot(24, 37, 2.2, C.pale) + dot(15, 35.5, 2.6, C.deep) + dot(33, 34.5, 2.6, C.deep),
  ear:
    fill('M12 21C12 12 17 5.5 25 5.5S38 12 38 19.5c0 9-7.5 10.5-8.5 17-.7 4.5-3.5 7-7.5 7-4.5 0-7.5-3-7.5-7.5Z', C.sea) +
    line('M18.5 20.5c0-5 2.5-8.5 6.5-8.5s6.5 3 6.5 7.5c0 5.5-5.5 6.5-6.5 11', C.cream, 3) + line('M42 14c2 3.5 2 8 0 11.5', C.champaca, 3) + line('M6.5 14c-2 3.5-2 8 0 11.5', C.champaca, 3),
  eye:
    fill('M3 24.5C9 14 16 9 24 9s15 5 21 15.5C39 35 32 40 24 40S9 35 3 24.5Z', C.teal) + fill('M8.5 24.5C13 17.5 18 14 24 14s11 3.5 15.5 10.5C35 31.5 30 35 24 35S13 31.5 8.5 24.5Z', C.white) +
    dot(24, 24.5, 8.6, C.sea) + dot(24, 24.5, 4.2, C.ink) + dot(27.2, 21.2, 2.3, C.light),
  mind:
    fill('M14 44v-8.5C8.5 32.5 5.5 27.5 5.5 21.5 5.5 12 13.3 5 23 5s17 6.5 17.5 15.5l3.8 7c.6 1.1-.1 2.2-1.3 2.2h-2.3v5.3c0 2.8-1.9 4.5-4.6 4.5h-5.3V44Z', C.sea) +
    dot(23, 21, 5.5, C.champaca) + line('M23 11.5v1M23 29.5v1M13.5 21h1M31.5 21h1M16.3 14.3l.7.7M29 27l.7.7M29.7 14.3l-.7.7M17 27l-.7.7', C.cream, 2.8),
  scalpel:
    line('M27.5 20.5 40.5 7.5', C.teal, 7) + fill('M24 19.5l5 5C24 31 16.5 37 5.5 40 9 30 16 23.5 24 19.5Z', C.mist) + fill('M29 24.5C24 31 16.5 37 5.5 40L26.5 22Z', C.sea) + line('M20 42.5h21', C.champaca, 3.2),
  kidney:
    kidney(C.teal) + mirrored(48, kidney(C.sea)) + line('M17.5 25c3.5 1 4 6 4 17M30.5 25c-3.5 1-4 6-4 17', C.champaca, 3),
  suture:
    line('M5 31.5C13 20.5 29 17 43 24', C.mist, 9) + line('M5 31.5C13 20.5 29 17 43 24', C.teal, 2.4) +
    line('M12 19.5l5 10M20.5 16l2.5 11M29.5 15.5v11M38 17.5l-2.5 11', C.sea, 3) + line('M38 17.5C41 9 34 5 28 7.5', C.champaca, 2.4) + line('M28 7.5c-4 1.5-7 0-9-2', C.deep, 2.8),
  'x-ray':
    box(7, 4, 34, 40, C.teal, 6) + line('M24 10v28', C.cream, 2.8) +
    line('M21.5 14.5c-4.5-1-8 .5-9 4M21.5 20.5c-5-1-8.8 1-9.8 5M21.5 26.5c-4.5-1-8 1-9 5M26.5 14.5c4.5-1 8 .5 9 4M26.5 20.5c5-1 8.8 1 9.8 5M26.5 26.5c4.5-1 8 1 9 5', C.pale, 2.4) + line('M18 38.5c2-2.5 10-2.5 12 0', C.champaca, 2.8),
  lungs:
    lobe(C.teal) + mirrored(48, lobe(C.sea)) + line('M24 5v12.5M24 17.5l-6 6.5M24 17.5l6 6.5', C.champaca, 3.4) + line('M14 27c-1.5 2.5-2.3 5-2.5 8M34 27c1.5 2.5 2.3 5 2.5 8', C.pale, 2.2),
  tooth:
    fill('M24 12.5C19.5 8 9.5 7.5 7.5 16.5c-1.3 6 2.8 9.5 3.8 15.5.8 5 1 12 4.7 12 4.3 0 3.5-12.5 8-12.5s3.7 12.5 8 12.5c3.7 0 3.9-7 4.7-12 1-6 5.1-9.5 3.8-15.5-2-9-12-8.5-16.5-4Z', C.sea) +
    line('M13.5 18.5c.3-2.8 2-4.5 4.5-4.7', C.white, 2.8) + fill('M38 2.5l1.9 5.1 5.1 1.9-5.1 1.9L38 16.5l-1.9-5.1L31 9.5l5.1-1.9Z', C.champaca),
  movement:
    dot(28.5, 8, 5, C.teal) + line('M26 18l-4 10.5 8 5 1.5 9.5', C.teal, 4.8) + line('M22 28.5l-4.5 8-8.5 3', C.sea, 4.8) + line('M26 18l-8.5 3.5-2.5 7M26 18l5.5 6 7.5 1.5', C.sea, 4) + line('M6 45.5h9M24 45.5h18', C.champaca, 2.6),
  anaesthesia:
    line('M10 17C6 16 4 13 4 9M38 17c4-1 6-4 6-8', C.champaca, 2.8) + fill('M8.5 14c8-5.5 23-5.5 31 0 .8 8-1.5 21-15.5 21S7.7 22 8.5 14Z', C.sea) +
    fill('M14 16c6-3.3 14-3.3 20 0 .3 6.5-2 14-10 14s-10.3-7.5-10-14Z', C.pale) + line('M24 35v3.5c0 3 2 4.5 5 4.5h11', C.teal, 4) + box(19.5, 31, 9, 6, C.teal, 2) + dot(24, 22, 2.8, C.teal),
  stomach:
    fill('M17 4h7.5v8.5c0 2.5 1.7 3.3 4.3 1.8C35.5 10.5 43 15 43 24c0 11-8.5 19.5-20 19.5-10 0-18-6-18-14.5C5 18.5 17 19.5 17 12Z', C.sea) +
    fill('M5 29c0 8.5 8 14.5 18 14.5 11.5 0 20-8.5 20-19.5-6 8-13 2-19.5 4.5C16 31.5 12 36 5 29Z', C.teal) + dot(24, 35, 2.6, C.champaca) + dot(32, 31, 1.9, C.champaca) + dot(16.5, 36, 1.7, C.champaca),
  ribbon:
    line('M35.5 42.5 19.5 20c-4.5-6.5-1.5-14 4.5-14', C.sea, 7) + line('M12.5 42.5 28.5 20c4.5-6.5 1.5-14-4.5-14', C.champaca, 7) + line('M24 26.3 28.5 20', C.champaca, 7),
  vessels:
    line('M19 45V30c0-7-9-7.5-9-16V4', C.teal, 7) + line('M19 30c0-6 4-6.5 4-13', C.teal, 4.5) + line('M31 45V32c0-7 8-7.5 8-16V4', C.sea, 7) + line('M31 32c0-6-3-6-3-11', C.sea, 4.5) + line('M19 38h12', C.champaca, 3) + line('M10 8v4M39 8v4', C.pale, 2.2),
  'heart-monitor':
    box(4, 7, 40, 28, C.teal, 6) + line('M10 22h7.5l3.5-8 6 14.5 4-6.5h7', C.champaca, 3) + fill('M20 35h8v5h-8Z', C.sea) + line('M14 41.5h20', C.sea, 4),
  emergency:
    fill('M11 35V25a13 13 0 0 1 26 0v10Z', C.champaca) + line('M17 31v-6c0-3.5 2.5-6 5.5-6.3', C.cream, 3) + box(6, 34, 36, 9, C.teal, 4) + line('M24 3.5v3M8.5 9.5l2.2 2.2M39.5 9.5l-2.2 2.2M3 23h2.5M42.5 23H45', C.sea, 3.2),
  microscope:
    line('M10 43h28', C.teal, 5) + line('M27 12c8 1.5 12.5 7.5 12.5 15 0 6.5-3.5 11.5-9 14.5', C.sea, 4.5) + moved('rotate(-25 22 18)', box(17, 3, 10, 7, C.champaca, 2), box(16, 9, 12, 17, C.teal, 3), box(18.5, 26, 7, 5, C.sea, 1.5)) + line('M13 36.5h15', C.teal, 3.6),
  'operating-theatre':
    line('M38 3v8c0 3-2 4.5-5 4.5h-9', C.sea, 3.6) + fill('M6 25C8 16.5 15 12.5 24 12.5S40 16.5 42 25Z', C.teal) + dot(15, 25, 3.6, C.champaca) + dot(24, 25, 3.6, C.champaca) + dot(33, 25, 3.6, C.champaca) + line('M13 33.5l-3 9M24 33.5v9M35 33.5l3 9', C.light, 3),
  ambulance:
    fill('M3 13a4 4 0 0 1 4-4h21v27H3Z', C.teal) + fill('M28 17h8.5c1.5 0 2.5.6 3.3 1.8L45 27v9H28Z', C.sea) + fill('M32 20.5h4.5L40.5 27H32Z', C.cream) + cross(15.5, 21, 5, C.white, 4) +
    dot(12.5, 37, 5, C.ink) + dot(36, 37, 5, C.ink) + dot(12.5, 37, 1.9, C.pale) + dot(36, 37, 1.9, C.pale) + box(21, 4.5, 7, 4.5, C.champaca, 2),
  ultrasound:
    box(4, 4, 40, 30, C.teal, 6) + fill('M21 8.5h6L38 26c-8 5-20 5-28 0Z', C.pale) + fill('M24 27.5c-5 0-8-3-8-6.5 0-2.5 1.8-4.5 4.3-4.5 1.7 0 2.9 1 3.5 2.3 1.5-1.3 7.2.2 7.2 4.2 0 3-3 4.5-7 4.5Z', C.sea) + dot(20.2, 20.3, 2.3, C.champaca) +
    line('M14 43.5h20M24 34v9', C.sea, 4),
  'labour-room':
    fill('M10 26c0-7 6-10 14-10s14 3 14 10c0 11-6 19-14 19S10 37 10 26Z', C.sea) + fill('M10.5 23c8 2 17 8 22 17.5C37 36.5 38 31 38 26c0-7-6-10-14-10-7 0-12.5 2.3-13.5 7Z', C.teal) + dot(24, 13.5, 10, SKIN[3]) +
    fill('M13 13C13 6 18 2.5 24 2.5S35 6 35 13c-6-4-16-4-22 0Z', C.champaca) + line('M20 14.5c.8.7 1.7.7 2.5 0M26 14.5c.8.7 1.7.7 2.5 0', C.ink, 1.5) + line('M22.5 18.5c1 .8 2 .8 3 0', C.ink, 1.5),
  bed:
    line('M5 10v30M43 40V28', C.teal, 4) + fill('M5 25h34a6 6 0 0 1 6 6v3H5Z', C.sea) + fill('M19 19h15c6 0 9 3 9 8H19Z', C.teal) + box(8, 18, 11, 7.5, C.cream, 3.5) + dot(13.5, 16, 5, SKIN[3]) + line('M33 12.5c1.5-2 1.5-4 0-6M39 12.5c1.5-2 1.5-4 0-6', C.champaca, 2.4),
};

function hemisphere(colour) {
  return fill('M22.8 8c-3-4-10-3-11 2.5-4.8.5-7.3 5.5-5 10-4 3-4 9.5.2 12.3-.3 5.7 5.5 9.2 10 7 1.8 2.8 5.8 2.5 5.8-1.3Z', colour);
}

function kidney(colour) {
  return fill('M20.5 12.5C19.5 5 8.5 4.5 5.5 14.5c-3 10.5 1.5 20.5 8 20.5 6 0 5-6 4-10 2.5-3.5 3.6-7.5 3-12.5Z', colour);
}

function lobe(colour) {
  return fill('M20.8 16C14 18 6 29.5 6 38.5c0 4 3 5.2 6.5 4.2 5-1.3 9.5-3.2 9.5-9V17c0-.7-.5-1.2-1.2-1Z', colour);
}
