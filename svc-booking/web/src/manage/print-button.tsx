import { useEffect, useState } from 'react';
import { Button } from '@hospital/ui/button';

/** Printing needs script: the server's HTML has no button for it. */
export function PrintButton() {
  const [printable, setPrintable] = useState(false);
  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setPrintable(true);
  }, []);
  return printable ? (
    <Button tone="secondary" onClick={() => print()}>
      Print
    </Button>
  ) : null;
}
