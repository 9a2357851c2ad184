import type { CelSchemaContext } from '../../../cel/rules/schema-context.ts';
import { validateRuleFields } from '../../../cel/rules/schema-context.ts';
import { memberOrDropped } from '../../../machinery/prune/dropped-values.ts';
import { itemSchema, type JsonSchema } from '../../../machinery/schema/json-schema.ts';
import { Field } from '../../../machinery/validation/field.ts';
import type { FieldError } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { propertiesOf } from '../../../structural/schema/nodes.ts';
import { validateListTypes } from './list-types.ts';
import { type SchemaValidationOptions, schemaTypes } from './options.ts';

/** The place of a schema, and the consequences of the schemas around it. */
interface SchemaContext {
  readonly path: FieldPath;
  readonly isRoot: boolean;
  /** Undefined if defaults are allowed. */
  readonly disallowDefaultsReason: string | undefined;
  /** Inside kind, apiVersion or metadata of a resource. */
  readonly insideResourceMeta: boolean;
  /**
   * The nearest schema above whose values cannot be correlated with old values. Rules below it must not use oldSelf.
   */
  readonly uncorrelatable: FieldPath | undefined;
  /** Undefined if CEL rules cannot be compiled. */
  readonly cel: CelSchemaContext | undefined;
}

export interface OpenAPISchemaErrorList {
  readonly schemaErrors: FieldError[];
  /** Errors of rules. Rules are compiled only if neither their schema nor a schema below it has other errors. */
  readonly celErrors: FieldError[];
}

/**
 * Validates every schema of a version by itself. (ValidateCustomResourceDefinitionOpenAPISchema)
 *
 * @param cel undefined if CEL rules cannot be compiled
 */
export function validateCustomResourceDefinitionOpenAPISchema(
  schema: JsonSchema,
  options: SchemaValidationOptions,
  path: FieldPath,
  cel: CelSchemaContext | undefined,
): OpenAPISchemaErrorList {
  return new OpenAPISchemaValidator(options).validate(schema, {
    path,
    cel,
    isRoot: true,
    insideResourceMeta: false,
    disallowDefaultsReason: undefined,
    uncorrelatable: undefined,
  });
}

const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** Rules that are too expensive are forbidden; all other problems of a rule make it invalid. */
const isCostError = ({ type }: FieldError): boolean => type === 'FieldValueForbidden';

class OpenAPISchemaValidator {
  readonly #options: SchemaValidationOptions;

  constructor(options: SchemaValidationOptions) {
    this.#options = options;
  }

  validate(schema: JsonSchema, context: SchemaContext): OpenAPISchemaErrorList {
    const list: OpenAPISchemaErrorList = { schemaErrors: [], celErrors: [] };
    const field = Field.at(context.path, list.schemaErrors);
    const nested: SchemaContext = { ...context, isRoot: false };
    this.#validateStandard(schema, context, field);
    this.#validateAdditionalProperties(schema, nested, list);
    this.#validateProperties(schema, context, list);
    this.#validateJunctors(schema, { ...nested, cel: undefined }, list);
    this.#validateItems(schema, nested, list);
    if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
      field.child('x-kubernetes-preserve-unknown-fields').invalid(false, 'must be true or undefined');
    }
    validateListTypes(schema, this.#options, field);
    this.#validateRules(schema, context, list);
    return list;
  }

