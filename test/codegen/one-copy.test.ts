import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sharedModules } from '../package/shared-modules.ts';
import { subpathsOf } from '../package/subpaths.ts';
import { root } from '../support/generated-project.ts';

const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test.each(['module', 'commonjs'])('the compiled server and generated code share each module: %s', (inputType) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`--input-type=${inputType}`, '--eval', sharedModules(inputType, name, subpathsOf(root))],
    { cwd: root, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^\d{2,} names are the same\n$/);
});
