import { useEffect } from 'react';
import { fragmentOf, linkIn } from './link.ts';
import { type Opened, linkTo } from './opened.ts';

/** Keeps the newest link in the address, so that a reload shows the same, and follows another link that is pasted there. */
export function useLinkInAddress(view: Opened | null): void {
  useEffect(() => {
    const own = view?.secret ? fragmentOf(linkTo(view)) : '';
    if (own && location.hash !== own) history.replaceState(history.state, '', own);
    function follow() {
      if (linkIn(location.hash) && location.hash !== own) location.reload();
    }
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [view]);
}
