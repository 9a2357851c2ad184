import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldName, isField, isKey, type PathElement } from '../fieldpath/path-element.ts';
import { declaredMemberSchema } from './atom.ts';

/**
 * Adds all fields of structs that have children in the set: with `a.b.c`, adds `a` if it is a field of a struct, but not
 * `a.b` if `b` is a key of a map. (structured-merge-diff Set.EnsureNamedFieldsAreMembers)
 */
export function ensureNamedFieldsAreMembers(set: FieldSet, schema: MergeSchema | undefined): FieldSet {
  const out = new FieldSet();
  for (const [element, { member, children }] of set.nodes()) {
    if (children === undefined) {
      out.put(element, member, undefined);
      continue;
    }
    const named = isField(element) && schema?.kind === 'struct' && isNamed(schema.fields, fieldName(element));
    out.put(element, member || named, ensureNamedFieldsAreMembers(children, childSchema(schema, element)));
  }
  return out;
}

const isNamed = (fields: object, name: string): boolean => Object.hasOwn(fields, name);

function childSchema(schema: MergeSchema | undefined, element: PathElement): MergeSchema | undefined {
  if (schema === undefined) return undefined;
  if (isField(element)) {
    if (schema.kind === 'untyped') return schema;
    return schema.kind === 'struct' || schema.kind === 'map' ? declaredMemberSchema(schema, fieldName(element)) : undefined;
  }
  return isKey(element) && schema.kind === 'list' ? schema.items() : undefined;
}
