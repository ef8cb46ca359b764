/** Fallback for the six services, so that their pages stay reachable. */
export const BUILT_IN_SERVICES = [
  [
    'icu-intensive-care-unit',
    'heart-monitor',
    'ICU',
    'For people who are seriously ill or have just had a major operation.',
  ],
  [
    'emergency-services',
    'emergency',
    'Emergency',
    'For every kind of emergency, at every hour. You do not need an appointment.',
  ],
  ['laboratory-services', 'microscope', 'Laboratory', 'Blood, urine and tissue tests, done in our own laboratory.'],
  ['digital-x-ray', 'x-ray', 'Digital X-Ray', 'Clear pictures within seconds, with the lowest dose that is enough.'],
  [
    'modular-ot',
    'operating-theatre',
    'Modular OT',
    'Operating theatres with filtered air, for planned and emergency operations.',
  ],
  ['gynecology-ot', 'gynecology', 'Gynaec OT', "An operating theatre kept for women's health and for births."],
].map(([slug = '', icon = '', name = '', description = '']) => ({ slug, icon, name, homeName: '', description }));
