import { describe, test } from '@jest/globals';
import { scheduleProblem } from '../../../runtime/kinds/batch/cron-schedule.ts';
import { imageTag } from '../../../runtime/kinds/core/pod/defaults.ts';
import { keyPairProblem } from '../../../runtime/kinds/core/tls-key-pair.ts';
import { cidrVersion } from '../../../runtime/kinds/validation/ip.ts';
import { addCIDRWarnings, addIPWarnings } from '../../../runtime/kinds/validation/ip-warnings.ts';
import { parseDuration } from '../../../runtime/machinery/go/duration.ts';
import { canonicalQuantity } from '../../../runtime/machinery/scalars/quantity.ts';
import { parseMicroTime, parseTime } from '../../../runtime/machinery/scalars/time.ts';
import { ipVersion } from '../../../runtime/machinery/validation/ip-formats.ts';
import * as names from '../../../runtime/machinery/validation/name-formats.ts';
import { formats } from '../../../runtime/structural/formats.ts';
import { openApiFormats } from '../../../runtime/structural/open-api-formats.ts';

import { expectLinear, workOn } from '../../support/growth.ts';

/** The repeated text between a start and an end that make it invalid as late as possible. */
const texts: readonly (readonly [before: string, again: string, after: string])[] = [
  ['', 'a', '!'],
  ['', '-', 'a'],
  ['', 'a-', '!'],
  ['', 'a.', '!'],
  ['', '1.', ''],
  ['', '0', 'x'],
  ['0.', '0', 'x'],
  ['', '1', ' x'],
  ['', 'a', ':'],
  ['::', '0', 'x'],
  ['', '/', 'a'],
  ['', 'a/', ''],
  ['', ' ', 'x'],
  ['', '1 ', ''],
  ['@every ', '1h', 'x'],
  ['', '1h', 'x'],
  ['"', '\\"', ''],
  ['', '(', ''],
  ['', '%', ''],
  ['', '*,', ''],
  ['', '_', ''],
  ['', 'é', ''],
  ['https://', 'a@', ''],
  ['rgb(', ' ', ''],
  ['', '-----BEGIN A-----\n', ''],
  ['', '-----BEGIN ', ''],
  ['', '-----BEGIN A-----\n-----END B-----\n', ''],
];

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  ...formats,
  ...openApiFormats,
  labelKey: names.labelKey,
  labelValue: names.labelValue,
  canonicalQuantity,
  parseDuration,
  parseTime,
  parseMicroTime,
  imageTag,
  ipVersion,
  cidrVersion,
  scheduleProblem,
  warnOfIP: (text) => addIPWarnings('x', text, []),
  warnOfCIDR: (text) => addCIDRWarnings('x', text, []),
  keyPairProblem: (text) => keyPairProblem(text, text),
};

function read(reader: (text: string) => unknown, text: string): void {
  try {
    reader(text);
  } catch {
    // most texts are invalid
  }
}

describe('repeated text is read in linear time', () => {
  test.each(Object.keys(readers))('%s', (name) => {
    const prepare = (n: number): string[] => texts.map(([before, again, after]) => before + again.repeat(n / again.length) + after);
    const work = (all: readonly string[]): void => {
      for (const text of all) read(readers[name], text);
    };
    expectLinear(8_000, workOn(prepare, work));
  });
});
