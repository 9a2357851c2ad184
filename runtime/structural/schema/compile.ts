import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { shareEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import { quote } from '../../machinery/go/quote.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject, KubeObject, ObjectMeta } from '../../machinery/object.ts';
import type { PruneContext } from '../../machinery/prune/context.ts';
import { Correlation } from '../../machinery/schema/correlation.ts';
import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import { Field } from '../../machinery/validation/field.ts';
import { type FieldError, type FieldErrorType, invalid } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';

import { applyDefaults, type DefaultNode, defaultNode } from './defaults.ts';
import {
  checkEmbedded,
  coerceEmbedded,
  type EmbeddedNode,
  embeddedNode,
  type MetadataCheck,
  readMetadataAt,
} from './embedded.ts';
import { explain } from './explain.ts';
import { isValid } from './is-valid.ts';
import { checkListTypes, type ListTypeNode, listTypeNode } from './list-types.ts';
import { type SchemaNode, schemaNode } from './nodes.ts';
import { salvageObjectMeta } from './object-meta.ts';
import { fieldErrors } from './problems.ts';
import { type PruneNode, pruneNode, pruneObject, UnknownFields } from './prune.ts';
import { checkScaleSpec, checkScaleStatus, type ScalePaths } from './scale.ts';
import { schemaSome } from './visit.ts';

/** The CEL rules of a schema. They are compiled by another room of this floor, and handed over. */
export interface SchemaRules {
  /** Appends what the rules refuse; `old` is undefined for a new object. Throws nothing but EventLoopBudgetError. */
  validate(object: Json, old: Json | undefined, path: FieldPath, errors: FieldError[]): void;
}

export interface SchemaOptions {
  readonly scale?: ScalePaths;
  /** Absent: rules are not run. */
  readonly rules?: SchemaRules;
  /** The rules of metadata for embedded resources. Absent: only the types of its fields are checked. */
  readonly validateMetadata?: MetadataCheck;
}

/** What a schema, known only at run time, does to the objects of a custom resource. */
export interface CompiledSchema {
  readonly schema: JsonSchema;
  /** There are rules somewhere in the schema. */
  readonly usesRules: boolean;
  /** There are defaults somewhere; if not, setDefaults does nothing. */
  readonly usesDefaults: boolean;
  /**
   * A copy of a body with what the schema knows: metadata as ObjectMeta holds it, embedded metadata too, nulls gone
   * that may not be and have no default. kind, apiVersion and metadata come first. Unknown fields are told in
   * `context.strictErrors` when the context collects them.
   *
   * @throws DecodeError where metadata, kind or apiVersion have the wrong type
   */
  prune(value: unknown, context: PruneContext): KubeObject;
  /** The same for what is stored, whose schema may have been another: what has the wrong type in metadata goes. */
  pruneStored(value: unknown): KubeObject;
  /** Fills in defaults, in place. */
  setDefaults(object: KubeObject): void;
  /** For a new object. `errors` holds what is wrong with its metadata: rules do not run on objects that are broken. */
  validate(object: KubeObject, path: FieldPath, errors: FieldError[]): void;
  /** For a replaced object, in place of `validate`: what is wrong and did not change is let through. */
  validateUpdate(object: KubeObject, old: KubeObject, path: FieldPath, errors: FieldError[]): void;
  /** For a replaced status, in place of the two: the schema is asked of the status only. */
  validateStatusUpdate(object: KubeObject, old: KubeObject, errors: FieldError[]): void;
}

/** Prepares a schema. No schema is one that knows no fields. Each part is prepared when it is first needed. */
export function compileSchema(schema: JsonSchema | undefined, options: SchemaOptions = {}): CompiledSchema {
  return new StructuralSchema(schema ?? {}, options);
}

/** The causes after which rules are not run. (pkg/registry/customresource/strategy.go hasBlockingErr) */
const blocking: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const metadataPath = FieldPath.of('metadata');

const notChecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

class StructuralSchema implements CompiledSchema {
  readonly schema: JsonSchema;
  readonly #options: SchemaOptions;
  readonly #embedded: EmbeddedNode | undefined;
  readonly #listTypes: ListTypeNode | undefined;
  #usesRules: boolean | undefined;
  #defaults: DefaultNode | undefined | null = null;
  #prune: PruneNode | undefined;
  #node: SchemaNode | undefined;

  constructor(schema: JsonSchema, options: SchemaOptions) {
    this.schema = schema;
    this.#options = options;
    this.#embedded = embeddedNode(schema);
    this.#listTypes = listTypeNode(schema);
  }

  get usesRules(): boolean {
    this.#usesRules ??= schemaSome(this.schema, (inner) => (inner['x-kubernetes-validations'] ?? []).length > 0);
    return this.#usesRules;
  }

  get usesDefaults(): boolean {
    return this.#defaultNode !== undefined;
  }

  get #defaultNode(): DefaultNode | undefined {
    if (this.#defaults === null) this.#defaults = defaultNode(this.schema);
    return this.#defaults;
  }

  get #validation(): SchemaNode {
    this.#node ??= schemaNode(this.schema);
    return this.#node;
  }

  prune(value: unknown, context: PruneContext): KubeObject {
    const input = asObject(value);
    const inMetadata: string[] | undefined = context.collectUnknown ? [] : undefined;
    const metadata = Object.hasOwn(input, 'metadata') ? readMetadataAt(input.metadata, metadataPath, inMetadata) : {};
    for (const name of ['kind', 'apiVersion']) {
      if (Object.hasOwn(input, name) && input[name] !== null && typeof input[name] !== 'string') {
        throw new DecodeError(`.${name} accessor error: must be a string`);
      }
    }
    const unknown = context.collectUnknown ? new UnknownFields() : undefined;
    const object = this.#prunedRoot(input, metadata, unknown);
    const inEmbedded: string[] | undefined = unknown && [];
    if (this.#embedded) coerceEmbedded(this.#embedded, object as JsonObject, FieldPath.root, { unknown: inEmbedded });
    for (const path of [...(inMetadata ?? []), ...(unknown?.sorted() ?? []), ...(inEmbedded?.sort() ?? [])]) {
      context.strictErrors.push(`unknown field ${quote(path)}`);
    }
    return object;
  }

  pruneStored(value: unknown): KubeObject {
    const input = asObject(value);
    const object = this.#prunedRoot(input, salvageObjectMeta(input.metadata) ?? {}, undefined);
    if (this.#embedded) coerceEmbedded(this.#embedded, object as JsonObject, FieldPath.root, { salvage: true });
    return object;
  }

  #prunedRoot(input: JsonObject, metadata: ObjectMeta, unknown: UnknownFields | undefined): KubeObject {
    this.#prune ??= pruneNode(this.schema, { root: true });
    const node = this.#prune;
    const fields = pruneObject(node, input, unknown, node.preserve);
    const object: KubeObject = { metadata };
    if (typeof input.kind === 'string' || typeof input.apiVersion === 'string') {
      const { kind, apiVersion } = input;
      return withFields(
        { ...(kind ? { kind } : {}), ...(apiVersion ? { apiVersion } : {}), metadata } as KubeObject,
        fields,
      );
    }
    return withFields(object, fields);
  }

  setDefaults(object: KubeObject): void {
    const node = this.#defaultNode;
    if (node) applyDefaults(node, object as unknown as Json);
  }

  validate(object: KubeObject, path: FieldPath, errors: FieldError[]): void {
    shareEventLoopBudget(() => this.#validate(object, path, errors));
  }

  #validate(object: KubeObject, path: FieldPath, errors: FieldError[]): void {
    this.#checkSchema(object, undefined, path, errors);
    this.#checkScale(object, errors);
    this.#checkEmbedded(object, path, errors);
    if (this.#listTypes) checkListTypes(this.#listTypes, object as unknown as Json, path, errors);
    this.#runRules(object, undefined, path, errors);
  }

  validateUpdate(object: KubeObject, old: KubeObject, path: FieldPath, errors: FieldError[]): void {
    shareEventLoopBudget(() => this.#validateUpdate(object, old, path, errors));
  }

  #validateUpdate(object: KubeObject, old: KubeObject, path: FieldPath, errors: FieldError[]): void {
    this.#checkSchema(object, old, path, errors);
    this.#checkScale(object, errors);
    this.#checkEmbedded(object, path, errors);
    this.#checkListsOfUpdate(object, old, path, errors);
    this.#runRules(object, old, path, errors);
  }

  validateStatusUpdate(object: KubeObject, old: KubeObject, errors: FieldError[]): void {
    shareEventLoopBudget(() => this.#validateStatusUpdate(object, old, errors));
  }

  #validateStatusUpdate(object: KubeObject, old: KubeObject, errors: FieldError[]): void {
    const status = this.#validation.properties?.get('status');
    if (status && Object.hasOwn(object, 'status') && !isValid(status, object.status)) {
      const correlation = new Correlation(object as unknown as Json, old as unknown as Json, this.schema).key('status');
      fieldErrors(explain(status, object.status, '', correlation).problems, FieldPath.of('status'), errors);
    }
    if (this.#options.scale) checkScaleStatus(this.#options.scale, object as JsonObject, errors);
    this.#checkListsOfUpdate(object, old, FieldPath.root, errors);
    this.#runRules(object, old, FieldPath.root, errors);
  }

  #checkSchema(object: KubeObject, old: KubeObject | undefined, path: FieldPath, errors: FieldError[]): void {
    const value = object as unknown as Json;
    if (isValid(this.#validation, value)) return;
    const correlation = old && new Correlation(value, old as unknown as Json, this.schema);
    fieldErrors(explain(this.#validation, value, '', correlation).problems, path, errors);
  }

  #checkScale(object: KubeObject, errors: FieldError[]): void {
    const { scale } = this.#options;
    if (!scale) return;
    checkScaleSpec(scale, object as JsonObject, errors);
    checkScaleStatus(scale, object as JsonObject, errors);
  }

  #checkEmbedded(object: KubeObject, path: FieldPath, errors: FieldError[]): void {
    if (!this.#embedded) return;
    checkEmbedded(this.#embedded, object as JsonObject, Field.at(path, errors), this.#options.validateMetadata);
  }

  /** Repeated items are let through where there were such before. */
  #checkListsOfUpdate(object: KubeObject, old: KubeObject, path: FieldPath, errors: FieldError[]): void {
    if (!this.#listTypes) return;
    const found: FieldError[] = [];
    checkListTypes(this.#listTypes, object as unknown as Json, path, found);
    if (found.length === 0) return;
    const before: FieldError[] = [];
    checkListTypes(this.#listTypes, old as unknown as Json, path, before);
    if (before.length === 0) for (const error of found) errors.push(error);
  }

  #runRules(object: KubeObject, old: KubeObject | undefined, path: FieldPath, errors: FieldError[]): void {
    const { rules } = this.#options;
    if (!rules || !this.usesRules) return;
    if (errors.some(({ type }) => blocking.has(type))) errors.push(invalid(FieldPath.root, null, notChecked));
    else rules.validate(object as unknown as Json, old as unknown as Json | undefined, path, errors);
  }
}

function asObject(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new DecodeError('a custom resource must be an object');
}

/** The other fields behind what every object has. */
function withFields(object: KubeObject, fields: JsonObject): KubeObject {
  for (const name in fields) {
    if (name === '__proto__') {
      Object.defineProperty(object, name, {
        value: fields[name],
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else object[name] = fields[name];
  }
  return object;
}
