import { useEffect, useState } from 'react';
import { t } from '../messages.ts';
import { Button } from '@hospital/ui/button';

/** Rendered by script only, because printing needs script. */
export function PrintButton() {
  const [printable, setPrintable] = useState(false);
  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setPrintable(true);
  }, []);
  return printable ? (
    <Button tone="secondary" onClick={() => print()}>
      {t('Print')}
    </Button>
  ) : null;
}
