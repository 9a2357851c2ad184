import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDone, type RuleTable, readTables, root, rowsOf } from './table.ts';

/*
 * Writes docs/validation-coverage.md and counts.json from the tables of rules. Run to rewrite both:
 *
 *     node --import ./test/support/ts-loader.mjs test/rules/coverage.ts
 */

export const documentPath = join(root, 'docs/validation-coverage.md');
const countsPath = join(root, 'test/rules/counts.json');

/** The highest number of rows of each table so far. */
export type Counts = Readonly<Record<string, number>>;

export const readCounts = (): Counts => (existsSync(countsPath) ? JSON.parse(readFileSync(countsPath, 'utf8')) : ({} as Counts));

interface Tally {
  readonly done: number;
  readonly missing: number;
  readonly never: number;
}

function tally(tables: readonly RuleTable[]): Tally {
  const rows = tables.flatMap(rowsOf).map(({ row }) => row);
  const never = rows.filter((row) => row.never !== undefined).length;
  const done = rows.filter(isDone).length;
  return { done, never, missing: rows.length - done - never };
}

const totalOf = ({ done, missing, never }: Tally): number => done + missing + never;

const cells = (count: Tally): string => [totalOf(count), count.done, count.missing, count.never].join(' | ');

/** Returns the document. */
export function coverage(tables: readonly RuleTable[]): string {
  const lines = [
    '# What kube-apiserver demands of built-in kinds, counted',
    '',
    'Rules of validation, defaults, what is prepared before a write, and warnings of v1.35, from the tables beside the code',
    '(`runtime/kinds/**/*.rules.yaml`). Each row that is done has cases, which `make test` sends to a server. This page is',
    'made from the tables by `make rules`. Each function of upstream that refuses something is named by a row, or says why not',
    '(`test/rules/upstream-functions.yaml`).',
    '',
    '| kind | rows | done | missing | cannot matter here |',
    '|---|---|---|---|---|',
    ...tables.map((table) => `| ${table.name} | ${cells(tally([table]))} |`),
    `| **all** | ${cells(tally(tables))} |`,
    '',
    ...section('Missing', tables, 'missing'),
    ...section('Cannot matter here', tables, 'never'),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Returns the rows with a reason why they are not done, by table. */
function section(title: string, tables: readonly RuleTable[], reason: 'missing' | 'never'): string[] {
  const found = tables.flatMap((table) =>
    rowsOf(table)
      .filter(({ row }) => row[reason] !== undefined)
      .map(({ row }) => `- ${table.name}, ${'field' in row ? `\`${row.field}\` ` : ''}${row.when}: ${row[reason]}`),
  );
  return found.length === 0 ? [] : [`## ${title}`, '', ...found, ''];
}

/** Returns the number of rows of each table, which never decreases. */
export function raised(counts: Counts, tables: readonly RuleTable[]): Counts {
  const now = tables.map((table) => [table.name, Math.max(counts[table.name] ?? 0, rowsOf(table).length)] as const);
  return Object.fromEntries([...Object.entries(counts), ...now].sort(([a], [b]) => (a < b ? -1 : 1)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tables = readTables();
  writeFileSync(documentPath, coverage(tables));
  writeFileSync(countsPath, `${JSON.stringify(raised(readCounts(), tables), undefined, 2)}\n`);
}
