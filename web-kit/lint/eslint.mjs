/** The rules for TypeScript and JavaScript: correctness, hooks, accessibility. How code is laid out is prettier's. */
import js from '@eslint/js';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/dist/', 'target/', 'remotes/', 'data/', 'web-kit/api/src/operations/', '**/tests/fixtures/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  { rules: { 'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }] } },
  {
    // Scripts of Node. Types know the globals of everything else.
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(knownGlobals().map((name) => [name, 'readonly'])),
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
      // What cannot be seen in a text is refused by name: those names stand in classes on purpose.
      'no-control-regex': 'off',
      'no-misleading-character-class': ['error', { allowEscape: true }],
      // A place that scrolls is reached with the keyboard.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['region', 'group', 'list'], tags: ['ul', 'ol'] }],
    },
  },
  {
    files: ['**/*.test.{ts,tsx}', '**/test/*.{ts,tsx}'],
    // Answers of the API are filled in as far as a test needs them.
    rules: { '@typescript-eslint/no-misused-promises': 'off', '@typescript-eslint/no-explicit-any': 'off' },
  },
);

/** What e2e tests and build scripts use without importing it; functions that run in the page see the browser's. */
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
      ...['NodeFilter', 'HTMLInputElement'],
      'addEventListener',
      'Event',
      'KeyboardEvent',
      'crypto',
      'globalThis',
    ],
  ];
}
