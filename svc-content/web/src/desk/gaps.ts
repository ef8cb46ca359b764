/** What live records lack, in words. */
import { formatDay } from '@hospital/page/format';
import { languageName } from '@hospital/page/language-names';
import { BODY } from './body.ts';
import { recordAddress } from './records.ts';
import { translationsAddress } from './translations.ts';

export interface RecordGap {
  kind: string;
  recordId: string;
  title: string;
  /** Path in the body. */
  field: string;
  reason: string;
  /** The day or the link that is meant. */
  detail: string;
  /** Code of the language that lacks texts, and their number. */
  language?: string;
  textCount?: number;
}

/** Returns what is missing. A reason of a newer service names its field. */
export function gapText({ reason, field, detail, language = '', textCount = 0 }: RecordGap): string {
  switch (reason) {
    case 'NO_PHOTOGRAPH':
      return 'No photograph: visitors see a drawing.';
    case 'NO_PICTURE':
      return 'No picture, so visitors don’t see it.';
    case 'NO_SUMMARY':
      return 'No summary: lists show the beginning of the text.';
    case 'NO_REVIEW':
      return 'No day of review: a doctor should read the text and enter the day.';
    case 'REVIEW_DUE':
      return `Last reviewed on ${dayOf(detail)}, more than a year ago.`;
    case 'SERIES_ENDED':
      return `The last month (${detail}) is over: archive it, or enter a later month.`;
    case 'PROMOTION_PAST':
      return `Leads to a past event: ${detail}`;
    case 'LINK_BROKEN':
      return `Leads to a page that doesn’t exist: ${detail}`;
    case 'NOT_TRANSLATED':
      return `${textCount === 1 ? '1 text is' : `${textCount} texts are`} shown in English on ${languageName(language) || language} pages.`;
    default:
      return `Something is missing: ${field}`;
  }
}

function dayOf(day: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(day) ? formatDay(`${day}T00:00:00+05:30`) : day;
}

/** Returns the address of the field in the record's form, or of the page of its translations. */
export function gapAddress({ kind, recordId, field, reason, language }: RecordGap): string {
  if (reason === 'NOT_TRANSLATED' && language) return translationsAddress(kind, recordId, language);
  const [first = ''] = field.split('[');
  return `${recordAddress(kind, recordId)}#${BODY}${encodeURIComponent(first)}`;
}

interface Lacking {
  id: string;
  title: string;
  gaps: RecordGap[];
}

/** Records of a kind. Those of `alike` lack one thing only, the same; at least three of them. */
export interface GapGroup {
  kind: string;
  alike: Lacking[][];
  records: Lacking[];
}

/** Fewer equal rows are no burden. */
const ALIKE_MIN = 3;

/** Groups gaps by kind and record, in their order. */
export function gapGroups(gaps: readonly RecordGap[]): GapGroup[] {
  const groups: { kind: string; records: Lacking[] }[] = [];
  for (const gap of gaps) {
    if (groups.at(-1)?.kind !== gap.kind) groups.push({ kind: gap.kind, records: [] });
    const records = groups.at(-1)?.records ?? [];
    if (records.at(-1)?.id !== gap.recordId) records.push({ id: gap.recordId, title: gap.title, gaps: [] });
    records.at(-1)?.gaps.push(gap);
  }
  return groups.map(({ kind, records }) => {
    const texts = new Map<string, Lacking[]>();
    for (const record of records) {
      const [gap, ...others] = record.gaps;
      if (!gap || others.length > 0) continue;
      const text = gapText(gap);
      texts.set(text, [...(texts.get(text) ?? []), record]);
    }
    const alike = [...texts.values()].filter((equal) => equal.length >= ALIKE_MIN);
    return { kind, alike, records: records.filter((record) => !alike.flat().includes(record)) };
  });
}
