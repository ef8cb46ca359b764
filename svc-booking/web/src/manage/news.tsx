import { Notice } from '@hospital/ui/notice';
import type { News } from './opened.ts';

const WORDS: Partial<Record<News, [title: string, text: string]>> = {
  move: ['Your appointment was moved', 'The link that you had until now no longer works.'],
  change: ['Your changes are saved', 'We have them as you see them here.'],
  cancel: ['Your appointment is cancelled', 'Nobody waits for you at that time any more.'],
  accept: ['Your appointment is booked', 'You are off the list, and the time is yours.'],
  leave: ['You are no longer on the list', 'We do not offer you a time of this day any more.'],
};
const STALE = ['It was changed meanwhile', 'Nothing of what you sent was done. This is how it stands now.'] as const;

interface NewsNoticeProps {
  news: News;
  /** What was typed stands in its form still. */
  isKept?: boolean;
}

/** What has just been done, or could not be. */
export function NewsNotice({ news, isKept }: NewsNoticeProps) {
  const words = news === 'stale' ? STALE : WORDS[news];
  if (!words) return null;
  const [title, text] = words;
  return (
    <Notice tone={news === 'stale' ? 'warning' : 'success'} role="status" title={title}>
      <p>
        {text}
        {isKept && ' What you typed is still in the form below.'}
      </p>
    </Notice>
  );
}
