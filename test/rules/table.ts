import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { TestObject } from '../support/test-object.ts';

/*
 * What kube-apiserver v1.35 demands of a kind, and what it makes of it, as facts: files `*.rules.yaml` beside the code in
 * runtime/kinds. A row is done unless it says `missing` or `never`, and has cases, which are sent to a server.
 */

/** Values by path, as `spec.containers[0].name` or `metadata.labels["a.b/c"]`. null removes the member. Long ones: see changes.ts. */
export type Changes = Readonly<Record<string, unknown>>;

interface Row {
  /** The condition, in a few words. */
  readonly when: string;
  /** Upstream's function, or the tag of a declarative rule. */
  readonly in: string;
  /** Upstream's file. Default: that of the table. */
  readonly file?: string;
  /** Default: that of the table. */
  readonly apiVersion?: string;
  /** A create, an update, a delete, or a subresource, which is updated, as `status`. Default: create. */
  readonly on?: string;
  /** For other writes than creates: how the object is stored before. */
  readonly from?: Changes;
  /** The subresource through which the status of `from` is written, or `delete`: its deletion begins. Default: status. */
  readonly via?: string;
  /** The rules of the role of the user who asks. Default: an administrator asks. */
  readonly as?: readonly TestObject[];
  /** What all cases of the row have in common. */
  readonly with?: Changes;
  /** Other objects that are there meanwhile, each with a name; with their statuses. Default: those of the table. */
  readonly given?: readonly TestObject[];
  /** The object is created for a while. Default: in a dry run, which does not allocate. */
  readonly lasts?: boolean;
  /** Why it is not done yet. */
  readonly missing?: string;
  /** Why it can never matter here. */
  readonly never?: string;
}

/** A demand. */
export interface Rule extends Row {
  /** Where the error is. */
  readonly field: string;
  /** The message of the cause, as `Invalid value: 0: must be greater than 0`; `…` stands for what differs each time. */
  readonly error: string;
  readonly refused: Changes;
  /** Default: no change. */
  readonly accepted?: Changes;
  /** How the object is stored before what is accepted. Default: `from`. */
  readonly acceptedFrom?: Changes;
  /** What else is there when something is accepted. Default: `given`. */
  readonly acceptedGiven?: readonly TestObject[];
  /** The status code, if it is not 422. `error` is then in the message, or in that of a cause. */
  readonly code?: number;
}

/** A default, or what the preparation of a write sets, keeps or drops. */
export interface Effect extends Row {
  readonly set: Changes;
  /** What is read back. null: the member is absent. */
  readonly gives: Changes;
}

export interface Warning extends Row {
  readonly set: Changes;
  /** The whole text. */
  readonly warns: string;
}

export interface RuleTable {
  /** Below runtime/kinds, without its ending. */
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Where objects are sent to, if not to the resource of their kind. */
  readonly path?: string;
  /** Upstream's file, from the root of kubernetes/kubernetes. */
  readonly source: string;
  /** Of a kind that is not built in: the CustomResourceDefinition that serves it. */
  readonly definition?: TestObject;
  readonly given?: readonly TestObject[];
  /** A valid object, which the cases change. */
  readonly base: TestObject;
  readonly rules: readonly Rule[];
  readonly defaults: readonly Effect[];
  readonly preparation: readonly Effect[];
  readonly warnings: readonly Warning[];
}

export const root = fileURLToPath(new URL('../../', import.meta.url));
const kinds = join(root, 'runtime/kinds');
const ending = '.rules.yaml';

/** All tables, in the order of their names. @throws Error for a row that does not have what it needs */
export function readTables(): RuleTable[] {
  const files = readdirSync(kinds, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));
  return files.sort().map((file) => readTable(join(kinds, file)));
}

const members = ['apiVersion', 'kind', 'path', 'source', 'definition', 'given', 'base', 'rules', 'defaults', 'preparation', 'warnings'];
const common = ['when', 'in', 'file', 'apiVersion', 'on', 'from', 'via', 'as', 'with', 'given', 'lasts', 'missing', 'never'];
const sections = {
  rules: { needed: ['field', 'error', 'refused'], optional: ['accepted', 'acceptedFrom', 'acceptedGiven', 'code'] },
  defaults: { needed: ['set', 'gives'], optional: [] },
  preparation: { needed: ['set', 'gives'], optional: [] },
  warnings: { needed: ['set', 'warns'], optional: [] },
};

function readTable(path: string): RuleTable {
  const name = relative(kinds, path).slice(0, -ending.length);
  const data: TestObject = parse(readFileSync(path, 'utf8'));
  const problems = Object.keys(data).filter((key) => !members.includes(key));
  for (const [section, { needed, optional }] of Object.entries(sections)) {
    for (const row of data[section] ?? []) {
      const isDone = row.missing === undefined && row.never === undefined;
      const wanted = [...(section === 'rules' ? ['field', 'error'] : []), 'when', 'in', ...(isDone ? needed : [])];
      const absent = wanted.filter((key) => row[key] === undefined);
      const unknown = Object.keys(row).filter((key) => ![...common, ...needed, ...optional].includes(key));
      for (const key of [...absent, ...unknown]) problems.push(`${key} in ${section}: ${JSON.stringify(row)}`);
    }
  }
  if (problems.length > 0) throw new Error(`${name}${ending}: absent or unknown: ${problems.join('\n')}`);
  return { name, rules: [], defaults: [], preparation: [], warnings: [], ...data } as unknown as RuleTable;
}

/** The folder of the code that a table is about, from the root. */
export const folderOf = ({ name }: RuleTable): string => join('runtime/kinds', dirname(name));

export const isDone = ({ missing, never }: Row): boolean => missing === undefined && never === undefined;

/** All rows, with the section in which each is. */
export function rowsOf(table: RuleTable): { readonly section: keyof typeof sections; readonly row: Row }[] {
  return (Object.keys(sections) as (keyof typeof sections)[]).flatMap((section) => table[section].map((row) => ({ section, row })));
}
