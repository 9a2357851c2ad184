import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { runtimeNames } from '../../../../codegen/print/symbols.ts';

test('the package exports each module of the runtime that generated code imports', () => {
  const file = fileURLToPath(new URL('../../../../package.json', import.meta.url));
  const { exports } = JSON.parse(readFileSync(file, 'utf8')) as { readonly exports: object };
  const patterns = Object.keys(exports).map((path) => path.split('*'));
  const isExported = (path: string): boolean =>
    patterns.some(([before, after]) => (after === undefined ? path === before : path.startsWith(before) && path.endsWith(after)));
  const paths = Object.keys(runtimeNames).map((name) => `./runtime/${name.replace(/\.ts$/, '.js')}`);
  expect(paths.filter((path) => !isExported(path))).toEqual([]);
});
