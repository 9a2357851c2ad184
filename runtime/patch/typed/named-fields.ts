import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { fieldName, isField, isKey, type PathElement } from '../field-set/path-element.ts';
import { memberOfFields } from './schema-of.ts';

/**
 * The set with every named field of the schema that has members below it as a member too: of `a.b.c` it makes `a` as
 * well where `a` is a field of a struct, and not `a.b` where `b` is a key of a map.
 */
export function ensureNamedFieldsAreMembers(set: FieldSet, schema: MergeSchema | undefined): FieldSet {
  const out = new FieldSet();
  for (const [element, { member, children }] of set.nodes()) {
    if (children === undefined) {
      out.put(element, member, undefined);
      continue;
    }
    const named = isField(element) && schema?.kind === 'struct' && isNamed(schema.fields, fieldName(element));
    out.put(element, member || named, ensureNamedFieldsAreMembers(children, below(schema, element)));
  }
  return out;
}

const isNamed = (fields: object, name: string): boolean => Object.hasOwn(fields, name);

function below(schema: MergeSchema | undefined, element: PathElement): MergeSchema | undefined {
  if (schema === undefined) return undefined;
  if (isField(element)) {
    if (schema.kind === 'untyped') return schema;
    return schema.kind === 'struct' || schema.kind === 'map' ? memberOfFields(schema, fieldName(element)) : undefined;
  }
  return isKey(element) && schema.kind === 'list' ? schema.items() : undefined;
}
