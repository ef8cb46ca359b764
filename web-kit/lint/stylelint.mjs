/** Custom properties that `previous-tokens.css` defines, without their dashes. */
export const PREVIOUS_TOKENS = [
  ...['ink', 'ink-soft', 'paper', 'mist', 'emergency', 'emergency-strong'],
  ...['teal', 'teal-strong', 'teal-soft', 'champaca', 'champaca-strong', 'champaca-soft'],
];

/** Rules for style sheets. Colours must come from the tokens, so contrast is checked in one place. */
export default {
  extends: ['stylelint-config-standard'],
  ignoreFiles: ['**/tests/fixtures/**'],
  rules: {
    // Class names of CSS modules are properties in TypeScript.
    'selector-class-pattern': [
      '^[a-z][a-zA-Z0-9]*$',
      { message: 'camelCase, as the name is a property in TypeScript' },
    ],
    'keyframes-name-pattern': '^[a-z][a-zA-Z0-9]*$',
    'custom-property-pattern': '^[a-z][a-z0-9]*(--?[a-z0-9]+)*$',
    // Prettier handles blank lines.
    'rule-empty-line-before': null,
    'declaration-empty-line-before': null,
    'at-rule-empty-line-before': null,
    'comment-empty-line-before': null,
    'color-no-hex': true,
    // Names of contract version 2 say how a colour looks. The shell still defines them for modules released with it.
    'declaration-property-value-disallowed-list': [
      { '/./': [`/var\\(--(${PREVIOUS_TOKENS.join('|')})[,)]/`] },
      { message: (_property, value) => `${value} is a name of contract version 2: use the token of the role` },
    ],
    'custom-property-empty-line-before': null,
    'value-keyword-case': ['lower', { camelCaseSvgKeywords: true, ignoreProperties: ['/^--font/'] }],
    'length-zero-no-unit': [true, { ignoreFunctions: ['calc', 'max', 'min', 'clamp'] }],
    'no-descending-specificity': null,
    'property-no-vendor-prefix': [
      true,
      { ignoreProperties: ['text-size-adjust', 'user-select', 'backdrop-filter', 'appearance'] },
    ],
  },
  // The gateway's fallback pages and bare pages work without the tokens and define their own colours. Axe checks their
  // contrast.
  overrides: [
    {
      files: [
        '**/tokens.css',
        '**/builtin.css',
        'gateway/api/src/page/page.css',
        '**/bare.css',
        '**/preview/banner.css',
      ],
      rules: { 'color-no-hex': null },
    },
  ],
};
