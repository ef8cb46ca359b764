/** API responses for the tests of newsletters. */
import type { Newsletter, NewsletterDraft } from '@hospital/api/types';
import type { StaffMember } from '@hospital/page';

export const EDITOR: StaffMember = { name: 'Esha Iyer', scopes: ['newsletters:write'] };

export const DRAFT: NewsletterDraft = {
  id: '00000000-0000-4000-8000-000000000006', subject: 'A draft of June', text: 'Drink water.\n\nKeep moving.', etag: '3',
  createTime: '2026-11-21T08:00:00Z', updateTime: '2026-11-21T09:00:00Z', subscribers: 1_204,
  html: '<p>Drink water.</p>\n<p>Keep moving.</p>\n', plainText: 'Drink water.\n\nKeep moving.\n', canTest: true,
}; // prettier-ignore

export const ISSUE: Newsletter = {
  id: '00000000-0000-4000-8000-000000000007', subject: 'A healthy winter', text: 'Keep moving.\n\nDrink water.',
  mails: 1_234, complete: true, createTime: '2026-11-21T09:00:00Z', waiting: 0, sent: 1_230, failed: 3, withheld: 1,
  html: '<p>Keep moving.</p>\n<p>Drink water.</p>\n', unsubscribes: 0,
}; // prettier-ignore
