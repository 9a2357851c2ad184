import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { listFiles } from '../../../codegen/load/files.ts';
import { root } from '../../support/generated-project.ts';
import { testShared } from '../../support/shared.ts';
import { meant, plain, sectionOf } from './titles.ts';
import { reworded, unproven } from './unproven.ts';

/** Returns the listed entries of a special interest group. `…` stands for omitted words. */
function entriesOf(list: string, group: string): string[] {
  const section = sectionOf(list, group).split('\n\nNOT in conformance')[0] as string;
  return [...section.matchAll(/^\| \d+ \| [^|]+ \| ([^|]+) \|/gm)].map(([, entry]) => (entry as string).trim());
}

/** Returns v1.35's entries without nodes, from a section whose last column has the requirements. */
function entriesWithoutNodes(list: string, group: string): string[] {
  const rows = sectionOf(list, group).matchAll(/^\| 1\.(\d+) \| ([^|]+) \|[^|]*\| ([^|]+) \|$/gm);
  return [...rows].flatMap(([, since, entry, needs]) => (Number(since) <= 35 && needs !== 'K' ? [(entry as string).trim()] : []));
}

/** Returns the titles of a file's tests, alone and after each of their groups' titles. */
function testsIn(source: string): string[] {
  const titles = source.matchAll(/(?:\b(?:test|describe)(?:\.each\([^)]*\))?\(\s*|\btitle:\s*)(['"`])(.*?)\1/g);
  const all = [...new Set([...titles].map(([, , title]) => plain(title as string)))];
  return [...all, ...all.flatMap((group) => all.map((one) => `${group} ${one}`))];
}

async function proven(): Promise<string[]> {
  const files = await listFiles(join(root, 'test'), '.ts');
  return files.flatMap((file) => testsIn(readFileSync(join(root, 'test', file), 'utf8')));
}

testShared('every [sig-api-machinery] entry is the title of a test, or has a reason', async (shared) => {
  const list = readFileSync(join(shared, 'conformance.md'), 'utf8');
  const entries = entriesOf(list, 'sig-api-machinery');
  const tests = await proven();
  const isProven = (entry: string): boolean => {
    const title = meant(entry);
    return tests.some((name) => title.test(name));
  };
  expect(entries).toHaveLength(100);
  expect(entries.filter((entry) => !(entry in unproven) && !isProven(entry))).toEqual([]);
  // a tested entry needs no reason any more
  expect(Object.keys(unproven).filter((entry) => isProven(entry) || !entries.includes(entry))).toEqual([]);
  expect(Object.keys(reworded).filter((entry) => !list.includes(entry))).toEqual([]);
});

testShared('every [sig-auth] entry that needs no node is the title of a test', async (shared) => {
  const entries = entriesWithoutNodes(readFileSync(join(shared, 'conformance.md'), 'utf8'), 'sig-auth');
  const tests = await proven();
  const missing = entries.filter((entry) => !tests.some((name) => meant(entry).test(name)));
  expect(entries).toHaveLength(8);
  expect(missing).toEqual([]);
});
