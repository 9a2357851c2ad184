import { celRules } from '../cel/rules/schema-rules.ts';
import type { GroupVersionKind } from '../machinery/gvk.ts';
import { defined } from '../machinery/json/defined.ts';
import type { KubeObject } from '../machinery/object.ts';
import { type TypeDefinition, typeDefinition } from '../machinery/resource.ts';
import type { JsonSchema } from '../machinery/schema/json-schema.ts';
import { Field } from '../machinery/validation/field.ts';
import { FieldPath } from '../machinery/validation/field-path.ts';
import { validateEmbeddedMetadata } from '../resources/metadata-validation.ts';
import { type CompiledSchema, compileSchema } from '../structural/schema/compile.ts';
import { mergeSchemaOf } from '../structural/schema/merge-schema.ts';

/** A kind of a program's own group without protobuf messages. Its functions are made from overlays. */
export interface SchemaKind<T> extends GroupVersionKind {
  readonly schema: JsonSchema;
  setDefaults?(object: T): void;
  validate?(object: T, field: Field): void;
  validateUpdate?(object: T, old: T, field: Field): void;
}

/**
 * Returns the type of a kind that only its schema describes. It prunes, defaults, validates and merges objects as a
 * CustomResourceDefinition with this schema would.
 */
export function typeBySchema<T>({ group, version, kind, schema, ...overlay }: SchemaKind<T>): TypeDefinition {
  const compiled = compile(schema);
  const type: TypeDefinition = {
    group,
    version,
    kind,
    prune: (value, context) => compiled.prune(value, context),
    setDefaults(object) {
      overlay.setDefaults?.(object as T);
      compiled.setDefaults(object);
    },
    validate(object, field) {
      const before = field.errors.length;
      compiled.validate(object, field, field.errors);
      // rules of overlays expect the types that the schema requires
      if (field.errors.length === before) overlay.validate?.(object as T, field);
    },
    ...defined({ validateUpdate: overlay.validateUpdate as TypeDefinition['validateUpdate'] }),
    merge: mergeSchemaOf(schema),
    schema,
  };
  return withReplacement(type, compiled, (object, field) => overlay.validate?.(object as T, field));
}

/** Returns a type that decodes objects itself, as protobuf messages require, and also validates them by a schema. */
export function typeWithSchema<T>(own: TypeDefinition<T>, schema: JsonSchema): TypeDefinition {
  const compiled = compile(schema);
  const type = typeDefinition(own);
  const validate = (object: KubeObject, field: Field): void => type.validate(object, field);
  return withReplacement(
    {
      ...type,
      schema,
      validate(object, field) {
        validate(object, field);
        compiled.validate(object, field, field.errors);
      },
    },
    compiled,
    validate,
  );
}

const compile = (schema: JsonSchema): CompiledSchema =>
  compileSchema(schema, { rules: celRules(schema), validateMetadata: validateEmbeddedMetadata });

/** Tolerates errors of the schema in unchanged values. Other errors are not tolerated. */
function withReplacement(
  type: TypeDefinition,
  compiled: CompiledSchema,
  validate: (object: KubeObject, field: Field) => void,
): TypeDefinition {
  return {
    ...type,
    validateReplacement(object, old, part, findings) {
      const before = findings.errors.length;
      if (part === 'status') compiled.validateStatusUpdate(object, old, findings);
      else compiled.validateUpdate(object, old, findings);
      if (findings.errors.length > before) return;
      const field = Field.at(FieldPath.root, findings.errors);
      validate(object, field);
      if (part !== 'all') type.validateUpdate?.(object, old, field);
    },
  };
}
