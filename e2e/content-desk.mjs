/** Steps of a member of staff who changes content. */
import { until } from './processes.mjs';

export function shows(page, text) {
  return page.getByText(text).first().waitFor();
}

export async function saveDraft(page) {
  await page.getByRole('button', { name: 'Save draft' }).first().click();
  await shows(page, /^Saved as version/);
}

/** Waits until visitors read this. */
export async function readByVisitors(system, path, wanted) {
  await until(`${wanted} on ${path}`, async () => (await (await fetch(system.origin + path)).text()).includes(wanted));
}
