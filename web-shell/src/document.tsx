import type { DocumentInput, DocumentParts } from '@hospital/page';
import { renderToString } from 'react-dom/server';
import { Footer } from './footer.tsx';
import { renderBareHead, renderBareStructured, renderHead, renderStructured } from './head.ts';
import { Header } from './header.tsx';
import { siteOf } from '@hospital/ui/site';
import './style/style.ts';

/** The shell's parts of a document; works from built-in facts when the site's data is absent. */
export default function renderDocument({ path, site: result, head, bare }: DocumentInput): DocumentParts {
  const site = siteOf(result);
  const htmlAttributes = 'lang="en-IN"';
  if (bare) return { htmlAttributes, head: renderBareHead(head, site), before: '', after: renderBareStructured(site) };
  return {
    htmlAttributes,
    head: renderHead(head, site),
    before: renderToString(<Header site={site} path={path} />),
    // After what is to be seen: each script element, data too, makes the browser's parser pause.
    after: renderToString(<Footer site={site} path={path} />) + renderStructured(head, site),
  };
}
