import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { TestObject } from '../support/test-object.ts';

/*
 * Facts about kube-apiserver v1.35's validation and preparation of a kind: files `*.rules.yaml` beside the code in
 * runtime/kinds. A row without `missing` or `never` is done. It has cases, which are sent to a server.
 */

/**
 * Values by path: `spec.containers[0].name` or `metadata.labels["a.b/c"]`. null removes the member. changes.ts
 * describes long values.
 */
export type Changes = Readonly<Record<string, unknown>>;

interface Row {
  /** The condition, in a few words. */
  readonly when: string;
  /** Upstream's function, or the tag of a declarative rule. */
  readonly in: string;
  /** Upstream's file. Default: the table's. */
  readonly file?: string;
  /** Default: the table's. */
  readonly apiVersion?: string;
  /** A create, an update, a delete, or the update of a subresource, such as `status`. Default: create. */
  readonly on?: string;
  /** Changes to the stored object, for writes other than creates. */
  readonly from?: Changes;
  /** The subresource that writes the status of `from`, or `delete` to begin its deletion. Default: status. */
  readonly via?: string;
  /** The rules of the user's role. Default: an administrator. */
  readonly as?: readonly TestObject[];
  /** Changes common to all cases of the row. */
  readonly with?: Changes;
  /** Other stored objects, each with a name and its status. Default: the table's. */
  readonly given?: readonly TestObject[];
  /** The object is really created, then removed. Default: a dry run, which does not allocate. */
  readonly lasts?: boolean;
  /** The reason why it is not done yet. */
  readonly missing?: string;
  /** The reason why it can never matter here. */
  readonly never?: string;
}

/** A demand of validation. */
export interface Rule extends Row {
  /** The field of the error. */
  readonly field: string;
  /** The message of the cause: `Invalid value: 0: must be greater than 0`. `…` stands for a variable part. */
  readonly error: string;
  readonly refused: Changes;
  /** Default: no change. */
  readonly accepted?: Changes;
  /** Changes to the stored object before an accepted write. Default: `from`. */
  readonly acceptedFrom?: Changes;
  /** Other stored objects for an accepted write. Default: `given`. */
  readonly acceptedGiven?: readonly TestObject[];
  /** The status code. Default: 422. With another code, `error` is part of the message or of a cause's message. */
  readonly code?: number;
}

/** A default, or a value that the preparation of a write sets, keeps or drops. */
export interface Effect extends Row {
  readonly set: Changes;
  /** The values after the write. null: the member is absent. */
  readonly gives: Changes;
}

export interface Warning extends Row {
  readonly set: Changes;
  /** The whole warning. */
  readonly warns: string;
}

export interface RuleTable {
  /** The path below runtime/kinds, without its ending. */
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of the requests. Default: the kind's resource. */
  readonly path?: string;
  /** Upstream's file, from the root of kubernetes/kubernetes. */
  readonly source: string;
  /** The CustomResourceDefinition of a kind that is not built in. */
  readonly definition?: TestObject;
  readonly given?: readonly TestObject[];
  /** A valid object, which cases change. */
  readonly base: TestObject;
  readonly rules: readonly Rule[];
  readonly defaults: readonly Effect[];
  readonly preparation: readonly Effect[];
  readonly warnings: readonly Warning[];
}

export const root = fileURLToPath(new URL('../../', import.meta.url));
const kinds = join(root, 'runtime/kinds');
const ending = '.rules.yaml';

/** Returns all tables in the order of their names. @throws Error for an incomplete row */
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

/** Returns the folder of a table's code, from the root. */
export const folderOf = ({ name }: RuleTable): string => join('runtime/kinds', dirname(name));

export const isDone = ({ missing, never }: Row): boolean => missing === undefined && never === undefined;

/** Returns all rows with their sections. */
export function rowsOf(table: RuleTable): { readonly section: keyof typeof sections; readonly row: Row }[] {
  return (Object.keys(sections) as (keyof typeof sections)[]).flatMap((section) => table[section].map((row) => ({ section, row })));
}
