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
      <circle cx="60" cy="60" r="58" fill="#fff" />
      <path d="M22 82a44 44 0 0 1 16-59" stroke="#2c8a8d" strokeWidth="11" />
      <path d="M52 17a44 44 0 0 1 33 8" stroke="#e6a52e" strokeWidth="11" />
      <path d="M98 37a44 44 0 0 1 0 45" stroke="#083f4a" strokeWidth="11" />
      <path d="M60 64 78 40" stroke="#10262b" strokeWidth="6" />
      <circle cx="60" cy="64" r="8" fill="#10262b" />
    </svg>
  );
}
