/** The results as a text file, made in the browser; nothing is uploaded. */
import type { AssessmentInput } from '@hospital/api/types';
import { formatDay } from '@hospital/page/format';
import { translated } from '@hospital/page/language';
import { type Site, emergencyPhone } from '@hospital/ui/site';
import { t } from '../messages.ts';
import { someAnswered, indianLines } from './indian-lines.ts';
import { RECOMMENDATIONS, resultsOf, score } from '../scoring/score.ts';
import { itemsOf } from './items.ts';
import { HELPLINE, INDIAN_SOURCES, NO_DIAGNOSIS, SOURCES, WARNING_SIGNS } from './meanings.ts';

/** Time in milliseconds until the file's URL is revoked; the browser must have read the file by then. */
const READ_MS_MAX = 60_000;

export function textOf(answers: AssessmentInput, site: Site, now: string): string {
  const scores = score(answers);
  const items = itemsOf(answers, scores, resultsOf(scores));
  const listed = (lines: readonly string[]) => lines.map((line) => `- ${translated(line)}`);
  const strategies = answers.copingStrategies?.strategies ?? [];
  return [
    `${t('Health assessment')}, ${formatDay(now)}`,
    site.name,
    '',
    t(NO_DIAGNOSIS),
    '',
    ...items.flatMap(({ title, figure, verdict, means, factors }) => [
      `${title}: ${[figure, verdict].filter(Boolean).join(', ')}`,
      means,
      ...listed(
        factors.map(({ label, answer, points }) =>
          [`${label}: ${answer || t('not answered')}`, points].filter(Boolean).join(', '),
        ),
      ),
      '',
    ]),
    ...(someAnswered(answers) ? [...indianLines(answers), ...listed(INDIAN_SOURCES), ''] : []),
    ...(strategies.length ? [t('What helps you when things are hard:'), ...listed(strategies), ''] : []),
    t('What helps everyone:'),
    ...listed(RECOMMENDATIONS),
    '',
    t('Get help now if you have any of these:'),
    ...listed(WARNING_SIGNS),
    t('Emergency: {phone}', { phone: emergencyPhone(site).display }),
    t('{name}, for mental health, day and night: {phone}', { name: t(HELPLINE.name), phone: HELPLINE.display }),
    '',
    t('Where these limits come from:'),
    ...listed(SOURCES),
    '',
  ].join('\r\n');
}

export function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'health-assessment.txt';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), READ_MS_MAX);
}
