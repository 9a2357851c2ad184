import { Float64 } from '../../machinery/json/float64.ts';
import type { Json } from '../../machinery/object.ts';
import type { ListMerge, MapMerge, MergeSchema, ScalarMerge, StructMerge } from '../../machinery/schema/merge-schema.ts';

/** The schema of a value of known type. (structured-merge-diff schema.Atom) */
export type Atom = ScalarMerge | ListMerge | MapMerge | StructMerge;

const untypedScalar: ScalarMerge = { kind: 'scalar' };
const untyped = { kind: 'untyped' } as const;
const untypedAtomic = { kind: 'untyped', mapType: 'atomic' } as const;
const untypedList: ListMerge = { kind: 'list', items: () => untypedAtomic, listType: 'atomic' };
const untypedMap: MapMerge = { kind: 'map', values: () => untyped, mapType: 'granular' };
const untypedAtomicMap: MapMerge = { kind: 'map', values: () => untypedAtomic, mapType: 'atomic' };

/**
 * Returns the schema. Deduces an untyped schema from the value; null and absent values are then maps.
 * (structured-merge-diff deduceAtom, handleAtom)
 */
export function resolveAtom(schema: MergeSchema, value: Json | undefined): Atom {
  if (schema.kind !== 'untyped') return schema;
  if (Array.isArray(value)) return untypedList;
  if (value instanceof Float64) return untypedScalar;
  if (value === undefined || value === null || typeof value === 'object') {
    return schema.mapType === 'atomic' ? untypedAtomicMap : untypedMap;
  }
  return untypedScalar;
}

/** Returns the schema of a field or key; undefined if the schema allows no such field. */
export function declaredMemberSchema(schema: StructMerge | MapMerge, name: string): MergeSchema | undefined {
  if (schema.kind === 'map') return schema.values();
  const field = Object.hasOwn(schema.fields, name) ? schema.fields[name] : schema.others;
  return field?.();
}

/** Returns the schema of a field or key, untyped if it is not declared. */
export function memberSchema(schema: StructMerge | MapMerge, name: string): MergeSchema {
  return declaredMemberSchema(schema, name) ?? untyped;
}

export function isNamedField(schema: StructMerge | MapMerge, name: string): boolean {
  return schema.kind === 'struct' && Object.hasOwn(schema.fields, name);
}
