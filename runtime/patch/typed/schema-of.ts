import type { Json } from '../../machinery/object.ts';
import type {
  ListMerge,
  MapMerge,
  MergeSchema,
  ScalarMerge,
  StructMerge,
} from '../../machinery/schema/merge-schema.ts';

/** A schema once it is known what shape the value has. */
export type ShapedSchema = ScalarMerge | ListMerge | MapMerge | StructMerge;

const untypedScalar: ScalarMerge = { kind: 'scalar' };
const untyped = { kind: 'untyped' } as const;
const untypedAtomic = { kind: 'untyped', mapType: 'atomic' } as const;
const untypedList: ListMerge = { kind: 'list', items: () => untypedAtomic, listType: 'atomic' };
const untypedMap: MapMerge = { kind: 'map', values: () => untyped, mapType: 'granular' };
const untypedAtomicMap: MapMerge = { kind: 'map', values: () => untypedAtomic, mapType: 'atomic' };

/**
 * The schema itself, or for values of which nothing is known what their shape tells. Null and nothing at all count as
 * maps then. (structured-merge-diff deduceAtom, handleAtom)
 */
export function shapeOf(schema: MergeSchema, value: Json | undefined): ShapedSchema {
  if (schema.kind !== 'untyped') return schema;
  if (Array.isArray(value)) return untypedList;
  if (value === undefined || value === null || typeof value === 'object') {
    return schema.mapType === 'atomic' ? untypedAtomicMap : untypedMap;
  }
  return untypedScalar;
}

/** The schema of a field or a key; undefined where there may be no such field. */
export function memberOfFields(schema: StructMerge | MapMerge, name: string): MergeSchema | undefined {
  if (schema.kind === 'map') return schema.values();
  return Object.hasOwn(schema.fields, name) ? schema.fields[name]() : schema.others?.();
}

/** As `memberOfFields`; what the schema does not know is taken as it comes. */
export function memberSchema(schema: StructMerge | MapMerge, name: string): MergeSchema {
  return memberOfFields(schema, name) ?? untyped;
}

export function isNamedField(schema: StructMerge | MapMerge, name: string): boolean {
  return schema.kind === 'struct' && Object.hasOwn(schema.fields, name);
}
