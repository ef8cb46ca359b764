import { Button } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import { FAILURE } from '../form.ts';
import { t } from '../messages.ts';
import { PAGE } from '../questions.ts';
import type { SavingView } from './use-wizard.ts';
import styles from './save-panel.module.css';

interface SavePanelProps {
  saving: SavingView;
  live: boolean;
  part: string;
}

const REMOVE = 'Remove my saved answers';

/** State of saving, shown beside the results and announced to screen readers. */
export function SavePanel({ saving, live, part }: SavePanelProps) {
  const { state, isEarlier, savedId, retry, remove } = saving;
  const isKept = state === 'saved' || state === 'removing' || state === 'notRemoved';
  return (
    <div className={styles.panel} role="status">
      {state === 'saving' && <p>{t('Saving your answers…')}</p>}
      {state === 'none' && !saving.hasConsent && (
        <p>
          {live
            ? t('We haven’t sent anything. Your answers are only in this tab.')
            : t('We haven’t kept your answers.')}
        </p>
      )}
      {state === 'failed' && (
        <Notice tone="failure" title={t(FAILURE)}>
          <p>{t('Your results are still complete.')}</p>
          {live && (
            <Button tone="secondary" onClick={retry}>
              {t('Try again')}
            </Button>
          )}
        </Notice>
      )}
      {isKept && (
        <>
          <p>
            {isEarlier
              ? t('We’ve kept your earlier answers, without your name.')
              : t('We’ve kept your answers, without your name.')}
          </p>
          {state === 'notRemoved' && <p>{t('We couldn’t remove them just now. Please try again in a minute.')}</p>}
          {live ? (
            <Button tone="secondary" onClick={remove} disabled={state === 'removing'}>
              {state === 'removing' ? t('Removing...') : t(REMOVE)}
            </Button>
          ) : (
            <form method="post" action={PAGE}>
              <RemovalFields savedId={savedId} part={part} />
              <Button tone="secondary" type="submit">
                {t(REMOVE)}
              </Button>
            </form>
          )}
        </>
      )}
      {state === 'removed' && <p>{t('We’ve removed your saved answers.')}</p>}
    </div>
  );
}

function RemovalFields({ savedId, part }: { savedId: string; part: string }) {
  return (
    <>
      <input type="hidden" name="intent" value="remove" />
      <input type="hidden" name="savedId" value={savedId} />
      <input type="hidden" name="part" value={part} />
    </>
  );
}
