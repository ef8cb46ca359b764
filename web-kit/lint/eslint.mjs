/** Rules for TypeScript and JavaScript: correctness, hooks, accessibility. Prettier handles formatting. */
import js from '@eslint/js';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** A colour as text: `#0b5563`, `fill='#fff'`, `%230b5563` of a data URL, `rgb(…)`. Not `#add`, which could be an anchor. */
const COLOUR = String.raw`(?:(?:^|[\s'"=:(])#|%23)(?:[0-9a-f]{8}|[0-9a-f]{6})(?![0-9a-z-])|(?:^|['"])#(?=[0-9a-f]*\d|fff)[0-9a-f]{3,4}(?=$|['"])|\b(?:rgb|hsl)a?\(`;

/** Globals of a service worker in addition to those of pages. */
const WORKER = ['caches', 'clients', 'registration', 'skipWaiting'];

export default tseslint.config(
  { ignores: ['**/dist/', 'target/', 'remotes/', 'data/', 'web-kit/api/src/generated/', '**/tests/fixtures/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  { rules: { 'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }] } },
  {
    // Node scripts. In TypeScript files, the compiler checks globals.
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(knownGlobals().map((name) => [name, 'readonly'])),
    },
  },
  {
    // Service workers.
    files: ['web-shell/root/*.js', 'gateway/documents/src/serve/*.js'],
    languageOptions: {
      globals: Object.fromEntries([...knownGlobals(), ...WORKER].map((name) => [name, 'readonly'])),
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommended, a11y.flatConfigs.strict, hooks.configs.flat['recommended-latest']],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      // Regular expressions list invisible characters on purpose, to refuse them in typed text.
      'no-control-regex': 'off',
      'no-misleading-character-class': ['error', { allowEscape: true }],
      // Scrollable regions must be reachable by keyboard.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['region', 'group', 'list'], tags: ['ul', 'ol'] }],
    },
  },
  {
    files: ['**/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/generated/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[`Literal[value=/${COLOUR}/i]`, `TemplateElement[value.raw=/${COLOUR}/i]`].map((selector) => ({
          selector,
          message:
            'Colours come from the tokens: `var(--action)`, or `currentColor`. Drawings are files made by scripts.',
        })),
      ],
    },
  },
  {
    files: ['**/*.test.{ts,tsx}', '**/test/*.{ts,tsx}'],
    // Tests fill in only the parts of an API response that they need.
    rules: { '@typescript-eslint/no-misused-promises': 'off', '@typescript-eslint/no-explicit-any': 'off' },
  },
);

/** Returns the globals of e2e tests and build scripts. Functions that run in the page use those of the browser. */
function knownGlobals() {
  return [
    ...[
      'process',
      'console',
      'URL',
      'URLSearchParams',
      'fetch',
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
    ],
    ...[
      'performance',
      'Buffer',
      'AbortSignal',
      'AbortController',
      'Headers',
      'Response',
      'structuredClone',
      'TextDecoder',
      'TextEncoder',
    ],
    ...[
      'document',
      'window',
      'location',
      'navigator',
      'getComputedStyle',
      'PerformanceObserver',
      'history',
      'CSS',
      'innerWidth',
    ],
    ...[
      'innerHeight',
      'scrollTo',
      'localStorage',
      'sessionStorage',
      'HTMLElement',
      'Element',
      'MutationObserver',
      'matchMedia',
    ],
    ...[
      'requestAnimationFrame',
      ...['NodeFilter', 'HTMLInputElement', 'FormData', 'caches'],
      'addEventListener',
      'Event',
      'KeyboardEvent',
      'crypto',
      'globalThis',
    ],
  ];
}
