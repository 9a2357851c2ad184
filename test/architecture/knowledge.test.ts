import { expect, test } from '@jest/globals';
import { root } from '../support/generated-project.ts';
import { type Import, importsOf } from './imports.ts';

/** The most files that one file of server/ or serving/ may import. A file with more knows several nouns. */
const limit = 15;

/** Files that may import more, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'runtime/serving/handler-chain.ts': 'the list of all filters in their order: each filter is one file',
  'runtime/server/workers/job-parts.ts': 'a thread opens a server of its own, without the assembly',
  'runtime/server/parts.ts': 'the list of all parts of a server',
};

/** Counts types, too: a reader needs them to understand the file. */
function importedFiles(imports: readonly Import[]): Map<string, number> {
  const targets = new Map<string, Set<string>>();
  for (const { file, target } of imports) targets.set(file, (targets.get(file) ?? new Set()).add(target));
  return new Map([...targets].map(([file, { size }]) => [file, size]));
}

const counts = importedFiles(importsOf(root, ['runtime/server', 'runtime/serving']));
const above = [...counts].filter(([, count]) => count > limit);

test(`no file of server/ and serving/ imports more than ${limit} files`, () => {
  expect(above.filter(([file]) => exceptions[file] === undefined)).toEqual([]);
});

test('every exception is needed', () => {
  expect(Object.keys(exceptions).filter((file) => !above.some(([other]) => other === file))).toEqual([]);
});
