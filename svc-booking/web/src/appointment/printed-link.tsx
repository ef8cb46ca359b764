import { useEffect, useState } from 'react';
import { inLanguage } from '@hospital/page/language';
import { Filled } from '@hospital/page/text';
import { t, template } from '../messages.ts';
import type { Qr } from './qr.ts';
import styles from './confirmation.module.css';

/** Quiet zone around a QR code, in modules; readers need it. */
const MARGIN = 4;

interface PrintedLinkProps {
  /** Path of the manage page. */
  page: string;
  /** Fragment of the link: `#SH-7K3M-9QXD.` and its secret. */
  fragment: string;
  /** Origin from the site's data, for visitors without script. */
  origin: string;
}

/** The link of an appointment on paper: a QR code, and instructions for visitors who cannot scan it. */
export function PrintedLink({ page, fragment, origin }: PrintedLinkProps) {
  const [here, setHere] = useState('');
  const [code, setCode] = useState<Qr | null>(null);
  useEffect(() => {
    // The actual origin, which may differ from the one in the site's data.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setHere(location.origin);
    let isGone = false;
    import(/* webpackChunkName: "qr" */ './qr.ts').then(
      ({ qrOf }) => isGone || setCode(qrOf(location.origin + inLanguage(page) + fragment)),
      // The text is enough.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [page, fragment]);
  const address = `${here || origin}${inLanguage(page)}`;
  return (
    <div className={styles.printed}>
      {code && (
        <svg
          className={styles.code}
          role="img"
          aria-label={t('QR code of the link to change or cancel')}
          viewBox={`${-MARGIN} ${-MARGIN} ${code.size + 2 * MARGIN} ${code.size + 2 * MARGIN}`}
          shapeRendering="crispEdges"
        >
          <path d={code.path} />
        </svg>
      )}
      <p>
        <Filled
          text={
            code
              ? template(
                  'To change or cancel: scan this code, or go to {address} and give your reference and phone number. Anyone with this code can change or cancel the appointment.',
                )
              : template(
                  'To change or cancel: go to {address} and give your reference and phone number. Anyone with this code can change or cancel the appointment.',
                )
          }
          with={{ address: <strong>{address.replace(/^https?:\/\//, '')}</strong> }}
        />
      </p>
    </div>
  );
}
