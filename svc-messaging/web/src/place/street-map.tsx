/** Drawing of the hospital's street corner; decoration beside the address. */
export function StreetMap({ className }: { className?: string }) {
  return (
    <svg
      className={className}
      viewBox="0 0 360 160"
      width="360"
      height="160"
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M0 0h360v160H0z" fill="var(--action-soft)" />
      <path d="M0 0h104v66H0zM0 96h104v64H0z" fill="var(--surface-soft)" />
      <path d="M232 98c40-18 92-10 128-20v82H216z" fill="var(--success-soft)" />
      <path d="M-8 80h376M118-8v176M226-8l-22 176M118 40h240" stroke="var(--surface-raised)" strokeWidth="14" />
      <path
        d="M20 18h30v24H20zM60 18h26v40H60zM24 112h46v30H24zM140 98h46v44h-46zM246 8h40v20h-40zM300 8h40v20h-40z"
        fill="var(--line)"
      />
      <path d="M262 128h0M290 116h0M318 132h0M340 112h0M246 150h0M296 146h0" stroke="var(--success)" strokeWidth="15" />
      <path d="M262 124h0M290 112h0M318 128h0M340 108h0" stroke="var(--accent)" strokeWidth="4" />
      <path d="M164 86s-22-20-22-37a22 22 0 0 1 44 0c0 17-22 37-22 37Z" fill="var(--action)" />
      <path d="M164 40v18M155 49h18" stroke="var(--surface-raised)" strokeWidth="5" />
    </svg>
  );
}
