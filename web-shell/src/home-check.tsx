import styles from './home-check.module.css';

/** Stands in the hero's slot until the self-assessment opens there, and leads to who does the same by hand. */
export default function HomeCheck() {
  return (
    <div className={styles.slot}>
      <div className={styles.card}>
        <svg
          className={styles.dial}
          viewBox="0 0 120 120"
          width="120"
          height="120"
          fill="none"
          strokeLinecap="round"
          aria-hidden="true"
        >
          <circle cx="60" cy="60" r="58" fill="#fff" />
          <path d="M22 82a44 44 0 0 1 16-59" stroke="#2c8a8d" strokeWidth="11" />
          <path d="M52 17a44 44 0 0 1 33 8" stroke="#e6a52e" strokeWidth="11" />
          <path d="M98 37a44 44 0 0 1 0 45" stroke="#083f4a" strokeWidth="11" />
          <path d="M60 64 78 40" stroke="#10262b" strokeWidth="6" />
          <circle cx="60" cy="64" r="8" fill="#10262b" />
        </svg>
        <div>
          <h2 className={styles.title}>Check your health risk</h2>
          <p>
            Sugar, blood pressure and poor sleep give no warning for years. A self-check in five short steps is being
            prepared for this place. Until it opens, a doctor of general medicine goes through the same questions with
            you.
          </p>
        </div>
        <p className={styles.actions}>
          <a className={styles.action} href="/appointment?department=General%20Medicine">
            Book a check-up
          </a>
          <a href="/specialty/general-medicine">What a check-up includes</a>
        </p>
      </div>
    </div>
  );
}
