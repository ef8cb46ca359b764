/** Exposes only the component of a page module. What the gateway alone calls, such as `head`, stays out of the script. */
export function pitch() {
  return `export { default } from ${JSON.stringify(this.utils.contextify(this.context, this.resourcePath))};`;
}
