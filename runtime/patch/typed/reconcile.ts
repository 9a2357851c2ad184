import type { MapMerge, MergeSchema, StructMerge } from '../../machinery/schema/merge-schema.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { fieldName, isField, type PathElement } from '../field-set/path-element.ts';
import { memberOfFields } from './schema-of.ts';

/**
 * Ownership as the schema of today tells it: of what became atomic since, who owned parts owns the whole. What became
 * granular stays owned as it was. (structured-merge-diff typed/reconcile_schema.go)
 */
export function reconcileFieldSet(set: FieldSet, schema: MergeSchema): FieldSet {
  return below(set, schema) ?? set;
}

/** What stands in place of the children of a node; `leaf` for the whole. Undefined: they stay. */
function reconcile(children: FieldSet, schema: MergeSchema): FieldSet | 'leaf' | undefined {
  switch (schema.kind) {
    case 'list':
      return schema.listType === 'atomic' ? 'leaf' : below(children, schema);
    case 'map':
    case 'struct':
      if (isFreeForm(schema)) return undefined;
      return schema.mapType === 'atomic' ? 'leaf' : below(children, schema);
    default:
      return undefined;
  }
}

const isFreeForm = (schema: MapMerge | StructMerge): boolean =>
  schema.kind === 'map' && schema.values().kind === 'untyped';

/** Undefined when nothing changes. */
function below(set: FieldSet, schema: MergeSchema): FieldSet | undefined {
  if (schema.kind === 'map' && isFreeForm(schema)) return undefined;
  let out: FieldSet | undefined;
  for (const [element, { member, children }] of set.nodes()) {
    const child = children && schemaBelow(schema, element);
    if (children === undefined || child === undefined) continue;
    const change = reconcile(children, child);
    if (change === undefined) continue;
    out ??= copyOf(set);
    if (change === 'leaf') out.put(element, true, undefined);
    else out.put(element, member, change);
  }
  return out;
}

function schemaBelow(schema: MergeSchema, element: PathElement): MergeSchema | undefined {
  if (schema.kind === 'list') return schema.items();
  if (schema.kind !== 'struct' && schema.kind !== 'map') return undefined;
  return memberOfFields(schema, isField(element) ? fieldName(element) : '');
}

function copyOf(set: FieldSet): FieldSet {
  const copy = new FieldSet();
  for (const [element, { member, children }] of set.nodes()) copy.put(element, member, children);
  return copy;
}
