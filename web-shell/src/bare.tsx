import type { DocumentInput, DocumentParts } from '@hospital/page';
import { emergencyPhone, siteOf } from '@hospital/ui/site';
import { renderToString } from 'react-dom/server';
import { renderBareHead } from './head.ts';

/**
 * Renders the frame of pages that declare `bare`: no script, no structured data, no menu. Elements have no classes and
 * are styled only by `bare.css`.
 */
export function renderBare({ site: result, head }: DocumentInput): DocumentParts {
  const site = siteOf(result);
  const phone = emergencyPhone(site);
  const call = `tel:${phone.e164}`;
  return {
    htmlAttributes: 'lang="en-IN"',
    head: renderBareHead(head, site),
    before: renderToString(
      <>
        <aside aria-label="Emergency">
          <a href={call}>{`24/7 emergency ${phone.display}`}</a>
        </aside>
        <header>
          <a href="/">{site.name}</a>
        </header>
      </>,
    ),
    after: renderToString(
      <>
        <footer>
          <a href="/">Home</a>
          <a href="/appointment">Book Appointment</a>
          <a href="/doctors">Doctors</a>
          <a href="/contact">Contact</a>
        </footer>
        <nav aria-label="Shortcuts">
          <a href={call}>{`Call ${phone.display}`}</a>
        </nav>
      </>,
    ),
  };
}
