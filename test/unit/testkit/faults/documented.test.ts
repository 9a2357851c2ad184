import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { faultNames } from '../../../../runtime/testkit/faults/actions/actions.ts';
import type { FaultPlanSpec } from '../../../../runtime/testkit/faults/fault-plan.ts';
import { requireValid } from '../../../../runtime/testkit/faults/validation.ts';

const document = readFileSync('docs/faults.md', 'utf8');
const examples = [...document.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => parse(text) as FaultPlanSpec);

describe('docs/faults.md', () => {
  test('has an example of each fault', () => {
    expect(new Set(examples.flatMap(({ fault }) => Object.keys(fault)))).toEqual(new Set(faultNames));
  });

  test.each(examples)('has an example that is valid: %j', (spec) => {
    expect(() => requireValid(spec)).not.toThrow();
  });

  test('says of each fault what it stands for', () => {
    const rows = [...document.matchAll(/^\| `(\w+)/gm)].map(([, name]) => name);
    expect(rows).toEqual(expect.arrayContaining([...faultNames]));
  });
});
