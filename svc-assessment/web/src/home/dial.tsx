/** A dial with three bands. Decorative. */
export function Dial({ className }: { className?: string | undefined }) {
  return (
    <svg
      className={className}
      viewBox="0 0 120 120"
      width="96"
      height="96"
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <circle cx="60" cy="60" r="58" fill="var(--surface-raised)" />
      <path d="M22 82a44 44 0 0 1 16-59" stroke="var(--success)" strokeWidth="11" />
      <path d="M52 17a44 44 0 0 1 33 8" stroke="var(--accent)" strokeWidth="11" />
      <path d="M98 37a44 44 0 0 1 0 45" stroke="var(--action-strong)" strokeWidth="11" />
      <path d="M60 64 78 40" stroke="var(--text)" strokeWidth="6" />
      <circle cx="60" cy="64" r="8" fill="var(--text)" />
    </svg>
  );
}
