import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { documentPath, readReports, readResults, withTables } from './compatibility.ts';
import { Tally } from './tally.ts';

test('docs/compatibility.md has the counts of the reports and of the suites (make compatibility)', () => {
  const document = readFileSync(documentPath, 'utf8');
  expect(document).toBe(withTables(document, readReports(), readResults()));
});

test('a report counts listed differences apart from others', () => {
  const tally = new Tally();
  tally.count('watch', 'equal', 3);
  tally.count('watch', 'listed');
  tally.count('get', 'different');
  expect(tally.features()).toEqual([
    { feature: 'get', requests: 1, differences: 1, listed: 0 },
    { feature: 'watch', requests: 4, differences: 0, listed: 1 },
  ]);
});
