/**
 * A call from the kitchen table: a grandmother with her tea, the doctor on the tablet, champaca at the window.
 * Flat shapes, two tones of teal, champaca light, round line ends.
 */
export function VideoScene() {
  return (
    <svg viewBox="0 0 520 360" width="520" height="360" aria-hidden="true">
      <path d="M0 0h520v360H0Z" fill="#e1f0f1" />
      <Window />
      <Doctor />
      <Patient />
      <path d="M0 300h520v60H0Z" fill="#7fb3b6" />
      <path d="M0 300h520v12H0Z" fill="#9fc9cb" />
      <g strokeLinecap="round" fill="none">
        <path d="M70 276h40q0 26-14 26H84q-14 0-14-26Z" fill="#fff" />
        <path d="M110 282q14 0 12 9t-14 6" stroke="#fff" strokeWidth="5" />
        <path d="M82 264q-6-7 0-14t0-14M98 264q-6-7 0-14t0-14" stroke="#9fc9cb" strokeWidth="4" />
      </g>
    </svg>
  );
}

function Window() {
  return (
    <g>
      <path d="M28 40h96v118H28Z" fill="#fff" />
      <path d="M36 48h80v102H36Z" fill="#fdf3dc" />
      <circle cx="94" cy="76" r="16" fill="#f3cf86" />
      <path d="M36 150c6-34 26-52 60-52 12 22 2 46-22 52Z" fill="#0f6b72" />
      <path d="M36 150c4-20 16-32 34-36 6 16 2 28-10 36Z" fill="#2c8a8d" />
      {[
        [62, 118],
        [84, 112],
        [74, 134],
      ].map(([x, y]) => (
        <g key={x} transform={`translate(${x} ${y})`} fill="#e6a52e">
          <circle cy="-5" r="4" />
          <circle cx="5" cy="-1.5" r="4" />
          <circle cx="3" cy="4.5" r="4" />
          <circle cx="-3" cy="4.5" r="4" />
          <circle cx="-5" cy="-1.5" r="4" />
          <circle r="2.5" fill="#fdf3dc" />
        </g>
      ))}
      <path d="M76 40v118M28 98h96" stroke="#fff" strokeWidth="6" />
    </g>
  );
}

function Doctor() {
  return (
    <g strokeLinecap="round" fill="none">
      <path d="M196 300h88l10 8H186Z" fill="#083f4a" />
      <rect x="146" y="92" width="190" height="208" rx="16" fill="#083f4a" />
      <rect x="158" y="104" width="166" height="176" rx="8" fill="#c3dfe0" />
      <path d="M184 280c0-46 22-66 57-66s57 20 57 66Z" fill="#fff" />
      <path d="M224 216l17 30 17-30-17-6Z" fill="#2c8a8d" />
      <path d="M230 192h22v24q-11 10-22 0Z" fill="#8a5a3b" />
      <ellipse cx="241" cy="172" rx="29" ry="33" fill="#9c6b48" />
      <path d="M209 172c-4-36 14-54 34-54s36 16 30 56c-4-18-12-28-20-34-12 8-30 8-38 8-4 6-5 14-6 24Z" fill="#10262b" />
      <path d="M232 184q9 8 18 0" stroke="#10262b" strokeWidth="3" />
      <path d="M230 170v2M252 170v2" stroke="#10262b" strokeWidth="5" />
      <path d="M214 222c-2 24 6 32 6 44M268 222c4 14 2 22-4 28" stroke="#0b5563" strokeWidth="4" />
      <circle cx="263" cy="254" r="6" fill="#0b5563" />
      <circle cx="241" cy="290" r="5" fill="#7fb3b6" />
      <rect x="276" y="232" width="38" height="38" rx="8" fill="#fdf3dc" />
      <circle cx="295" cy="248" r="8" fill="#8a5a3b" />
      <path d="M282 270c0-10 6-14 13-14s13 4 13 14Z" fill="#e6a52e" />
    </g>
  );
}

function Patient() {
  return (
    <g strokeLinecap="round" fill="none">
      <path d="M372 300c-6-70 18-98 62-98s70 30 70 98Z" fill="#e6a52e" />
      <path d="M430 202c-30 12-44 46-46 98h-14c-6-64 14-98 60-98Z" fill="#c9871a" />
      <path d="M418 180h26v26q-12 10-26 0Z" fill="#7c4f33" />
      <ellipse cx="424" cy="160" rx="29" ry="32" fill="#8a5a3b" />
      <path d="M398 150c4-24 18-32 34-30 22 2 32 22 26 52-4 14-14 18-22 16 6-20-4-34-38-38Z" fill="#c9d3d6" />
      <circle cx="464" cy="166" r="15" fill="#c9d3d6" />
      <path d="M397 160h16M397 154a8 8 0 1 0 0 14" stroke="#10262b" strokeWidth="3" />
      <path d="M402 178q6 5 13 1" stroke="#10262b" strokeWidth="3" />
      <path d="M392 248c-16 20-30 32-48 40" stroke="#8a5a3b" strokeWidth="15" />
      <path d="M402 236c-8 12-14 18-20 24" stroke="#c9871a" strokeWidth="20" />
    </g>
  );
}
