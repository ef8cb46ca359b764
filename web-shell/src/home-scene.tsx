import styles from './home-hero.module.css';

const WINDOWS = [176, 216, 256, 344, 384, 424];

/**
 * Renders an arrival in the morning: the hospital, the champaca in flower, a daughter with her mother.
 * Flat shapes, two tones of teal, champaca light, round line ends.
 */
export function HomeScene(_: { dusk: boolean }) {
  return (
    <svg className={styles.scene} preserveAspectRatio="xMidYMax slice" viewBox="0 0 600 420" width="600" height="420" aria-hidden="true">
      <circle cx="452" cy="118" r="74" fill="#fdf3dc" />
      <circle cx="452" cy="118" r="46" fill="#f3cf86" />
      <path d="M0 318c90-62 170-66 258-30s212 26 342-34v166H0Z" fill="#c3dfe0" />
      <path d="M0 352c120-36 238-34 330-16s186 16 270-10v94H0Z" fill="#9fc9cb" />

      <g>
        <path d="M150 146h300v200H150Z" fill="#fff" />
        <path d="M150 146h300v18H150Z" fill="#0b5563" />
        <path d="M262 92h76q6 0 6 6v48h-88V98q0-6 6-6Z" fill="#0b5563" />
        <path d="M300 104v30M285 119h30" stroke="#fff" strokeWidth="9" strokeLinecap="round" />
        {WINDOWS.map((x) => (
          <g key={x}>
            <rect x={x} y="184" width="26" height="34" rx="4" fill="#e1f0f1" />
            <rect x={x} y="242" width="26" height="34" rx="4" fill={x === 216 || x === 384 ? '#f3cf86' : '#e1f0f1'} />
          </g>
        ))}
        <path d="M268 346v-92q0-10 10-10h44q10 0 10 10v92Z" fill="#0b5563" />
        <path d="M276 346v-86h20v86Zm28 0v-86h20v86Z" fill="#cfe6e7" />
        <path d="M244 238h112l10 16H234Z" fill="#e6a52e" />
      </g>

      <g>
        <path
          d="M86 352c4-52-2-84 6-128M90 286c-14-10-22-20-26-34M90 270c14-8 22-18 28-32"
          stroke="#47606a"
          strokeWidth="9"
          strokeLinecap="round"
          fill="none"
        />
        <path
          d="M92 98c34-8 58 16 58 44 24 14 22 58-10 66-10 26-48 32-66 14-30 8-58-16-48-46-18-26 0-58 28-56 6-12 20-20 38-22Z"
          fill="#0f6b72"
        />
        <path d="M92 98c34-8 58 16 58 44-22 2-40-6-58-44Z" fill="#2c8a8d" />
        {[
          [62, 140],
          [104, 128],
          [128, 168],
          [84, 178],
          [48, 186],
          [112, 208],
          [74, 214],
        ].map(([x, y]) => (
          <g key={x} transform={`translate(${x} ${y})`} fill="#e6a52e">
            <circle cy="-5" r="4.5" />
            <circle cx="5" cy="-1.5" r="4.5" />
            <circle cx="3" cy="4.5" r="4.5" />
            <circle cx="-3" cy="4.5" r="4.5" />
            <circle cx="-5" cy="-1.5" r="4.5" />
            <circle r="2.5" fill="#fdf3dc" />
          </g>
        ))}
      </g>

      <g strokeLinecap="round" fill="none">
        <path d="M424 394v-44M440 394v-44" stroke="#10262b" strokeWidth="9" />
        <path d="M416 300q16-14 32 0l4 58h-40Z" fill="#e6a52e" />
        <circle cx="432" cy="276" r="15" fill="#8a5a3b" />
        <path d="M416 276a16 16 0 0 1 32-2c2 14 4 22 2 30-6-8-8-22-10-28-8 2-16 2-24 0Z" fill="#10262b" />
        <path d="M418 308l-26 24" stroke="#8a5a3b" strokeWidth="8" />
      </g>
      <g strokeLinecap="round" fill="none">
        <path d="M350 312q18-16 36 0l8 82h-52Z" fill="#0b5563" />
        <path d="M352 314c16 12 28 40 36 80h-14c-4-34-12-56-26-64Z" fill="#2c8a8d" />
        <circle cx="368" cy="290" r="14" fill="#9c6b48" />
        <path d="M353 290a15 15 0 0 1 30-3c-8-1-16-3-20-6-2 4-5 7-10 9Z" fill="#c9d3d6" />
        <circle cx="353" cy="294" r="6" fill="#c9d3d6" />
        <path d="M384 322l12 14" stroke="#9c6b48" strokeWidth="8" />
        <path d="M348 328l-12 22" stroke="#9c6b48" strokeWidth="8" />
        <path d="M336 350v44" stroke="#47606a" strokeWidth="5" />
      </g>
      <g>
        <path d="M488 394c-2-20 4-34 14-42 10 8 16 22 14 42Z" fill="#0f6b72" />
        <path d="M520 394c-2-14 4-24 12-30 8 6 12 16 10 30Z" fill="#2c8a8d" />
        <path d="M0 392h600v28H0Z" fill="#7fb3b6" />
      </g>
    </svg>
  );
}
