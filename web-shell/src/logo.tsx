/** Renders the hospital's logo, five champaca petals, legible at 16 px. Decorative: a heading or name is beside it. */
export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="-32 -32 64 64" aria-hidden="true">
      {[0, 72, 144, 216, 288].map((angle) => (
        <path
          key={angle}
          d={PETAL}
          fill={angle % 144 ? '#d18f14' : '#e6a52e'}
          transform={angle ? `rotate(${angle})` : undefined}
        />
      ))}
      <circle r="5" fill="#0b5563" />
    </svg>
  );
}

export const PETAL = 'M0-4C-10-11-11-23 0-31 11-23 10-11 0-4Z';
