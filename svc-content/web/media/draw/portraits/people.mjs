/**
 * Looks of the portraits. Sixteen people of different age, skin, hair and dress; none is a likeness. `slug` is the
 * doctor's slug in the content files; the other values refer to parts.mjs.
 */
const SKIN = { 1: '#f0c9a4', 2: '#dfae84', 3: '#c98f63', 4: '#a9714a', 5: '#8a5738', 6: '#6c422a' };
const HAIR = { black: '#1d2326', brown: '#3a2a22', grey: '#8b9497', white: '#d5dbdc', henna: '#5b2f22' };

function person(slug, skin, hair, parts) {
  return { slug, skin: SKIN[skin], hair: HAIR[hair], dress: 'coat', garment: '#0b5563', ...parts };
}

export const PEOPLE = [
  person('dr-vasundhara-hegde', 3, 'black', { style: 'long', garment: '#e6a52e', glasses: true, age: 2 }),
  person('dr-raghunandan-shetty', 5, 'black', { style: 'receding', moustache: true, garment: '#3f8791', age: 2 }),
  person('dr-meghana-kulkarni', 2, 'black', { style: 'fringe', garment: '#83b7bd', age: 1 }),
  person('dr-aravind-bhat', 3, 'brown', { style: 'sidePart', glasses: true, garment: '#0b5563', age: 2 }),
  person('dr-sudhakar-gowda', 5, 'grey', { style: 'crop', beard: 'goatee', garment: '#e6a52e', age: 3 }),
  person('dr-nandini-iyengar', 1, 'henna', { style: 'wavy', garment: '#3f8791', bindi: true, age: 2 }),
  person('dr-farhan-siddiqui', 1, 'brown', { style: 'swept', beard: 'short', glasses: true, garment: '#083f4a', age: 1 }),
  person('dr-praveen-naidu', 6, 'black', { style: 'crop', moustache: true, garment: '#83b7bd', age: 2 }),
  person('dr-kavitha-ramesh', 4, 'black', { style: 'bun', dress: 'sareeCoat', garment: '#e6a52e', bindi: true, age: 2 }),
  person('dr-thomas-kurien', 6, 'black', { style: 'curly', beard: 'short', garment: '#3f8791', age: 1 }),
  person('dr-girish-deshpande', 2, 'black', { style: 'turban', turban: '#0b5563', beard: 'full', garment: '#83b7bd', age: 1 }),
  person('dr-shalini-dsouza', 4, 'brown', { style: 'bob', garment: '#0b5563', age: 2 }),
  person('dr-ayesha-khanum', 1, 'black', { style: 'hijab', scarf: '#3f8791', garment: '#083f4a', age: 1 }),
  person('dr-manjunath-kamath', 3, 'black', { style: 'crop', beard: 'short', garment: '#0b5563', age: 1 }),
  person('dr-rekha-prabhu', 5, 'white', { style: 'bun', dress: 'saree', garment: '#0b5563', glasses: true, bindi: true, age: 3 }),
  person('dr-chandrashekar-rao', 3, 'white', { style: 'bald', glasses: true, moustache: true, garment: '#0b5563', age: 3 }),
];
