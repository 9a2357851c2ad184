import { cloneJson } from '../../../machinery/json/clone.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import type { Json } from '../../../machinery/object.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../../machinery/schema/json-schema.ts';
import { perSchema } from '../../../machinery/schema/per-schema.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage, invalid } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { validateEmbeddedMetadata } from '../../../resources/metadata-validation.ts';
import { compileSchema } from '../../../structural/schema/compile.ts';
import { checkEmbedded, embeddedCoercionError, embeddedNode } from '../../../structural/schema/embedded.ts';
import { propertiesOf } from '../../../structural/schema/nodes.ts';
import { pruneNode, pruneValue } from '../../../structural/schema/prune.ts';
import { schemaSome } from '../../../structural/schema/visit.ts';
import { anyJson } from './internal-values.ts';
import { newRuleBudget, validateDefaultByRules } from './rules.ts';
import { isStructural } from './structural.ts';

type Surround = (value: Json) => Json;

/** The place of a default. */
interface DefaultContext {
  /** Inside kind, apiVersion or metadata of a resource, which are validated as a whole. */
  readonly insideMeta: boolean;
  /** The schema of the innermost resource around the default. */
  readonly resource: JsonSchema;
  /** Builds that resource around the default. */
  readonly surround: Surround;
}

const typeMeta = { kind: 'Validation', apiVersion: 'validation/v1' };

/** Adds apiVersion, kind and metadata. Other values are left to the validation of their type. */
const asResource: Surround = (value) => (isJsonObject(value) ? { ...typeMeta, ...value } : value);

/**
 * Requires that each default of a structural schema is valid by its schema and, if `requirePruned`, has no unknown
 * fields. (pkg/apiserver/schema/defaulting/validation.go)
 */
export function validateDefaults(schema: JsonSchema, requirePruned: boolean, field: Field): void {
  if (schemaSome(schema, hasDefault)) new DefaultValidator(requirePruned).validateRoot(schema, field);
}

/**
 * Returns the schema that defaults are validated by, in which integers or strings are of any type, and lists have no types.
 * (pkg/apiserver/schema/kubeopenapi.go ToKubeOpenAPI)
 */
const openApiSchema: (schema: JsonSchema) => JsonSchema = perSchema((schema) => {
  const { 'x-kubernetes-int-or-string': _either, 'x-kubernetes-list-type': _list, 'x-kubernetes-list-map-keys': _keys, ...rest } = schema;
  const items = itemSchema(schema);
  const values = valueSchema(schema);
  const properties = propertiesOf(schema);
  return {
    ...rest,
    ...(items === undefined ? {} : { items: openApiSchema(items) }),
    ...(values === undefined ? {} : { additionalProperties: openApiSchema(values) }),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties.map(([name, inner]) => [name, openApiSchema(inner)])) }),
  };
});

const hasDefault = (schema: JsonSchema): boolean => (schema.default ?? null) !== null;

class DefaultValidator {
  readonly #requirePruned: boolean;
  readonly #budget = newRuleBudget();

  constructor(requirePruned: boolean) {
    this.#requirePruned = requirePruned;
  }

  validateRoot(schema: JsonSchema, field: Field): void {
    const root = { ...schema, 'x-kubernetes-embedded-resource': true };
    this.#validate(root, { insideMeta: false, resource: root, surround: asResource }, field);
  }

  #validate(schema: JsonSchema, outer: DefaultContext, field: Field): void {
    if (this.#budget.left < 0) return;
    const embedded = schema['x-kubernetes-embedded-resource'] === true;
    const context = embedded ? { insideMeta: false, resource: schema, surround: asResource } : outer;
    if (hasDefault(schema)) this.#validateDefault(schema, context, field.child('default'));
    const items = itemSchema(schema);
    if (items) {
      const itemContext = { ...context, surround: (value: Json) => context.surround([value]) };
      this.#validate(items, itemContext, field.child('items'));
    }
    for (const [name, property] of propertiesOf(schema)) {
      const isMeta = embedded && ['metadata', 'apiVersion', 'kind'].includes(name);
      const propertyContext = {
        ...context,
        insideMeta: context.insideMeta || isMeta,
        surround: (value: Json) => context.surround({ [name]: value }),
      };
      this.#validate(property, propertyContext, field.child('properties').key(name));
    }
  }

  #validateDefault(schema: JsonSchema, context: DefaultContext, field: Field): void {
    const value = schema.default as Json;
    const hasUnknown = !context.insideMeta && this.#requirePruned && !isPruned(schema);
    const found = context.insideMeta ? metadataErrors(context, value, field) : embeddedErrors(schema, value, field);
    // upstream shows the value when it has been reduced
    if (hasUnknown) field.invalid(anyJson(value), 'must not have unknown fields');
    if (found.length === 0) compileSchema(openApiSchema(schema)).validate(value as never, field, found);
    if (found.length === 0) {
      validateDefaultByRules(schema, context.resource === schema, Field.at(field, found), this.#budget);
    }
    for (const error of found) field.errors.push(error);
  }
}

function isPruned(schema: JsonSchema): boolean {
  const value = schema.default as Json;
  return equalJson(pruneValue(pruneNode(schema, { nulls: 'all' }), value, undefined), value);
}

/** Reduces the metadata of embedded resources in the default itself. The definition is stored in this form. */
function embeddedErrors(schema: JsonSchema, value: Json, path: FieldPath): FieldError[] {
  const node = embeddedNode(schema);
  if (!node) return [];
  const problem = embeddedCoercionError(node, value, path);
  if (problem !== undefined) return [problem];
  const errors: FieldError[] = [];
  checkEmbedded(node, value, Field.at(path, errors), validateEmbeddedMetadata);
  return errors;
}

function metadataErrors({ resource, surround }: DefaultContext, value: Json, path: FieldPath): FieldError[] {
  const object = surround(cloneJson(value));
  const node = embeddedNode(resource);
  if (!node) return [];
  const problem = embeddedCoercionError(node, object, FieldPath.root);
  const found: FieldError[] = problem === undefined ? [] : [problem];
  if (problem === undefined) checkEmbedded(node, object, Field.at(FieldPath.root, found), validateEmbeddedMetadata);
  if (found.length === 0) return [];
  const messages = [...new Set(found.map(fieldErrorMessage))];
  const message = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  return [invalid(path, anyJson(value), `must result in valid metadata: ${message}`)];
}

/** Reports whether a stored schema has defaults with unknown fields. (schemaHasUnprunedDefaults) */
export function hasUnprunedDefaults(schema: JsonSchema): boolean {
  if (!schemaSome(schema, hasDefault) || !isStructural(schema)) return false;
  return schemaSome(schema, (inner) => hasDefault(inner) && !isPruned(inner));
}
