import axe from 'axe-core';

/** Rules that need layout and painting, which do not exist outside a browser. The browser tests check them. */
const BROWSER_ONLY = ['color-contrast', 'target-size'];

/** Returns every broken accessibility rule below `element`, with the offending markup. For tests. */
export async function brokenRules(element: Element): Promise<string[]> {
  const { violations } = await axe.run(element, {
    resultTypes: ['violations'],
    rules: Object.fromEntries(BROWSER_ONLY.map((rule) => [rule, { enabled: false }])),
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
