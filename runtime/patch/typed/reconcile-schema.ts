import type { MapMerge, MergeSchema, StructMerge } from '../../machinery/schema/merge-schema.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldName, isField, type PathElement } from '../fieldpath/path-element.ts';
import { declaredMemberSchema } from './atom.ts';

/**
 * Adapts a set to a changed schema. An owner of parts of a field that has become atomic then owns all of it. Fields
 * that have become granular stay owned as a whole. (structured-merge-diff typed/reconcile_schema.go)
 */
export function reconcileFieldSetWithSchema(set: FieldSet, schema: MergeSchema): FieldSet {
  return reconcileChildren(set, schema) ?? set;
}

/** Returns the new children of a node, or `leaf` if it has become atomic; undefined for no change. */
function reconcile(children: FieldSet, schema: MergeSchema): FieldSet | 'leaf' | undefined {
  switch (schema.kind) {
    case 'list':
      return schema.listType === 'atomic' ? 'leaf' : reconcileChildren(children, schema);
    case 'map':
    case 'struct':
      if (isFreeForm(schema)) return undefined;
      return schema.mapType === 'atomic' ? 'leaf' : reconcileChildren(children, schema);
    default:
      return undefined;
  }
}

const isFreeForm = (schema: MapMerge | StructMerge): boolean => schema.kind === 'map' && schema.values().kind === 'untyped';

/** Returns undefined for no change. */
function reconcileChildren(set: FieldSet, schema: MergeSchema): FieldSet | undefined {
  if (schema.kind === 'map' && isFreeForm(schema)) return undefined;
  let out: FieldSet | undefined;
  for (const [element, { member, children }] of set.nodes()) {
    const child = children && childSchema(schema, element);
    if (children === undefined || child === undefined) continue;
    const change = reconcile(children, child);
    if (change === undefined) continue;
    out ??= copyOf(set);
    if (change === 'leaf') out.put(element, true, undefined);
    else out.put(element, member, change);
  }
  return out;
}

function childSchema(schema: MergeSchema, element: PathElement): MergeSchema | undefined {
  if (schema.kind === 'list') return schema.items();
  if (schema.kind !== 'struct' && schema.kind !== 'map') return undefined;
  return declaredMemberSchema(schema, isField(element) ? fieldName(element) : '');
}

function copyOf(set: FieldSet): FieldSet {
  const copy = new FieldSet();
  for (const [element, { member, children }] of set.nodes()) copy.put(element, member, children);
  return copy;
}
