import { Notice } from '@hospital/ui/notice';
import { TASKS } from './forms.ts';
import type { News } from './opened.ts';

const TEXTS: Partial<Record<News, string>> = {
  move: 'The link that you had until now no longer works. Use the new one below.',
  change: 'We have your details as you see them here.',
  cancel: 'No one expects you at that time any more. We also write this to your e-mail address.',
  accept: 'You are off the waitlist, and the time is yours.',
  leave: 'We no longer offer you a time of this day.',
  stale: 'Nothing of what you sent was done. This is what we have now.',
  over: 'It went to the next person on the list. This is what we have now.',
};

/** Returns the page's heading after a task. */
export function newsTitle(news: News): string {
  if (news === 'stale') return 'This was changed meanwhile';
  if (news === 'over') return 'The time is no longer kept for you';
  return TASKS[news].done ?? '';
}

interface NewsNoticeProps {
  news: News;
  /** The form still contains the typed values. */
  isKept?: boolean;
}

/** Explains the result, right below the heading. */
export function NewsNotice({ news, isKept }: NewsNoticeProps) {
  const text = TEXTS[news];
  if (!text) return null;
  return (
    <Notice tone={news === 'stale' || news === 'over' ? 'warning' : 'success'}>
      <p>
        {text}
        {isKept && ' What you typed is still in the form below.'}
      </p>
    </Notice>
  );
}
