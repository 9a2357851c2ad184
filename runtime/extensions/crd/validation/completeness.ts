import { itemSchema, type JsonSchema } from '../../../machinery/schema/json-schema.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { propertiesOf } from '../../../structural/schema/nodes.ts';

/**
 * Requires that the schema around allOf, anyOf, oneOf and not defines every field that they mention.
 * (pkg/apiserver/schema/complete.go validateStructuralCompleteness)
 */
export function validateStructuralCompleteness(schema: JsonSchema, field: Field): void {
  validateValueValidation(schema, schema, field, field);
}

/**
 * @param defined the schema at the same place outside of allOf, anyOf, oneOf and not; undefined if there is none
 * @param field the field of `defined`
 * @param path the path of `schema`
 */
function validateValueValidation(schema: JsonSchema, defined: JsonSchema | undefined, field: Field, path: FieldPath): void {
  const { not, allOf = [], anyOf = [], oneOf = [] } = schema;
  if (not) validateNested(not, defined, field, path.child('not'));
  for (const [name, schemas] of Object.entries({ allOf, anyOf, oneOf })) {
    for (const [index, nested] of schemas.entries()) {
      validateNested(nested, defined, field, path.child(name).index(index));
    }
  }
}

function validateNested(schema: JsonSchema, defined: JsonSchema | undefined, field: Field, path: FieldPath): void {
  if (!defined) {
    field.required(`because it is defined in ${path}`);
    return;
  }
  validateValueValidation(schema, defined, field, path);
  const items = itemSchema(schema);
  if (items) validateNested(items, itemSchema(defined), field.child('items'), path.child('items'));
  for (const [name, nested] of propertiesOf(schema)) {
    const { properties } = defined;
    const property = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    validateNested(nested, property, field.child('properties').key(name), path.child('properties').key(name));
  }
}
