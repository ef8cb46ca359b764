/** Messages after a change of the roster. */
import { Differences } from '../desk/differences.tsx';
import { ErrorSummary } from '@hospital/ui/error-summary';
import { Notice } from '@hospital/ui/notice';
import { type Edited, editedOf } from './edit.ts';
import { offeredOf } from './people.ts';
import { OfferedNotice, Uncovered } from './offer.tsx';
import { RESULT, type RosterProps } from './roster.ts';
import styles from './roster.module.css';

interface ResultProps {
  props: RosterProps;
  /** Address of the page, without fragment. */
  here: string;
}

/** Renders the outcome of a post to the page. */
export function Result({ props, here }: ResultProps) {
  const offered = offeredOf(props.action);
  if (offered) return <OfferedNotice {...{ offered, here, props }} />;
  const edited = editedOf(props);
  if (!edited) return null;
  return (
    <div id={RESULT} tabIndex={-1} className={styles.result}>
      {edited.errors.length > 0 ? (
        <ErrorSummary title={edited.title} errors={edited.errors} takesFocus={false} />
      ) : (
        <EditedNotice edited={edited} />
      )}
      {edited.affected && <Uncovered {...{ props, here }} affected={edited.affected} />}
    </div>
  );
}

function EditedNotice({ edited: { tone, title, text, differences } }: { edited: Edited }) {
  return (
    <Notice tone={tone} role={tone === 'success' ? 'status' : 'alert'} title={title}>
      {text && <p>{text}</p>}
      <Differences differences={differences} />
    </Notice>
  );
}
