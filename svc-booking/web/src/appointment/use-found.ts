import { useEffect, useState } from 'react';
import { listDepartmentProfiles } from '@hospital/api/list-department-profiles';

/** Wait after the last letter, in ms. A visitor may make ten calls a minute. */
const TYPED_MS = 600;
const TEXT_CHARS_MIN = 2;

/**
 * Asks for the departments that know these words in any language, if the page itself does not. Returns their ids; none
 * while the response is under way and if it failed.
 */
export function useFound(text: string, isKnown: boolean): readonly string[] {
  const [found, setFound] = useState<{ text: string; ids: string[] }>({ text: '', ids: [] });
  const asked = isKnown || text.length < TEXT_CHARS_MIN ? '' : text;

  useEffect(() => {
    if (!asked) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      listDepartmentProfiles({ q: asked }, { signal: abort.signal }).then(
        ({ departmentProfiles }) => setFound({ text: asked, ids: departmentProfiles.map(({ id }) => id) }),
        // Without a response, the words count as unknown, which the page shows.
        () => undefined,
      );
    }, TYPED_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [asked]);

  return found.text === asked ? found.ids : [];
}
