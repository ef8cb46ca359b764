import { useEffect, useState } from 'react';
import { Filled } from '@hospital/page/text';
import { Button } from '@hospital/ui/button';
import { t, template } from '../messages.ts';
import { type Pass, PASS_PATH, canKeep, drop, keep, keptReference } from './kept-pass.ts';
import styles from './confirmation.module.css';

type State = 'unknown' | 'none' | 'kept' | 'refused';

interface KeepPassProps {
  pass: Pass;
  /** The appointment was cancelled or is past: a kept pass is removed. */
  isOver?: boolean;
}

/**
 * Keeps the pass on this device on request, because the device may be shared. Needs script: the server's HTML has no
 * button. A kept pass of this appointment is renewed when its facts change.
 */
export function KeepPass({ pass, isOver = false }: KeepPassProps) {
  const [state, setState] = useState<State>('unknown');
  const content = JSON.stringify(pass);
  useEffect(() => {
    if (!canKeep()) return;
    const shown = JSON.parse(content) as Pass;
    const found = keptReference().then(async (reference) => {
      const isKept = reference === shown.reference;
      if (isKept) await (isOver ? drop(shown.reference) : keep(shown));
      return isKept;
    });
    let isGone = false;
    const show = (next: State) => isGone || setState(next);
    found.then(
      (isKept) => show(isKept ? 'kept' : 'none'),
      () => show('refused'),
    );
    return () => {
      isGone = true;
    };
  }, [content, isOver]);

  async function change(task: Promise<void>, next: State) {
    try {
      await task;
      setState(next);
    } catch (error) {
      // Private windows and full disks refuse storage.
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
      setState('refused');
    }
  }

  if (state === 'unknown' || isOver) return null;
  const isKept = state === 'kept';
  return (
    <div className={styles.keep}>
      {/* One button, so that it keeps the focus. */}
      {state !== 'refused' && (
        <Button
          tone="secondary"
          onClick={() => void (isKept ? change(drop(pass.reference), 'none') : change(keep(pass), 'kept'))}
        >
          {isKept ? t('Remove from this device') : t('Keep on this device')}
        </Button>
      )}
      <p role="status">
        {isKept && (
          <Filled
            text={template('Kept on this device. It opens without an internet connection: {pass}.')}
            with={{ pass: <a href={PASS_PATH}>{t('your pass')}</a> }}
          />
        )}
        {state === 'refused' && t('Your browser doesn’t allow this. Print the pass or take a picture of it.')}
      </p>
    </div>
  );
}
