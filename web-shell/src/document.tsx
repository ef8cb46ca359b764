import type { DocumentInput, DocumentParts } from '@hospital/page';
import { renderToString } from 'react-dom/server';
import { renderBare } from './bare.tsx';
import { renderDesk } from './desk.tsx';
import { Footer } from './footer.tsx';
import { renderHead, renderStructured } from './head.ts';
import { Header } from './header.tsx';
import { siteOf } from '@hospital/ui/site';
import './style/style.ts';

/** Renders the shell's parts of a document. Uses built-in facts if the site's data is missing. */
export default function renderDocument(input: DocumentInput): DocumentParts {
  if (input.bare) return renderBare(input);
  if (input.staff) return renderDesk(input, input.staff);
  const { path, site: result, head, language } = input;
  const site = siteOf(result);
  return {
    htmlAttributes: `lang="${language ?? 'en-IN'}"`,
    head: renderHead(head, site, input.look),
    before: renderToString(<Header site={site} path={path} />),
    // After the visible content: each script element, even one with data, makes the browser's parser pause.
    after: renderToString(<Footer site={site} path={path} />) + renderStructured(head, site),
  };
}
