import type { DocumentInput, DocumentParts } from '@hospital/page';
import { renderToString } from 'react-dom/server';
import { renderBare } from './bare.tsx';
import { Footer } from './footer.tsx';
import { renderHead, renderStructured } from './head.ts';
import { Header } from './header.tsx';
import { siteOf } from '@hospital/ui/site';
import './style/style.ts';

/** The shell's parts of a document; works from built-in facts when the site's data is absent. */
export default function renderDocument(input: DocumentInput): DocumentParts {
  if (input.bare) return renderBare(input);
  const { path, site: result, head } = input;
  const site = siteOf(result);
  return {
    htmlAttributes: 'lang="en-IN"',
    head: renderHead(head, site),
    before: renderToString(<Header site={site} path={path} />),
    // After what is to be seen: each script element, data too, makes the browser's parser pause.
    after: renderToString(<Footer site={site} path={path} />) + renderStructured(head, site),
  };
}
