import { Button } from '@hospital/ui/button';
import control from '@hospital/ui/control.module.css';
import { messagesAttribute } from '@hospital/page/language';
import styles from './blog.module.css';
import { t } from '../messages.ts';

/** The API's limits on a message. */
const NAME_CHARACTERS_MAX = 120;
const COMMENT_CHARACTERS_MAX = 5000;

/** Texts of blog.script.ts. */
const SPOKEN = [
  'Please enter your name and a comment.',
  'We’ve saved your comment in this browser.',
  'Your browser can’t save comments. They’ll be gone when you leave this page.',
  'We’ve removed the comment.',
  'Remove the comment by {name}',
  'We’ve copied the link.',
  'We couldn’t copy the link. Copy it from here: {url}',
];

/**
 * Comments are stored in the browser, so blog.script.ts fills the list and handles the form. Both are hidden until the
 * script runs. `thread` is the storage key of this post's comments.
 */
export function Comments({ thread }: { thread: string }) {
  return (
    <section className={styles.comments} aria-labelledby="comments" data-thread={thread} {...messagesAttribute(SPOKEN)}>
      <h2 id="comments">{t('Comments')}</h2>
      <noscript>
        <p>{t('Comments are saved in your browser, which needs JavaScript.')}</p>
      </noscript>
      <form className={styles.form} noValidate hidden>
        <p className={styles.notice} id="comment-notice">
          {t(
            'Your comment is saved in this browser and isn’t published. When you post it, we get a copy with your name as a message.',
          )}{' '}
          <a href="/privacy#messages">{t('Privacy')}</a>
        </p>
        <p className={styles.problem} id="comment-problem" role="alert" />
        <label className={styles.field}>
          <span className={control.label}>{`${t('Name')} *`}</span>
          <input
            className={control.control}
            name="name"
            required
            autoComplete="name"
            maxLength={NAME_CHARACTERS_MAX}
            aria-describedby="comment-problem"
          />
        </label>
        <label className={styles.field}>
          <span className={control.label}>{`${t('Comment')} *`}</span>
          <textarea
            className={control.control}
            name="content"
            rows={4}
            required
            maxLength={COMMENT_CHARACTERS_MAX}
            aria-describedby="comment-problem"
          />
        </label>
        <Button type="submit" aria-describedby="comment-notice">
          {t('Post comment')}
        </Button>
      </form>
      <p className={styles.done} role="status" tabIndex={-1} />
      <ol className={styles.thread} />
      <template>
        <li className={styles.comment}>
          <p className={styles.who}>
            <strong data-name="" /> <time />
          </p>
          <p className={styles.said} data-content="" />
          <button className={styles.remove} type="button">
            {t('Remove')}
          </button>
        </li>
      </template>
    </section>
  );
}
