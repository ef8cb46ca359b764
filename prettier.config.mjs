/** How TypeScript, JavaScript, CSS and JSON are laid out. `npm run format` writes it, `npm run lint` checks it. */
export default {
  printWidth: 120,
  singleQuote: true,
  overrides: [{ files: ['*.css'], options: { singleQuote: false } }],
};
