/** Generates the entry of a small script, which runs for each element of its module, or once without a module. */
export default function scriptEntry() {
  const query = new URLSearchParams(this.resourceQuery);
  const file = JSON.stringify(this.utils.contextify(this.context, query.get('file')));
  const module = query.get('module');
  const call = module
    ? `for (const root of document.querySelectorAll(${JSON.stringify(`[data-module="${module}"]`)})) run(root);`
    : 'run();';
  return `import run from ${file};\n${call}`;
}
