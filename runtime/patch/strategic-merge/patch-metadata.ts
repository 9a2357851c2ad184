import { memberOf } from '../../machinery/json/values.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { noField, notASlice, notAStruct, sliceOfSlice } from './errors.ts';

/** The patch metadata of an object field. (strategicpatch.PatchMeta) */
export interface StructPatchMetadata {
  readonly schema: MergeSchema;
  /** `patchStrategy=replace`: the patch replaces the object. */
  readonly replace: boolean;
  /** `patchStrategy=retainKeys`: a patch of the object names all members to retain. */
  readonly retainKeys: boolean;
}

/** The patch metadata of a list field. (strategicpatch.PatchMeta) */
export interface SlicePatchMetadata {
  /** The schema of the elements. */
  readonly items: MergeSchema;
  /** `patchStrategy=merge` */
  readonly merge: boolean;
  /** `patchStrategy=retainKeys`, applied to each element. */
  readonly retainKeys: boolean;
  /** "" for lists of scalars, and for schemas without a merge key. */
  readonly mergeKey: string;
}

/** @throws PatchError if the schema has no such field */
export function lookupPatchMetadataForStruct(schema: MergeSchema, field: string): StructPatchMetadata {
  const member = fieldSchema(schema, field);
  const mapStrategy = member.kind === 'map' ? member.patchStrategy : undefined;
  const strategies = mapStrategy ?? (schema.kind === 'struct' ? schema.patchStrategies?.[field] : undefined);
  return {
    schema: member,
    replace: hasStrategy(strategies, 'replace'),
    retainKeys: hasStrategy(strategies, 'retainKeys'),
  };
}

/** @throws PatchError if the schema has no such field or the field is not a list */
export function lookupPatchMetadataForSlice(schema: MergeSchema, field: string): SlicePatchMetadata {
  const list = fieldSchema(schema, field);
  if (list.kind !== 'list') throw notASlice();
  const items = list.items();
  if (items.kind === 'list') throw sliceOfSlice();
  return {
    items,
    merge: hasStrategy(list.patchStrategy, 'merge'),
    retainKeys: hasStrategy(list.patchStrategy, 'retainKeys'),
    mergeKey: list.patchMergeKey ?? '',
  };
}

function fieldSchema(schema: MergeSchema, field: string): MergeSchema {
  switch (schema.kind) {
    case 'struct': {
      const member = memberOf(schema.fields, field);
      if (member === undefined) throw noField(field);
      return member();
    }
    case 'untyped':
      throw noField(field);
    case 'map':
      throw notAStruct('map');
    case 'list':
      throw notAStruct('slice');
    case 'scalar':
      throw notAStruct('string');
  }
}

/** @param strategies separated by commas: `merge,retainKeys` */
function hasStrategy(strategies: string | undefined, name: string): boolean {
  return strategies?.split(',').includes(name) ?? false;
}
