/** The three reviewers on the home page, drawn from the parts of the portraits. */
export const REVIEWERS = {
  'lakshmi-n': { skin: '#9c6b48', hair: '#c9d3d6', age: 3, style: 'bun', garment: '#0b5563', bindi: true, glasses: true },
  'imran-p': { skin: '#b98258', hair: '#10262b', age: 2, style: 'crop', garment: '#2c8a8d', beard: 'short' },
  'grace-m': { skin: '#8a5a3b', hair: '#2a1c14', age: 1, style: 'long', garment: '#e6a52e' },
};
