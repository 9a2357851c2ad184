import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/generated-project.ts';

test('only machinery/event-loop decides when to yield', () => {
  const runtime = join(root, 'runtime');
  const files = readdirSync(runtime, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const callers = files.filter((file) => /\bsetImmediate\b/.test(readFileSync(join(runtime, file), 'utf8')));
  expect(callers).toEqual(['machinery/event-loop/yield.ts']);
});
