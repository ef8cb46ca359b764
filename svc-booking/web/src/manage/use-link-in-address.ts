import { useEffect } from 'react';
import { fragmentOf, linkIn } from './link.ts';
import { type Shown, isOpened, linkTo } from './opened.ts';

/** Keeps the newest link in the address for reloads, and follows another link that is pasted there. */
export function useLinkInAddress(view: Shown | null): void {
  useEffect(() => {
    const own = isOpened(view) && view.secret ? fragmentOf(linkTo(view)) : '';
    if (own && location.hash !== own) history.replaceState(history.state, '', own);
    function follow() {
      if (linkIn(location.hash) && location.hash !== own) location.reload();
    }
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [view]);
}
