export {};
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/dom');
  // On a busy machine, axe and a local server together need longer than one second, the default.
  configure({ asyncUtilTimeout: 15_000 });
}
