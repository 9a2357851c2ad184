import { itemSchema, type JsonSchema } from '../../../machinery/schema/json-schema.ts';
import { type FieldError, required } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { propertiesOf } from '../../../structural/schema/nodes.ts';

/**
 * Appends what allOf, anyOf, oneOf and not speak of and the schema around them does not define.
 * (pkg/apiserver/schema/complete.go)
 */
export function validateStructuralCompleteness(schema: JsonSchema, path: FieldPath, errors: FieldError[]): void {
  checkJunctors(schema, schema, path, path, errors);
}

/** @param defined the schema outside of the junctors at the same place; undefined where there is none */
function checkJunctors(
  schema: JsonSchema,
  defined: JsonSchema | undefined,
  path: FieldPath,
  nestedPath: FieldPath,
  errors: FieldError[],
): void {
  const { not, allOf = [], anyOf = [], oneOf = [] } = schema;
  if (not) checkNested(not, defined, path, nestedPath.child('not'), errors);
  for (const [name, list] of Object.entries({ allOf, anyOf, oneOf })) {
    for (const [index, inner] of list.entries()) {
      checkNested(inner, defined, path, nestedPath.child(name).index(index), errors);
    }
  }
}

function checkNested(
  schema: JsonSchema,
  defined: JsonSchema | undefined,
  path: FieldPath,
  nestedPath: FieldPath,
  errors: FieldError[],
): void {
  if (!defined) {
    errors.push(required(path, `because it is defined in ${nestedPath}`));
    return;
  }
  checkJunctors(schema, defined, path, nestedPath, errors);
  const items = itemSchema(schema);
  if (items) checkNested(items, itemSchema(defined), path.child('items'), nestedPath.child('items'), errors);
  for (const [name, inner] of propertiesOf(schema)) {
    const { properties } = defined;
    const at = path.child('properties').key(name);
    const nestedAt = nestedPath.child('properties').key(name);
    const property = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    checkNested(inner, property, at, nestedAt, errors);
  }
}
