import { useState } from 'react';

/**
 * Renders a section as it was served. Scripts use it for a section without behaviour, so that they have no copy of its
 * texts. `labelledBy`: id of its heading, which is a child of the section.
 */
export function Served({ labelledBy }: { labelledBy: string }) {
  const [html] = useState(() => document.getElementById(labelledBy)?.parentElement?.innerHTML ?? '');
  return <section aria-labelledby={labelledBy} dangerouslySetInnerHTML={{ __html: html }} />;
}
