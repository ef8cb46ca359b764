import { launch, visitor, PHONE, DESKTOP } from './browser.mjs';
const browser = await launch();
const base = 'http://127.0.0.1:8080';
for (const [name, viewport] of [['p', PHONE], ['d', DESKTOP]]) {
  for (const [file, path] of [['app', '/appointment'], ['appdoc', '/appointment?department=Orthopedics&doctor=doc-02&date=2026-11-25&time=10:30%20AM'], ['vc', '/virtual-consultation'], ['man', '/appointment/manage'], ['docs', '/doctors']]) {
    const { page, problems } = await visitor(browser, { viewport });
    const r = await page.goto(base + path); await page.waitForTimeout(2500);
    await page.screenshot({ path: `/tmp/s-${file}-${name}.png`, fullPage: file !== 'docs' });
    console.log(name, path, r.status(), problems);
    await page.context().close();
  }
}
await browser.close();
