/** Formatting of TypeScript, JavaScript, CSS and JSON. `npm run format` applies it; `npm run lint` checks it. */
export default {
  printWidth: 120,
  singleQuote: true,
  overrides: [{ files: ['*.css'], options: { singleQuote: false } }],
};
