import { Notice } from '@hospital/ui/notice';
import { t } from '../messages.ts';
import { TASKS } from './forms.ts';
import type { News } from './opened.ts';

const TEXTS: Partial<Record<News, () => string>> = {
  move: () => t('Your old link no longer works. Use the new one below.'),
  change: () => t('These are the details we have now.'),
  cancel: () => t('You don’t need to do anything else. We’ll also confirm this by e-mail.'),
  accept: () => t('You’re off the waiting list, and the time is yours.'),
  leave: () => t('We won’t offer you a time on this day any more.'),
  stale: () => t('Your changes weren’t saved. This is what we have now.'),
  over: () => t('It went to the next person on the list. This is what we have now.'),
};

/** Returns the page's heading after a task. */
export function newsTitle(news: News): string {
  if (news === 'stale') return t('This has changed since you opened it');
  if (news === 'over') return t('We’re no longer holding the time for you');
  return TASKS[news].done ?? '';
}

interface NewsNoticeProps {
  news: News;
  /** The form still contains the typed values. */
  isKept?: boolean;
}

/** Explains the result, right below the heading. */
export function NewsNotice({ news, isKept }: NewsNoticeProps) {
  const text = TEXTS[news]?.();
  if (!text) return null;
  return (
    <Notice tone={news === 'stale' || news === 'over' ? 'warning' : 'success'}>
      <p>
        {text}
        {isKept && ` ${t('What you’ve typed is still in the form below.')}`}
      </p>
    </Notice>
  );
}
