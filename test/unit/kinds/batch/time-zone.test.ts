import { expect, test } from '@jest/globals';
import { isTimeZone } from '../../../../runtime/kinds/batch/time-zone.ts';

test.each(['', 'Local', 'UTC', 'EST', 'GMT0', 'Etc/GMT+1', 'Asia/Kolkata', 'US/Pacific', 'America/Argentina/Ushuaia'])(
  '%j is a time zone',
  (name) => {
    expect(isTimeZone(name)).toBe(true);
  },
);

test.each(['PST', 'utc', 'us/pacific', 'america/new_york', 'EUROPE/PARIS', '+0100', 'Mars/Phobos', 'SystemV/AST4', 'local'])(
  '%j is none',
  (name) => {
    expect(isTimeZone(name)).toBe(false);
  },
);
