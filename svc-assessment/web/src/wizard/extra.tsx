import { useState } from 'react';
import type { AssessmentInput } from '@hospital/api/types';
import type { FieldProps } from '@hospital/form/field';
import { translated } from '@hospital/page/language';
import { TextInput } from '@hospital/ui/text-input';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';
import { OPTIONS, type QuestionName } from '../questions.ts';
import { indianLines, missingFor, someAnswered } from '../results/indian-lines.ts';
import { RISK, pointsScale } from '../results/items.ts';
import { INDIAN_SOURCES } from '../results/meanings.ts';
import { Scale } from '../results/scale.tsx';
import { INDIAN_POINTS, INDIAN_BMI_BANDS, indianResults } from '../scoring/indian.ts';
import { Choices } from './choices.tsx';
import styles from './extra.module.css';

interface ExtraProps {
  field: (name: QuestionName) => FieldProps;
  /** Null before the results are shown. */
  answers: AssessmentInput | null;
  /** Called when the waist field loses focus, because no button checks it. */
  onLeave: () => void;
  live: boolean;
  hidden: boolean;
  heading: 'h3' | 'h4';
}

/** A second, visually subordinate score that is known in India. The script never sends what is typed here. */
export function Extra({ field, answers, onLeave, live, hidden, heading: Heading }: ExtraProps) {
  // Open as served, then as the visitor leaves it: React must not close it while it is being read.
  const [begun] = useState(() => answers !== null && someAnswered(answers));
  return (
    <details className={styles.extra} hidden={hidden} data-of="extra" open={begun}>
      <summary className={styles.summary}>{t('Indian Diabetes Risk Score and Indian BMI cut-offs')}</summary>
      <div className={styles.content}>
        <p>
          {t(
            'In India, diabetes develops at a lower weight and a younger age than elsewhere. Doctors here also use a score and limits made for that. There are three more questions you can answer.',
          )}{' '}
          {live ? t('Your answers stay in this browser.') : t('We never keep these answers.')}
        </p>
        <div className={styles.questions}>
          <TextInput {...field('waist')} className={styles.short} onBlur={onLeave} />
          <Choices {...field('activity')} options={OPTIONS.activity} />
          <Choices {...field('parents')} options={OPTIONS.parents} />
        </div>
        {answers && (
          <div className={styles.results}>
            <Heading className={styles.title}>{t('By Indian measures')}</Heading>
            <IndianResults answers={answers} />
          </div>
        )}
        <ul className={styles.sources}>
          {INDIAN_SOURCES.map((text) => (
            <li key={text}>
              <Text>{text}</Text>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

function IndianResults({ answers }: { answers: AssessmentInput }) {
  const { indianDiabetesScore: points, indianDiabetesRisk } = indianResults(answers);
  const missing = missingFor(answers);
  const cutOffs = INDIAN_BMI_BANDS.slice(0, 3).map(({ under, category }) =>
    t('{category} under {limit}', { category: translated(category).toLowerCase(), limit: under }),
  );
  return (
    <>
      <div role="status">
        {indianLines(answers).map((line) => (
          <p className={styles.line} key={line}>
            {line}
          </p>
        ))}
      </div>
      {points === null ? (
        <p>{t('Still needed for the score: {list}.', { list: missing.join(', ') })}</p>
      ) : (
        <Scale
          title={t('Indian Diabetes Risk Score')}
          verdict={`${t('{points} of {max} points', { points, max: INDIAN_POINTS.max })}, ${translated(indianDiabetesRisk)}`}
          scale={{ bands: pointsScale(RISK, INDIAN_POINTS), at: points + 0.5 }}
        />
      )}
      <p>
        {t(
          'The score counts age, waist, exercise and parents. With 60 points or more, a blood sugar test is recommended. The body mass index cut-offs are {list}, obese from 25.',
          { list: cutOffs.join(', ') },
        )}
      </p>
    </>
  );
}
