import type { Json } from '../object.ts';

/**
 * A schema in a CustomResourceDefinition: apiextensions.k8s.io/v1 JSONSchemaProps in its JSON shape. Pruning,
 * defaulting, validation and the types of CEL all read this form.
 */
export interface JsonSchema {
  readonly description?: string;
  readonly title?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: Json;
  readonly example?: Json;
  readonly nullable?: boolean;
  readonly enum?: readonly Json[];
  readonly maximum?: number | bigint;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number | bigint;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number | bigint;
  readonly maxLength?: number | bigint;
  readonly minLength?: number | bigint;
  readonly pattern?: string;
  readonly maxItems?: number | bigint;
  readonly minItems?: number | bigint;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number | bigint;
  readonly minProperties?: number | bigint;
  readonly required?: readonly string[];
  /** Null is how Go writes a value that is neither a schema nor a list. */
  readonly items?: JsonSchema | readonly JsonSchema[] | null;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  /** Present only to be rejected: a structural schema has none of these members. */
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly dependencies?: Readonly<Record<string, JsonSchema | readonly string[]>>;
  readonly additionalItems?: JsonSchema | boolean;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  /** Only in kinds of a program's own groups: a CustomResourceDefinition has no strategic merge patch. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** One CEL rule. (apiextensions.k8s.io/v1 ValidationRule) */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  /** Default: FieldValueInvalid. */
  readonly reason?: string;
  /** The path of the error relative to the schema, as `.spec.replicas`. */
  readonly fieldPath?: string;
  /** The rule also runs on creation, with an optional oldSelf. */
  readonly optionalOldSelf?: boolean;
}

/**
 * Returns the schema of a list's items. Returns undefined without one, or if each position has its own, which no
 * structural schema allows.
 */
export const itemSchema = (schema: JsonSchema): JsonSchema | undefined =>
  Array.isArray(schema.items) ? undefined : ((schema.items as JsonSchema | null | undefined) ?? undefined);

/** Returns the schema of members that `properties` does not name. */
export const valueSchema = (schema: JsonSchema): JsonSchema | undefined =>
  typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
