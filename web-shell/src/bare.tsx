import type { DocumentInput, DocumentParts } from '@hospital/page';
import { emergencyPhone, siteOf } from '@hospital/ui/site';
import { renderToString } from 'react-dom/server';
import { renderBareHead } from './head.ts';
import { otherLanguages } from './languages.tsx';
import { PETAL } from './logo.tsx';
import { t } from './messages.ts';

/**
 * Renders the frame of pages that declare `bare`: no script, no structured data, no menu. Elements have no classes and
 * are styled only by `bare.css`.
 */
export function renderBare({ path, site: result, head, look, language }: DocumentInput): DocumentParts {
  const site = siteOf(result);
  const phone = emergencyPhone(site);
  const call = `tel:${phone.e164}`;
  return {
    htmlAttributes: `lang="${language ?? 'en-IN'}"`,
    head: renderBareHead(head, site, look),
    before: renderToString(
      <>
        <header>
          <a href="/">
            <Mark />
            {site.name}
          </a>
          {otherLanguages(path).map(({ code, name, href }) => (
            <a key={code} href={href} hrefLang={code} lang={code}>
              {name}
            </a>
          ))}
        </header>
      </>,
    ),
    after: renderToString(
      <>
        <footer>
          <a href="/contact">{t('Contact')}</a>
        </footer>
        <nav aria-label={t('Shortcuts')}>
          <a href={call}>{t('Call {phone}', { phone: phone.display })}</a>
        </nav>
      </>,
    ),
  };
}

const PETALS = [0, 72, 144, 216, 288].map((angle) => turned(PETAL, angle)).join('');

/** Renders the logo's petals as one path, because each byte of a bare page counts. */
function Mark() {
  return (
    <svg data-mark="" width="36" viewBox="-32 -32 64 64" aria-hidden="true">
      <path d={PETALS} />
    </svg>
  );
}

/** Returns a path of absolute coordinates, turned around the origin and rounded. */
function turned(path: string, degrees: number): string {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const numbers = path.match(/-?\d+/g)?.map(Number) ?? [];
  let at = 0;
  const turnedPath = path.replace(/(-?\d+)[ ]?(-?\d+)/g, () => {
    const [x = 0, y = 0] = numbers.slice(at, (at += 2));
    const [tx, ty] = [Math.round(x * cos - y * sin), Math.round(x * sin + y * cos)];
    return ` ${tx} ${ty}`;
  });
  // A number needs no space after a letter or before a minus sign.
  return turnedPath.replace(/ (?=-)|(?<=[A-Z]) /g, '');
}
