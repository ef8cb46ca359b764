/** `/staff/assessments`: how many people got each result of the health assessment in a month. No person is shown. */
import type { GetAssessmentSummaryResponse, ResultCounts } from '@hospital/api/types';
import type { Head, PageProps } from '@hospital/page';
import { istDay } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import { Button } from '@hospital/ui/button';
import { Absent, type AbsenceWords, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { TextInput } from '@hospital/ui/text-input';
import styles from '@hospital/ui/desk.module.css';
import own from './staff-assessments.module.css';

export type AssessmentsProps = PageProps<{ summary: GetAssessmentSummaryResponse }>;

const PATH = '/staff/assessments';

const WORDS: AbsenceWords = {
  things: 'results',
  whole: 'Results of last month',
  page: 'Choose a month above.',
  filter: 'Choose a month that is over, such as last month.',
  down: 'Nothing is lost. Try again in a few minutes.',
};

/** Headings of the results, in their order. */
const RESULTS: Readonly<Record<string, string>> = {
  bmiCategory: 'Body mass index',
  diabetesRisk: 'Risk of diabetes',
  stressLevel: 'Stress',
  overallLevel: 'Overall',
};

/** Returns the month before the present one, `YYYY-MM`: the last that is over. */
export function lastMonth(now: string): string {
  const [year, month] = istDay(now).split('-').map(Number) as [number, number, number];
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`;
}

/** Without a month, the page leads to the last one: the API needs one. */
export function location({ query, now }: AssessmentsProps): string | null {
  return query.month === undefined ? address(PATH, { month: lastMonth(now) }) : null;
}

export function status({ data, query }: AssessmentsProps): number {
  if (query.month === undefined) return 302;
  return data.summary?.ok ? 200 : statusOfAbsence(absenceIn(data));
}

function absenceIn({ summary }: AssessmentsProps['data']) {
  return absenceOf(summary && !summary.ok ? summary : { ok: false, status: 503, body: null });
}

/** Returns the API's message for the month, if it refused it. */
function errorIn({ summary }: AssessmentsProps['data']): string {
  const fields = summary && !summary.ok && summary.status === 400 ? summary.body?.fields : undefined;
  return fields?.find(({ field }) => field === 'month')?.message ?? '';
}

export default function StaffAssessments({ data, query, now }: AssessmentsProps) {
  const { month = '' } = query;
  const summary = data.summary?.ok ? data.summary.body : null;
  return (
    <section className={styles.page}>
      <h1>Health assessments</h1>
      <form className={styles.filters} method="get" action={PATH} aria-label="Month">
        <TextInput
          id="month"
          name="month"
          label="Month"
          hint="A month that is over, as YYYY-MM"
          type="month"
          max={lastMonth(now)}
          maxLength={7}
          defaultValue={month}
          error={errorIn(data)}
          required
        />
        <Button type="submit">Show</Button>
      </form>
      {!summary && <Absent absence={absenceIn(data)} words={WORDS} again={address(PATH, { month })} whole={PATH} />}
      {summary && <Summary summary={summary} />}
    </section>
  );
}

function Summary({ summary }: { summary: GetAssessmentSummaryResponse }) {
  const { assessments, groupSizeMin, results } = summary;
  const hidden =
    `Only answers that people agreed to store are counted. Fewer than ${groupSizeMin} people are never shown, ` +
    'so that nobody can be recognised: small groups are counted as “Others”, or the result is left out.';
  if (assessments === undefined || assessments === null) {
    return (
      <>
        <NothingYet>
          <p>{`Fewer than ${groupSizeMin} people stored an assessment in this month, so nothing is shown.`}</p>
        </NothingYet>
        <p>{hidden}</p>
      </>
    );
  }
  return (
    <>
      <p className={styles.said}>{`${assessments} assessments`}</p>
      <p>{hidden} What was shown once for a month stays as it is, even if people remove their answers later.</p>
      <div className={own.results}>
        {results.map((counts) => (
          <Result key={counts.result} counts={counts} />
        ))}
      </div>
    </>
  );
}

function Result({ counts: { result, bands } }: { counts: ResultCounts }) {
  return (
    <section className={own.result} aria-labelledby={`result-${result}`}>
      <h2 id={`result-${result}`}>{(Object.hasOwn(RESULTS, result) && RESULTS[result]) || result}</h2>
      {bands.length === 0 ? (
        <p>Hidden: the numbers would reveal a small group.</p>
      ) : (
        <dl>
          {bands.map(({ band, assessments }) => (
            <div key={band}>
              <dt>{band === 'Others' ? 'Others (small groups together)' : band}</dt>
              <dd>{assessments}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

export function head(props: AssessmentsProps): Head {
  return {
    title: `${status(props) >= 400 ? 'Error: ' : ''}Health assessments`,
    description: 'Numbers of results, for staff.',
    canonicalPath: PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