  /** (specStandardValidatorV3) */
  #validateStandard(schema: JsonSchema, context: SchemaContext, field: Field): void {
    const forbid = (name: string, detail: string): void => field.child(name).forbidden(detail);
    if (this.#options.requireValidPropertyType && schema.type && !schemaTypes.includes(schema.type)) {
      field.child('type').notSupported(schema.type, schemaTypes);
    }
    if (context.disallowDefaultsReason !== undefined && (schema.default ?? null) !== null) {
      forbid('default', `must not be set ${context.disallowDefaultsReason}`);
    }
    if (schema.id) forbid('id', 'id is not supported');
    if (schema.additionalItems !== undefined) forbid('additionalItems', 'additionalItems is not supported');
    for (const name of ['patternProperties', 'definitions'] as const) {
      if (Object.keys(schema[name] ?? {}).length > 0) forbid(name, `${name} is not supported`);
    }
    if (memberOrDropped(schema, 'dependencies') !== undefined) forbid('dependencies', 'dependencies is not supported');
    if (schema.$ref !== undefined) forbid('$ref', '$ref is not supported');
    if (schema.type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
    if (Array.isArray(schema.items) && schema.items.length > 0) {
      forbid('items', 'items must be a schema object and not an array');
    }
    if (context.insideResourceMeta && schema['x-kubernetes-embedded-resource']) {
      forbid('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
    }
    if (schema.uniqueItems) {
      forbid('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
    }
  }

  #validateAdditionalProperties(schema: JsonSchema, context: SchemaContext, list: OpenAPISchemaErrorList): void {
    const { additionalProperties } = schema;
    if (additionalProperties === undefined) return;
    const field = Field.at(context.path.child('additionalProperties'), list.schemaErrors);
    if (additionalProperties !== true && Object.keys(schema.properties ?? {}).length > 0) {
      field.forbidden('additionalProperties and properties are mutual exclusive');
    }
    if (typeof additionalProperties !== 'object') return;
    const disallowDefaultsReason = context.insideResourceMeta
      ? 'inside additionalProperties applying to object metadata'
      : context.disallowDefaultsReason;
    const cel = context.cel?.additionalProperties(additionalProperties);
    const path: FieldPath = field;
    append(list, this.validate(additionalProperties, { ...context, path, disallowDefaultsReason, cel }));
  }

  #validateProperties(schema: JsonSchema, context: SchemaContext, list: OpenAPISchemaErrorList): void {
    const { path, isRoot, cel } = context;
    const isCorrelatable = ['granular', 'atomic'].includes(schema['x-kubernetes-map-type'] ?? 'granular');
    const uncorrelatable = context.uncorrelatable ?? (isCorrelatable ? undefined : path);
    for (const [name, property] of propertiesOf(schema)) {
      const isMeta = (isRoot || schema['x-kubernetes-embedded-resource'] === true) && metaFields.has(name);
      const errors = this.validate(property, {
        path: path.child('properties').key(name),
        isRoot: false,
        disallowDefaultsReason: isMeta && isRoot ? `in top-level ${name}` : context.disallowDefaultsReason,
        insideResourceMeta: context.insideResourceMeta || isMeta,
        uncorrelatable,
        cel: cel?.property(property, name),
      });
      append(list, errors);
    }
  }

  #validateJunctors(schema: JsonSchema, context: SchemaContext, list: OpenAPISchemaErrorList): void {
    const { path } = context;
    const { not, allOf = [], oneOf = [], anyOf = [] } = schema;
    const validate = (nested: JsonSchema, nestedPath: FieldPath): void =>
      append(list, this.validate(nested, { ...context, path: nestedPath }));
    if (not) validate(not, path.child('not'));
    for (const [name, schemas] of Object.entries({ allOf, oneOf, anyOf })) {
      for (const [index, nested] of schemas.entries()) validate(nested, path.child(name).index(index));
    }
    for (const [name, nested] of Object.entries(schema.definitions ?? {})) {
      validate(nested, path.child('definitions').key(name));
    }
    for (const [name, nested] of Object.entries(schema.dependencies ?? {})) {
      // null if it is neither a schema nor a list
      if (nested && !isStringList(nested)) validate(nested, path.child('dependencies').key(name));
    }
  }

  #validateItems(schema: JsonSchema, context: SchemaContext, list: OpenAPISchemaErrorList): void {
    const { path, cel } = context;
    const isMap = schema['x-kubernetes-list-type'] === 'map';
    const uncorrelatable = context.uncorrelatable ?? (isMap ? undefined : path);
    const validate = (items: JsonSchema, itemsPath: FieldPath): void =>
      append(list, this.validate(items, { ...context, path: itemsPath, uncorrelatable, cel: cel?.items(items) }));
    const items = itemSchema(schema);
    if (items) validate(items, path.child('items'));
    if (!Array.isArray(schema.items)) return;
    for (const [index, one] of (schema.items as readonly JsonSchema[]).entries()) {
      validate(one, path.child('items').index(index));
    }
  }

  #validateRules(schema: JsonSchema, { path, cel, uncorrelatable }: SchemaContext, list: OpenAPISchemaErrorList): void {
    if ((schema['x-kubernetes-validations'] ?? []).length === 0) return;
    for (const error of validateRuleFields(schema, path)) list.schemaErrors.push(error);
    if (list.schemaErrors.length > 0 || !cel) return;
    for (const error of cel.check(path, uncorrelatable)) {
      if (!this.#options.suppressPerExpressionCost || !isCostError(error)) list.celErrors.push(error);
    }
  }
}

function append(list: OpenAPISchemaErrorList, { schemaErrors, celErrors }: OpenAPISchemaErrorList): void {
  for (const error of schemaErrors) list.schemaErrors.push(error);
  for (const error of celErrors) list.celErrors.push(error);
}

const isStringList = (value: JsonSchema | readonly string[]): value is readonly string[] => Array.isArray(value);
