/** Looks of the sixteen doctors. All are invented; none is a likeness. `slug` is the doctor's slug in the content files. */
import { PALETTE as C, mix } from '@hospital/draw/palette';

const woman = { woman: true, jaw: 20, chin: 8.5, w: 28, brow: { thick: 1.9, arch: 3.4, y: 74 }, nose: { w: 6.2, l: 101 } };
const man = { jaw: 23.5, chin: 12, w: 29.5, len: 127, brow: { thick: 3.2, arch: 2.2, y: 74.5 }, nose: { w: 7.4, l: 102.5 }, lips: 0.9 };
const silk = mix(C.rose, C.ink, 0.28);

export const PEOPLE = {
  'dr-vasundhara-hegde': { motif: 'kolam', ...woman, skin: 3, style: 'long', dress: 'kurta', colour: C.champaca, spectacles: 'soft', frame: mix(C.bark, C.ink, 0.4), bindi: 'small', earrings: 'stud' },
  'dr-raghunandan-shetty': { motif: 'palm', ...man, skin: 5, w: 30, jaw: 25.5, chin: 13, style: 'receding', temples: true, moustache: true, smile: 1, age: 2, dress: 'shirt', colour: mix(C.pale, C.bus, 0.2), tie: C.deep },
  'dr-meghana-kulkarni': { motif: 'frond', ...woman, skin: 2, w: 27.5, jaw: 19.5, len: 124.5, style: 'tail', smile: 1, age: 0, dress: 'scrubs', colour: C.sea, earrings: 'stud', gems: C.paper },
  'dr-aravind-bhat': { motif: 'arch', ...man, skin: 3, jaw: 22, chin: 10.5, len: 128, style: 'side', spectacles: 'square', dress: 'shirt', colour: C.cream, tie: silk },
  'dr-sudhakar-gowda': { motif: 'hills', ...man, skin: 5, w: 30.5, jaw: 26, chin: 14, len: 126, hair: 'grey', style: 'crop', beard: 'goatee', moustache: true, age: 2, dress: 'shirt', colour: mix(C.champaca, C.cream, 0.5) },
  'dr-nandini-iyengar': { motif: 'sampige', ...woman, skin: 2, jaw: 20.5, style: 'bun', flowers: true, bindi: true, earrings: 'jhumka', noseStud: true, necklace: 'chain', dress: 'saree', colour: C.rose, second: C.champaca, stethoscope: true, badge: false },
  'dr-farhan-siddiqui': { motif: 'frond', ...man, skin: 2, hair: 'brown', style: 'swept', beard: 'short', moustache: true, dress: 'shirt', colour: C.dusk },
  'dr-praveen-naidu': { motif: 'hills', ...man, skin: 6, w: 29, jaw: 24.5, style: 'short', moustache: true, dress: 'scrubs', colour: C.teal, coat: false },
  'dr-kavitha-ramesh': { motif: 'kolam', ...woman, skin: 4, w: 29.5, jaw: 22.5, chin: 10.5, len: 125, style: 'bun', flowers: true, bindi: true, earrings: 'jhumka', necklace: 'mangalsutra', smile: 1, age: 2, dress: 'saree', colour: C.champaca, second: C.leaf },
  'dr-thomas-kurien': { motif: 'palm', ...man, skin: 5, style: 'curly', beard: 'short', moustache: true, spectacles: 'round', dress: 'shirt', colour: mix(C.sunlit, C.paper, 0.5) },
  'dr-girish-deshpande': { motif: 'hills', ...man, skin: 2, jaw: 22, len: 128, style: 'short', moustache: 'thin', beard: 'stubble', age: 0, smile: 1, dress: 'shirt', colour: C.paper, tie: C.sea },
  'dr-shalini-dsouza': { motif: 'birds', ...woman, skin: 4, hair: 'brown', style: 'bob', necklace: 'cross', earrings: 'stud', gems: C.paper, dress: 'kurta', colour: C.teal },
  'dr-ayesha-khanum': { motif: 'birds', ...woman, skin: 2, w: 27.5, style: 'hijab', cloth: C.sea, age: 0, dress: 'kurta', colour: C.dusk, coat: false },
  'dr-manjunath-kamath': { motif: 'arch', ...man, skin: 3, w: 28.5, jaw: 21.5, len: 129, style: 'swept', smile: 1, dress: 'shirt', colour: mix(C.pale, C.paper, 0.4) },
  'dr-rekha-prabhu': { motif: 'lamp', ...woman, skin: 4, hair: 'grey', w: 29, jaw: 21.5, style: 'bun', spectacles: 'soft', frame: C.ink, bindi: true, earrings: 'stud', necklace: 'pearls', age: 2, dress: 'saree', colour: C.teal, second: C.champaca, coat: false, stethoscope: true },
  'dr-chandrashekar-rao': { motif: 'sampige', ...man, skin: 3, hair: 'white', w: 29.5, style: 'bald', moustache: true, spectacles: 'square', frame: C.slate, age: 3, dress: 'shirt', colour: C.pale, tie: C.bark },
}; // prettier-ignore

/** The reviewers on the home page. */
export const REVIEWERS = {
  'lakshmi-n': { ...woman, motif: 'kolam', skin: 4, hair: 'white', w: 29, jaw: 22, style: 'bun', flowers: true, bindi: true, earrings: 'stud', spectacles: 'soft', frame: C.slate, necklace: 'chain', age: 3, dress: 'saree', colour: C.leaf, second: C.champaca, coat: false },
  'imran-p': { ...man, motif: 'palm', skin: 3, style: 'short', beard: 'short', moustache: true, dress: 'shirt', colour: mix(C.sea, C.paper, 0.35), coat: false },
  'grace-m': { ...woman, motif: 'birds', skin: 5, style: 'wavy', smile: 1, age: 0, earrings: 'hoop', dress: 'kurta', colour: C.marigold, coat: false },
}; // prettier-ignore
