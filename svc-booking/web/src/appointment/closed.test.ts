import { expect, it } from 'vitest';
import { hoursText } from './attendants.ts';
import { closedText } from './closed.ts';

it.each([
  [undefined, '', ''],
  ['CLOSED_CODE_FULL', '', ''],
  ['CLOSED_CODE_SUNDAY', '', 'Closed on Sundays. Choose a day from Monday to Saturday.'],
  ['CLOSED_CODE_HOLIDAY', 'Republic Day', 'Closed for Republic Day. Choose another day.'],
  ['CLOSED_CODE_TOO_FAR', '2027-01-20', 'You can book until 20 January 2027.'],
  ['CLOSED_CODE_OF_A_NEWER_SERVICE', '', 'Words of the service.'],
] as const)('W15: shows its own text for code %s, whatever the text of the service', (code, closedDetail, words) => {
  const closedReason = code?.endsWith('NEWER_SERVICE') ? 'Words of the service.' : 'All times on this day are taken.';
  expect(closedText({ closedCode: code as 'CLOSED_CODE_FULL', closedDetail, closedReason })).toBe(words);
});

it.each([
  [['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], 'Monday to Saturday'],
  [['Tue', 'Thu', 'Sat'], 'Tuesday, Thursday and Saturday'],
  [['Mon', 'Tue'], 'Monday and Tuesday'],
  [['Fri'], 'Friday'],
])('hours list their days: %j', (weekdays, words) => {
  expect(hoursText({ weekdays, from: '9:00 AM', until: '1:00 PM' })).toBe(`${words}, 9:00 AM to 1:00 PM`);
});
