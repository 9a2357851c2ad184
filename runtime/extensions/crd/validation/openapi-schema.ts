import { itemSchema, type JsonSchema } from '../../../machinery/schema/json-schema.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { propertiesOf } from '../../../structural/schema/nodes.ts';
import { validateListTypes } from './list-types.ts';
import { type SchemaValidationOptions, schemaTypes } from './options.ts';
import { type CelSchemaContext, validateRuleFields } from './rules.ts';

/** What the schemas around one mean for it. */
interface Surroundings {
  readonly isRoot: boolean;
  /** Undefined where defaults are allowed. */
  readonly noDefaults: string | undefined;
  /** Inside kind, apiVersion or metadata of a resource. */
  readonly insideMeta: boolean;
  /** The nearest schema above whose values have no old value of their own: rules below may not ask for it. */
  readonly uncorrelatable: FieldPath | undefined;
}

export interface OpenAPISchemaErrorList {
  readonly schemaErrors: FieldError[];
  /** Rules of a schema are only compiled when neither it nor one below has other errors. */
  readonly ruleErrors: FieldError[];
}

/**
 * Every schema of a version, for itself. (ValidateCustomResourceDefinitionOpenAPISchema)
 *
 * @param context of the rules; undefined where they cannot be compiled
 */
export function validateCustomResourceDefinitionOpenAPISchema(
  schema: JsonSchema,
  options: SchemaValidationOptions,
  path: FieldPath,
  context: CelSchemaContext | undefined,
): OpenAPISchemaErrorList {
  const root = { isRoot: true, noDefaults: undefined, insideMeta: false, uncorrelatable: undefined };
  return new Walk(options).schema(schema, path, root, context);
}

const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** What one rule costs is told as forbidden, all else about it as invalid. */
const isNotOfCost = ({ type }: FieldError): boolean => type !== 'FieldValueForbidden';

class Walk {
  readonly #options: SchemaValidationOptions;

  constructor(options: SchemaValidationOptions) {
    this.#options = options;
  }

