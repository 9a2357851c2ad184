import { isDecodeError } from '../../../machinery/errors/decode-error.ts';
import { cloneJson } from '../../../machinery/json/clone.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import type { Json } from '../../../machinery/object.ts';
import { itemSchema, type JsonSchema } from '../../../machinery/schema/json-schema.ts';
import { type FieldError, fieldErrorMessage, invalid } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { validateEmbeddedMetadata } from '../../../resources/metadata-validation.ts';
import { compileSchema } from '../../../structural/schema/compile.ts';
import { checkEmbedded, coerceEmbedded, embeddedNode } from '../../../structural/schema/embedded.ts';
import { propertiesOf } from '../../../structural/schema/nodes.ts';
import { pruneNode, pruneValue } from '../../../structural/schema/prune.ts';
import { schemaSome } from '../../../structural/schema/visit.ts';
import { checkDefaultByRules, type RuleBudget, ruleBudget } from './rules.ts';
import { isStructural } from './structural.ts';

type Surround = (value: Json) => Json;

/** Where a default stands. */
interface Place {
  /** Inside kind, apiVersion or metadata of a resource, which are checked as a whole. */
  readonly insideMeta: boolean;
  /** The resource that the place is in. */
  readonly resource: JsonSchema;
  /** The resource with the default in it. */
  readonly surround: Surround;
}

const typeMeta = { kind: 'Validation', apiVersion: 'validation/v1' };

/** What is not an object cannot be a resource; its type is refused by the schema. */
const asResource: Surround = (value) => (isJsonObject(value) ? { ...typeMeta, ...value } : value);

/**
 * Appends the defaults of a structural schema that the schema itself would refuse, or has fields that would be pruned.
 * (pkg/apiserver/schema/defaulting/validation.go)
 */
export function validateDefaults(
  schema: JsonSchema,
  requirePruned: boolean,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (!schemaSome(schema, hasDefault)) return;
  const root = { ...schema, 'x-kubernetes-embedded-resource': true };
  walk(root, { insideMeta: false, resource: root, surround: asResource }, requirePruned, path, ruleBudget(), errors);
}

const hasDefault = (schema: JsonSchema): boolean => (schema.default ?? null) !== null;

function walk(
  schema: JsonSchema,
  outer: Place,
  requirePruned: boolean,
  path: FieldPath,
  budget: RuleBudget,
  errors: FieldError[],
): void {
  if (budget.left < 0) return;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const place = embedded ? { insideMeta: false, resource: schema, surround: asResource } : outer;
  if (hasDefault(schema)) checkOne(schema, place, requirePruned, path.child('default'), budget, errors);
  const items = itemSchema(schema);
  if (items) {
    const inItems = { ...place, surround: (value: Json) => place.surround([value]) };
    walk(items, inItems, requirePruned, path.child('items'), budget, errors);
  }
  for (const [name, inner] of propertiesOf(schema)) {
    const isMeta = embedded && ['metadata', 'apiVersion', 'kind'].includes(name);
    const inside = {
      ...place,
      insideMeta: place.insideMeta || isMeta,
      surround: (value: Json) => place.surround({ [name]: value }),
    };
    walk(inner, inside, requirePruned, path.child('properties').key(name), budget, errors);
  }
}

function checkOne(
  schema: JsonSchema,
  place: Place,
  requirePruned: boolean,
  path: FieldPath,
  budget: RuleBudget,
  errors: FieldError[],
): void {
  const value = schema.default as Json;
  if (!place.insideMeta && requirePruned && !isPruned(schema)) {
    errors.push(invalid(path, value, 'must not have unknown fields'));
  }
  const found = place.insideMeta ? metadataErrors(place, value, path) : embeddedErrors(schema, value, path);
  if (found.length === 0) compileSchema(schema).validate(value as never, path, found);
  if (found.length === 0) checkDefaultByRules(schema, place.resource === schema, path, budget, found);
  for (const error of found) errors.push(error);
}

function isPruned(schema: JsonSchema): boolean {
  const value = schema.default as Json;
  return equalJson(pruneValue(pruneNode(schema, { nulls: true }), value, undefined), value);
}

function embeddedErrors(schema: JsonSchema, value: Json, path: FieldPath): FieldError[] {
  const node = embeddedNode(schema);
  const errors: FieldError[] = [];
  if (!node) return errors;
  const copy = cloneJson(value);
  const problem = coercionProblem(schema, copy);
  if (problem !== undefined) errors.push(invalid(path, value, problem));
  else checkEmbedded(node, copy, path, errors, validateEmbeddedMetadata);
  return errors;
}

function metadataErrors({ resource, surround }: Place, value: Json, path: FieldPath): FieldError[] {
  const object = surround(cloneJson(value));
  const problem = coercionProblem(resource, object);
  if (problem !== undefined) return [invalid(path, value, `must result in valid metadata: ${problem}`)];
  const found: FieldError[] = [];
  const node = embeddedNode(resource);
  if (node) checkEmbedded(node, object, FieldPath.root, found, validateEmbeddedMetadata);
  if (found.length === 0) return [];
  const texts = [...new Set(found.map(fieldErrorMessage))];
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return [invalid(path, value, `must result in valid metadata: ${all}`)];
}

function coercionProblem(schema: JsonSchema, value: Json): string | undefined {
  const node = embeddedNode(schema);
  if (!node) return undefined;
  try {
    coerceEmbedded(node, value, FieldPath.root, undefined, false);
    return undefined;
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    return error.message;
  }
}

/** Whether a schema, stored before that was refused, has defaults with unknown fields. (schemaHasUnprunedDefaults) */
export function hasUnprunedDefaults(schema: JsonSchema): boolean {
  if (!schemaSome(schema, hasDefault) || !isStructural(schema)) return false;
  return schemaSome(schema, (inner) => hasDefault(inner) && !isPruned(inner));
}
