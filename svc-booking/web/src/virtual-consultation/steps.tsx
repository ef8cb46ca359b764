import styles from './steps.module.css';

const STEPS = [
  ['Book Appointment', 'Fill in the form: who it’s for, how to reach you, and which day suits you.'],
  [
    'Receive Confirmation',
    'You see your reference straight away. Our staff then choose the time on that day and send you the link.',
  ],
  [
    'Start Consultation',
    'Open the link at your time, on a phone or computer with a camera. The doctor will join you there.',
  ],
] as const;

export function HowItWorks({ className }: { className?: string | undefined }) {
  return (
    <section className={className} aria-labelledby="how">
      <h2 id="how">How it works</h2>
      <ol className={styles.steps}>
        {STEPS.map(([title, text]) => (
          <li className={styles.step} key={title}>
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
