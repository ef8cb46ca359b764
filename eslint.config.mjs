export { default } from '@hospital/lint/eslint';
