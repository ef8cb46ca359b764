import axe from 'axe-core';

/** Needs layout and painting, which a document without a browser does not have; the browser tests check it. */
const BROWSER_ONLY = ['color-contrast', 'target-size'];

/** For tests: every broken accessibility rule below `element`, each with the markup that breaks it. */
export async function brokenRules(element: Element): Promise<string[]> {
  const { violations } = await axe.run(element, {
    rules: Object.fromEntries(BROWSER_ONLY.map((rule) => [rule, { enabled: false }])),
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
