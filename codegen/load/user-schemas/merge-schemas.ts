import type { Schema } from '../openapi.ts';

type Keywords = Record<string, unknown>;
type MergeValues = (left: never, right: never) => unknown;

const larger = (left: number, right: number): number => Math.max(left, right);
const smaller = (left: number, right: number): number => Math.min(left, right);
const together = (left: readonly unknown[], right: readonly unknown[]): unknown[] => [...new Set([...left, ...right])];

/** Functions that merge two values of a keyword into one with the effect of both. */
const merges: Readonly<Record<string, MergeValues>> = {
  properties: mergeProperties,
  items: mergeSchemas,
  required: together,
  allOf: (left: readonly Schema[], right: readonly Schema[]) => [...left, ...right],
  'x-kubernetes-validations': (left: readonly object[], right: readonly object[]) => [...left, ...right],
  minLength: larger,
  maxLength: smaller,
  minItems: larger,
  maxItems: smaller,
  minProperties: larger,
  maxProperties: smaller,
  default: (_: unknown, right: unknown) => right,
  type: mergeTypes,
};

/** Keywords that check a value by themselves. If two cannot be merged, the value is checked twice. */
const separable = ['enum', 'pattern', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'anyOf', 'oneOf', 'not'];
/** Keywords that must stay together. */
const boundKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];

/** Two contradictory schemas, such as a string that is an object. */
export class MergeConflict extends Error {
  override readonly name = 'MergeConflict';
}

/** Returns the schema of values for which both schemas hold. @throws MergeConflict */
export function mergeSchemas(left: Schema, right: Schema): Schema {
  const merged: Keywords = { ...left };
  const apart: Keywords = {};
  const needsOwnBounds = boundKeywords.some((name) => name in left) && boundKeywords.some((name) => name in right);
  for (const [keyword, value] of Object.entries(right)) {
    if (keyword === 'nullable') continue;
    if (needsOwnBounds && boundKeywords.includes(keyword)) apart[keyword] = value;
    else if (!Object.hasOwn(left, keyword)) merged[keyword] = value;
    else if (Object.hasOwn(merges, keyword)) {
      merged[keyword] = (merges[keyword] as (a: unknown, b: unknown) => unknown)(merged[keyword], value);
    } else if (JSON.stringify(merged[keyword]) === JSON.stringify(value)) continue;
    else if (separable.includes(keyword)) apart[keyword] = value;
    else if (!isProse(keyword)) throw new MergeConflict(`${keyword} is both ${text(merged[keyword])} and ${text(value)}`);
  }
  if (Object.keys(apart).length > 0) merged.allOf = [...((merged.allOf as Schema[] | undefined) ?? []), apart];
  const { nullable: _, ...rest } = merged;
  return (left.nullable && right.nullable ? { ...rest, nullable: true } : rest) as Schema;
}

function mergeProperties(left: Schema['properties'] = {}, right: Schema['properties'] = {}): Schema['properties'] {
  const entries = new Map(Object.entries(left));
  for (const [name, schema] of Object.entries(right)) {
    const known = entries.get(name);
    entries.set(name, known === undefined ? schema : mergeSchemas(known, schema));
  }
  return Object.fromEntries(entries);
}

function mergeTypes(left: string, right: string): string {
  if (left === right) return left;
  if ([left, right].sort().join() === 'integer,number') return 'integer';
  throw new MergeConflict(`type is both ${left} and ${right}`);
}

const isProse = (keyword: string): boolean =>
  ['title', 'description', 'example', 'externalDocs', 'deprecated', 'readOnly', 'writeOnly'].includes(keyword);

const text = (value: unknown): string => JSON.stringify(value).slice(0, 50);
