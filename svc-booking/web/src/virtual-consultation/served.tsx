import { useState } from 'react';

/**
 * Renders a section as it was served. Stands in scripts for a section that needs none, so that they have no copy of its
 * texts. `labelledBy`: id of its heading, which is a child of the section.
 */
export function Served({ labelledBy }: { labelledBy: string }) {
  const [html] = useState(() => document.getElementById(labelledBy)?.parentElement?.innerHTML ?? '');
  return <section aria-labelledby={labelledBy} dangerouslySetInnerHTML={{ __html: html }} />;
}
