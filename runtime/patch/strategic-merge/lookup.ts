import type { ListMerge, MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { noField, notASlice, notAStruct, sliceOfSlice } from './errors.ts';

/** How a member that is an object is merged. */
export interface ObjectRule {
  readonly schema: MergeSchema;
  /** `patchStrategy=replace`: the patch's object takes the place of the other. */
  readonly replace: boolean;
  /** `patchStrategy=retainKeys`: patches made for it name the members that stay. */
  readonly retainKeys: boolean;
}

/** How a member that is a list is merged. */
export interface ListRule {
  /** Of the elements. */
  readonly items: MergeSchema;
  /** `patchStrategy=merge` */
  readonly merge: boolean;
  /** As in ObjectRule, for each element. */
  readonly retainKeys: boolean;
  /** "" for lists of scalars, and where the schema names none. */
  readonly mergeKey: string;
}

/** The rule for the object in one field. Throws PatchError where the schema knows no such field. */
export function objectRule(schema: MergeSchema, field: string): ObjectRule {
  const found = fieldSchema(schema, field);
  const own = found.kind === 'map' ? found.patchStrategy : undefined;
  const strategies = own ?? (schema.kind === 'struct' ? schema.patchStrategies?.[field] : undefined);
  return { schema: found, replace: has(strategies, 'replace'), retainKeys: has(strategies, 'retainKeys') };
}

/** The rule for the list in one field. Throws PatchError where the schema knows no such list. */
export function listRule(schema: MergeSchema, field: string): ListRule {
  const found = fieldSchema(schema, field);
  if (found.kind !== 'list') throw notASlice();
  const list: ListMerge = found;
  const items = list.items();
  if (items.kind === 'list') throw sliceOfSlice();
  return {
    items,
    merge: has(list.patchStrategy, 'merge'),
    retainKeys: has(list.patchStrategy, 'retainKeys'),
    mergeKey: list.patchMergeKey ?? '',
  };
}

function fieldSchema(schema: MergeSchema, field: string): MergeSchema {
  switch (schema.kind) {
    case 'struct':
      if (!Object.hasOwn(schema.fields, field)) throw noField(field);
      return schema.fields[field]();
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

/** Strategies are joined by commas: `merge,retainKeys`. */
function has(strategies: string | undefined, name: string): boolean {
  return strategies?.split(',').includes(name) ?? false;
}
