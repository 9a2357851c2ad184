import { expect, test } from '@jest/globals';
import { scheduleProblem } from '../../../../runtime/kinds/batch/cron-schedule.ts';

test.each([
  ['*/5 * * * *', undefined],
  ['0 0 1 jan sun', undefined],
  ['0-30/10,45 8-18 ? * MON-FRI', undefined],
  ['@daily', undefined],
  ['@every 1h30m', undefined],
  ['TZ=UTC 0 0 * * *', undefined],
  ['TZ=', 'invalid schedule format: runtime error: slice bounds out of range [:-1]'],
  ['CRON_TZ=Mars/Phobos 0 0 * * *', 'provided bad location Mars/Phobos: unknown time zone Mars/Phobos'],
  [' @daily', 'expected exactly 5 fields, found 1: [@daily]'],
  ['  ', 'expected exactly 5 fields, found 0: []'],
  ['@often', 'unrecognized descriptor: @often'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ['* * * * * *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
])('%s: %s', (schedule, want) => {
  expect(scheduleProblem(schedule)).toBe(want);
});