  schema(
    schema: JsonSchema,
    path: FieldPath,
    around: Surroundings,
    context: CelSchemaContext | undefined,
  ): OpenAPISchemaErrorList {
    const found: OpenAPISchemaErrorList = { schemaErrors: [], ruleErrors: [] };
    const add = ({ schemaErrors, ruleErrors }: OpenAPISchemaErrorList): void => {
      for (const error of schemaErrors) found.schemaErrors.push(error);
      for (const error of ruleErrors) found.ruleErrors.push(error);
    };
    const errors = found.schemaErrors;
    this.#forbidden(schema, path, around, errors);
    const inner = { ...around, isRoot: false };
    this.#additional(schema, path, inner, context, add, errors);
    this.#properties(schema, path, around, context, add);
    this.#junctors(schema, path, inner, add);
    this.#items(schema, path, inner, context, add);
    if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
      errors.push(invalid(path.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
    }
    validateListTypes(schema, this.#options, path, errors);
    if ((schema['x-kubernetes-validations'] ?? []).length > 0) {
      for (const error of validateRuleFields(schema, path)) errors.push(error);
      if (errors.length === 0 && context) {
        const ruleErrors = context.check(path, around.uncorrelatable);
        for (const error of ruleErrors) {
          if (!this.#options.suppressPerExpressionCost || isNotOfCost(error)) found.ruleErrors.push(error);
        }
      }
    }
    return found;
  }

  /** (specStandardValidatorV3) */
  #forbidden(schema: JsonSchema, path: FieldPath, around: Surroundings, errors: FieldError[]): void {
    const refuse = (name: string, text: string): void => {
      errors.push(forbidden(path.child(name), text));
    };
    if (this.#options.requireValidPropertyType && schema.type && !schemaTypes.includes(schema.type)) {
      errors.push(notSupported(path.child('type'), schema.type, schemaTypes));
    }
    if (around.noDefaults !== undefined && (schema.default ?? null) !== null) {
      refuse('default', `must not be set ${around.noDefaults}`);
    }
    if (schema.id) refuse('id', 'id is not supported');
    if (schema.additionalItems !== undefined) refuse('additionalItems', 'additionalItems is not supported');
    for (const name of ['patternProperties', 'definitions'] as const) {
      if (Object.keys(schema[name] ?? {}).length > 0) refuse(name, `${name} is not supported`);
    }
    if (schema.dependencies !== undefined) refuse('dependencies', 'dependencies is not supported');
    if (schema.$ref !== undefined) refuse('$ref', '$ref is not supported');
    if (schema.type === 'null') refuse('type', 'type cannot be set to null, use nullable as an alternative');
    if (Array.isArray(schema.items) && schema.items.length > 0) {
      refuse('items', 'items must be a schema object and not an array');
    }
    if (around.insideMeta && schema['x-kubernetes-embedded-resource']) {
      refuse('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
    }
    if (schema.uniqueItems) {
      refuse('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
    }
  }

  #additional(
    schema: JsonSchema,
    path: FieldPath,
    inner: Surroundings,
    context: CelSchemaContext | undefined,
    add: (findings: OpenAPISchemaErrorList) => void,
    errors: FieldError[],
  ): void {
    const { additionalProperties } = schema;
    if (additionalProperties === undefined) return;
    const at = path.child('additionalProperties');
    if (additionalProperties !== true && Object.keys(schema.properties ?? {}).length > 0) {
      errors.push(forbidden(at, 'additionalProperties and properties are mutual exclusive'));
    }
    if (typeof additionalProperties !== 'object') return;
    const noDefaults = inner.insideMeta ? 'inside additionalProperties applying to object metadata' : inner.noDefaults;
    const below = context?.additionalProperties(additionalProperties);
    add(this.schema(additionalProperties, at, { ...inner, noDefaults }, below));
  }

  #properties(
    schema: JsonSchema,
    path: FieldPath,
    around: Surroundings,
    context: CelSchemaContext | undefined,
    add: (findings: OpenAPISchemaErrorList) => void,
  ): void {
    const correlates = ['granular', 'atomic'].includes(schema['x-kubernetes-map-type'] ?? 'granular');
    const uncorrelatable = around.uncorrelatable ?? (correlates ? undefined : path);
    for (const [name, property] of propertiesOf(schema)) {
      const isMeta = (around.isRoot || schema['x-kubernetes-embedded-resource'] === true) && metaFields.has(name);
      const inner = {
        isRoot: false,
        noDefaults: isMeta && around.isRoot ? `in top-level ${name}` : around.noDefaults,
        insideMeta: around.insideMeta || isMeta,
        uncorrelatable,
      };
      add(this.schema(property, path.child('properties').key(name), inner, context?.property(property, name)));
    }
  }

  #junctors(
    schema: JsonSchema,
    path: FieldPath,
    inner: Surroundings,
    add: (findings: OpenAPISchemaErrorList) => void,
  ): void {
    const { not, allOf = [], oneOf = [], anyOf = [] } = schema;
    if (not) add(this.schema(not, path.child('not'), inner, undefined));
    for (const [name, list] of Object.entries({ allOf, oneOf, anyOf })) {
      for (const [index, one] of list.entries()) {
        add(this.schema(one, path.child(name).index(index), inner, undefined));
      }
    }
    for (const [name, one] of Object.entries(schema.definitions ?? {})) {
      add(this.schema(one, path.child('definitions').key(name), inner, undefined));
    }
    for (const [name, one] of Object.entries(schema.dependencies ?? {})) {
      if (!Array.isArray(one))
        add(this.schema(one as JsonSchema, path.child('dependencies').key(name), inner, undefined));
    }
  }

  #items(
    schema: JsonSchema,
    path: FieldPath,
    inner: Surroundings,
    context: CelSchemaContext | undefined,
    add: (findings: OpenAPISchemaErrorList) => void,
  ): void {
    const isMap = schema['x-kubernetes-list-type'] === 'map';
    const below = { ...inner, uncorrelatable: inner.uncorrelatable ?? (isMap ? undefined : path) };
    const items = itemSchema(schema);
    if (items) add(this.schema(items, path.child('items'), below, context?.items(items)));
    if (!Array.isArray(schema.items)) return;
    for (const [index, one] of (schema.items as readonly JsonSchema[]).entries()) {
      add(this.schema(one, path.child('items').index(index), below, context?.items(one)));
    }
  }
}
