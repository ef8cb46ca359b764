export { default } from '@hospital/lint/stylelint';
