import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../support/generated-project.ts';
import { testShared } from '../../support/shared.ts';
import { simulatedEntries } from './simulated-entries.ts';
import { meant, plain, sectionOf } from './titles.ts';

const groups = Object.entries(simulatedEntries);
const titlesOf = (entries: Readonly<Record<string, readonly string[]>>): string[] => Object.values(entries).flat();

test('the files that are said to have them have the titles of conformance tests, and none has the others', () => {
  const untrue = groups.flatMap(([, { shown, missing }]) =>
    Object.entries(shown).flatMap(([file, titles]) => {
      const texts = textsIn(readFileSync(join(root, 'test', file), 'utf8'));
      // a title may begin with its group's
      const isThere = (title: string): boolean => texts.some((text) => ` ${title}`.toLowerCase().endsWith(` ${text}`));
      return [...titles.filter((title) => !isThere(title)), ...titlesOf(missing).filter(isThere)].map((title) => `${file}: ${title}`);
    }),
  );
  expect(untrue).toEqual([]);
});

test('there are as many as v1.35 has, and so many need a container', () => {
  const counts = groups.map(([group, { shown, missing }]) => [group, titlesOf(shown).length, titlesOf(missing).length]);
  expect(counts).toEqual([
    ['sig-apps', 60, 0],
    ['sig-cli', 17, 0],
    ['sig-network', 28, 19],
    ['sig-node', 71, 34],
    ['sig-scheduling', 11, 0],
  ]);
});

testShared('every entry of these groups that is listed is among them', (shared) => {
  const list = readFileSync(join(shared, 'conformance.md'), 'utf8');
  const unknown = groups.flatMap(([group, { shown, missing }]) => {
    const titles = [...titlesOf(shown), ...titlesOf(missing)];
    return entriesOf(list, group).filter((entry) => !titles.some((title) => isMeant(entry, title)));
  });
  expect(unknown).toEqual([]);
});

/** Returns the texts of a file that may be titles. */
function textsIn(source: string): string[] {
  // from each quotation mark on, because some are apostrophes
  const texts = [...source.matchAll(/(?=(['"`])((?:\\.|(?!\1)[^\\\n])*)\1)/g)].map(([, , text]) => text as string);
  const titles = texts.map((text) => plain(text.replace(/: (?:%s|\$\w+)$|\.$/, '')).toLowerCase());
  return titles.filter((title) => title.split(' ').length > 2);
}

/** Returns the entries of a table without its last columns, and the entries of a line. */
function entriesOf(list: string, group: string): string[] {
  const table = list.includes(`## [${group}]`) ? sectionOf(list, group) : '';
  const rows = [...table.matchAll(/^\| 1\.\d+ \| ([^|]+) \|/gm)].map(([, entry]) => entry as string);
  const line = new RegExp(`^- ${group} \\(\\d+\\): (.*)\\.$`, 'm').exec(list)?.[1];
  return [...rows, ...(line?.split('; ') ?? [])].map((entry) => entry.replace(/ \(1\.\d+\)$/, '').trim());
}

/** The table omits the common beginning of a group's titles. */
const isMeant = (entry: string, title: string): boolean => {
  const words = title.split(' ');
  return words.some((_, index) => meant(entry).test(words.slice(index).join(' ')));
};
