/**
 * Renders the hospital's logo, five champaca petals around a centre in the colour of the text. Its style sheet sets the
 * size, and on the site of another hospital a style of the gateway replaces the drawing by its mark. Decorative: a
 * heading or name is beside it.
 */
export function Logo() {
  return (
    <svg data-mark="" viewBox="-32 -32 64 64" aria-hidden="true">
      {[0, 72, 144, 216, 288].map((angle) => (
        <path
          key={angle}
          d={PETAL}
          fill="var(--accent)"
          fillOpacity={angle % 144 ? 0.78 : undefined}
          transform={angle ? `rotate(${angle})` : undefined}
        />
      ))}
      <circle r="5" fill="currentColor" />
    </svg>
  );
}

export const PETAL = 'M0-4C-10-11-11-23 0-31 11-23 10-11 0-4Z';
