import type { ReactNode } from 'react';
import type { AssessmentInput } from '@hospital/api/types';
import { Button, LinkButton } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { Notice } from '@hospital/ui/notice';
import { type Site, siteOf } from '@hospital/ui/site';
import { t } from '../messages.ts';
import { RECOMMENDATIONS, type Results as ResultsOf, resultsOf, score } from '../scoring/score.ts';
import { Help } from './help.tsx';
import { type Factor, type ResultItem, itemsOf } from './items.ts';
import { NO_DIAGNOSIS, SOURCES } from './meanings.ts';
import { Scale } from './scale.tsx';
import styles from './results.module.css';

/** Names of the departments of the built-in hospital. */
const DEPARTMENTS = {
  'General Medicine': () => t('General Medicine##built-in'),
  Psychiatry: () => t('Psychiatry##built-in'),
};

interface ResultsProps {
  answers: AssessmentInput;
  /** The service's results, if it returned any. */
  given: ResultsOf | null;
  site: Site;
  /** Heading level of a result: one below that of the step. */
  heading: 'h3' | 'h4';
  /** The state of saving, and actions on the results. */
  children: ReactNode;
}

export function Results({ answers, given, site, heading: Heading, children }: ResultsProps) {
  const scores = score(answers);
  const isBuiltIn = site.name === siteOf(undefined).name;
  const [overall, ...items] = itemsOf(answers, scores, given ?? resultsOf(scores));
  return (
    <div className={styles.results}>
      {overall && <Overall item={overall} />}
      <Notice className={styles.noDiagnosis}>
        <p>{t(NO_DIAGNOSIS)}</p>
      </Notice>
      {children}
      <div className={styles.items}>
        {items.map((item) => (
          <Item item={item} isBuiltIn={isBuiltIn} heading={Heading} key={item.id} />
        ))}
      </div>
      <section aria-labelledby="assessment-advice">
        <Heading className={styles.title} id="assessment-advice">
          {t('What helps everyone')}
        </Heading>
        <ul className={styles.advice}>
          {RECOMMENDATIONS.map((text) => (
            <li key={text}>{t(text)}</li>
          ))}
        </ul>
      </section>
      <Help site={site} heading={Heading} isStressHigh={scores.stress?.level === 'High'} />
      <section className={styles.sources} aria-labelledby="assessment-sources">
        <Heading className={styles.title} id="assessment-sources">
          {t('Where these limits come from')}
        </Heading>
        <ul>
          {SOURCES.map((text) => (
            <li key={text}>{t(text)}</li>
          ))}
        </ul>
      </section>
    </div>
  );
}

interface ItemProps {
  item: ResultItem;
  /** Another hospital may not have the departments that the results name. */
  isBuiltIn: boolean;
  heading: 'h3' | 'h4';
}

function Overall({ item: { title, verdict, means, scale, factors } }: { item: ResultItem }) {
  return (
    <div className={styles.overall}>
      <p className={styles.label}>{title}</p>
      <p className={classNames(styles.verdict, !scale && styles.unknown)}>{verdict}</p>
      {scale && <Scale title={title} verdict={verdict} scale={scale} />}
      <p>{means}</p>
      <Missing factors={factors} text={(list) => t('Missing results: {list}.', { list })} />
    </div>
  );
}

function Item({ item, isBuiltIn, heading: Heading }: ItemProps) {
  const { id, title, figure, verdict, scale, means, factors, department } = item;
  return (
    <section className={styles.item} aria-labelledby={`assessment-${id}`}>
      <div className={styles.head}>
        <Heading className={styles.title} id={`assessment-${id}`}>
          {title}
        </Heading>
        <p className={styles.result}>
          {figure && <span className={styles.figure}>{figure}</span>}{' '}
          <span className={classNames(styles.word, !scale && styles.unknown)}>{verdict}</span>
        </p>
      </div>
      {scale && <Scale title={title} verdict={[figure, verdict].filter(Boolean).join(', ')} scale={scale} />}
      <p>{means}</p>
      {id === 'bmi' && scale && (
        <p className={styles.note}>
          {t(
            'BMI is your weight in kilograms divided by the square of your height in metres. It can’t tell muscle from fat, and isn’t suitable for pregnant women.',
          )}
        </p>
      )}
      <Counted factors={factors} />
      <Missing factors={factors} text={(list) => t('Missing answers: {list}.', { list })} />
      <p className={styles.way}>
        {isBuiltIn ? (
          <a href={`/appointment?department=${encodeURIComponent(department)}`}>
            {t('See free times in {department}', { department: DEPARTMENTS[department]() })}
          </a>
        ) : (
          <a href="/appointment">{t('See free times')}</a>
        )}
      </p>
    </section>
  );
}

function Counted({ factors }: { factors: readonly Factor[] }) {
  const answered = factors.filter(({ answer }) => answer);
  if (!answered.length) return null;
  return (
    <dl className={styles.counted}>
      {answered.map(({ label, answer, points }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {answer}
            {points && <span className={styles.points}> · {points}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Missing({ factors, text }: { factors: readonly Factor[]; text: (list: string) => string }) {
  const missing = factors.filter(({ answer }) => !answer).map(({ label }) => label.toLowerCase());
  if (!missing.length) return null;
  return <p className={styles.missing}>{text(missing.join(', '))}</p>;
}

/**
 * Print and download buttons. `printPage` is the page to print instead of this one, if the results are only part of it.
 */
export function ResultActions({ onDownload, printPage }: { onDownload: () => void; printPage: string | null }) {
  return (
    <p className={styles.actions}>
      {printPage ? (
        <LinkButton tone="secondary" href={printPage}>
          {t('Print on a separate page')}
        </LinkButton>
      ) : (
        <Button tone="secondary" onClick={() => print()}>
          {t('Print')}
        </Button>
      )}
      <Button tone="secondary" onClick={onDownload}>
        {t('Download as text')}
      </Button>
    </p>
  );
}
