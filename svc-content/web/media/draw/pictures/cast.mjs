/** People who appear in the pictures, as looks of figures. */
import { PALETTE as C, mix } from '@hospital/draw/palette';

export const CAST = {
  ajji: { dress: 'saree', elder: true, spectacles: true, bindi: true, skin: 4, colour: C.leaf, second: C.champaca },
  amma: { dress: 'saree', style: 'braid', flowers: true, bindi: true, skin: 3, colour: C.rose, second: C.light },
  akka: { dress: 'kurta', style: 'braid', skin: 2, colour: C.marigold, lower: C.cream, pallu: C.rose },
  aunt: { dress: 'saree', style: 'bun', skin: 5, bindi: true, colour: C.bus, second: C.light },
  khala: { dress: 'kurta', style: 'hijab', cloth: C.sea, skin: 2, colour: C.dusk, lower: C.ink },
  ajja: { dress: 'dhoti', elder: true, moustache: true, spectacles: true, skin: 4, colour: C.paper, lower: C.paper },
  uncle: { dress: 'shirt', hair: 'grey', moustache: true, skin: 4, colour: C.light, lower: C.slate },
  father: { dress: 'shirt', moustache: true, skin: 4, colour: C.pale, lower: C.slate },
  son: { dress: 'shirt', style: 'side', skin: 3, colour: C.bus, lower: C.ink },
  brother: { dress: 'kurta', woman: false, beard: 'short', skin: 2, colour: C.paper, lower: C.paper },
  youth: { dress: 'shirt', style: 'curly', skin: 5, colour: C.champaca, lower: C.dusk },
  girl: { child: true, dress: 'frock', style: 'pigtails', skin: 3, colour: C.champaca },
  boy: { child: true, dress: 'shorts', skin: 4, colour: C.sunlit, lower: C.slate },
  pupil: { child: true, dress: 'shorts', skin: 3, colour: C.white, lower: C.teal },
  schoolgirl: { child: true, dress: 'frock', style: 'pigtails', skin: 4, colour: C.teal, second: C.white },
  toddler: { toddler: true, dress: 'shorts', style: 'baby', skin: 3, colour: C.champaca, lower: C.sea },
  doctor: { dress: 'coat', over: 'shirt', style: 'side', spectacles: true, skin: 3, colour: C.pale, lower: C.slate },
  surgeon: { dress: 'coat', over: 'shirt', hair: 'grey', moustache: true, skin: 5, colour: C.light, lower: C.ink },
  drAkka: { dress: 'coat', over: 'saree', style: 'bun', bindi: true, skin: 4, colour: C.champaca, second: C.leaf },
  drBob: { dress: 'coat', over: 'kurta', style: 'bob', hair: 'brown', skin: 3, colour: C.teal, lower: C.slate, woman: true },
  nurse: { dress: 'scrubs', style: 'bun', skin: 4, colour: C.sea },
  brotherNurse: { dress: 'scrubs', style: 'short', skin: 5, colour: C.sea },
  crew: { dress: 'scrubs', style: 'short', beard: 'short', skin: 4, colour: C.champaca, lower: C.teal },
  pregnant: { dress: 'saree', pregnant: true, style: 'braid', flowers: true, bindi: true, skin: 4, colour: mix(C.sea, C.pale, 0.2), second: C.champaca },
}; // prettier-ignore
