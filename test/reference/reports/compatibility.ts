import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/generated-project.ts';
import type { SuiteResult } from '../../upstream/suite.ts';
import type { Report } from './tally.ts';

/*
 * Writes the tables of docs/compatibility.md from the reports in this folder, and from test/upstream/results.json:
 * `make compatibility`.
 */

const folder = join(root, 'test/reference/reports');
export const documentPath = join(root, 'docs/compatibility.md');

export const readReports = (): readonly Report[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report);

const number = (value: number): string => value.toLocaleString('en');

function tableOf({ source, command, version, features }: Report): string {
  const sum = (member: 'requests' | 'differences' | 'listed'): number => features.reduce((total, one) => total + one[member], 0);
  const row = (name: string, cells: readonly number[]): string => `| ${[name, ...cells.map(number)].join(' | ')} |`;
  return [
    `### ${source.replace(/^./, (letter) => letter.toUpperCase())}, beside ${version}`,
    '',
    `\`${command}\``,
    '',
    '| feature | requests | different | different for listed causes |',
    '|---|---:|---:|---:|',
    ...features.map((one) => row(one.feature, [one.requests, one.differences, one.listed])),
    row('**all**', [sum('requests'), sum('differences'), sum('listed')]),
    '',
  ].join('\n');
}

export const readResults = (): readonly SuiteResult[] =>
  JSON.parse(readFileSync(join(root, 'test/upstream/results.json'), 'utf8')) as readonly SuiteResult[];

const suiteTable = (results: readonly SuiteResult[]): string =>
  [
    '| suite | version | passes | of | fails |',
    '|---|---|---:|---:|---|',
    ...results.map(({ name, version, passed, total, failed }) => `| ${[name, version, passed, total, failed.join(', ')].join(' | ')} |`),
    '',
  ].join('\n');

const suites = /(<!-- suites -->\n)[\s\S]*?(<!-- \/suites -->)/;
const block = /(<!-- compared -->\n)[\s\S]*?(<!-- \/compared -->)/;

/** Returns the document with the tables of the reports and of the suites. */
export const withTables = (document: string, reports: readonly Report[], results: readonly SuiteResult[]): string =>
  document
    .replace(block, (_, start: string, end: string) => `${start}\n${reports.map(tableOf).join('\n')}\n${end}`)
    .replace(suites, (_, start: string, end: string) => `${start}\n${suiteTable(results)}\n${end}`);

if (process.argv[1] === import.meta.filename) {
  writeFileSync(documentPath, withTables(readFileSync(documentPath, 'utf8'), readReports(), readResults()));
}
