import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { sourcesIn } from './imports.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

// biome.json makes `any` an error in these folders
test('no file of runtime/ or codegen/ allows itself an `any`', () => {
  const excused = ['runtime', 'codegen']
    .flatMap((folder) => sourcesIn(root, folder))
    .filter((file) => /biome-ignore.*noExplicitAny/.test(readFileSync(join(root, file), 'utf8')));
  expect(excused).toEqual([]);
});
