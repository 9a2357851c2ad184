import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { shareEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import { quote } from '../../machinery/go/quote.ts';
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '../../machinery/gvk.ts';
import { isJsonObject, memberOf } from '../../machinery/json/values.ts';
import {
  fromUnstructured,
  type Json,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
  unstructuredContent,
} from '../../machinery/object.ts';
import type { PruneContext } from '../../machinery/prune/context.ts';
import type { Findings } from '../../machinery/resource.ts';
import { Correlation } from '../../machinery/schema/correlation.ts';
import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import { Field } from '../../machinery/validation/field.ts';
import { type FieldError, type FieldErrorType, invalid } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';

import { applyDefaults, type DefaultNode, defaultNode, lacksDefaults } from './defaults.ts';
import {
  checkEmbedded,
  coerceEmbedded,
  type EmbeddedNode,
  embeddedNode,
  getObjectMetaAt,
  isCoerced,
  type MetadataCheck,
  withOwnEmbedded,
} from './embedded.ts';
import { explain } from './explain.ts';
import { isValid } from './is-valid.ts';
import { checkListTypes, type ListTypeNode, listTypeNode } from './list-types.ts';
import { type SchemaNode, schemaNode } from './nodes.ts';
import { getObjectMetaDroppingInvalid } from './object-meta.ts';
import { fieldErrors } from './problems.ts';
import { type PruneNode, pruneNode, pruneObject, UnknownFields } from './prune.ts';
import { checkScaleSpec, checkScaleStatus, type ScalePaths } from './scale.ts';
import { schemaSome } from './visit.ts';

/** The CEL rules of a schema. runtime/cel compiles them. */
export interface SchemaRules {
  /** Appends the findings of the rules. `old` is undefined for a new object. Throws only EventLoopBudgetError. */
  validate(object: Json, old: Json | undefined, path: FieldPath, findings: Findings): void;
}

export interface SchemaOptions {
  /**
   * The type of the objects. Objects of another group or kind are not pruned. Objects of another kind or version skip
   * the schema, but not the checks of embedded resources, lists and rules. Default: any
   */
  readonly gvk?: GroupVersionKind;
  readonly scale?: ScalePaths;
  /** Undefined: no rules run. */
  readonly rules?: SchemaRules;
  /** Validates the metadata of embedded resources. Default: only the types of its fields are checked. */
  readonly validateMetadata?: MetadataCheck;
}

/** Compiles a schema; undefined has no fields. Each part compiles on first use. */
export function compileSchema(schema: JsonSchema | undefined, options: SchemaOptions = {}): CompiledSchema {
  return new CompiledSchema(schema ?? {}, options);
}

/** Errors after which rules do not run. (pkg/registry/customresource/strategy.go hasBlockingErr) */
const blocking: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const metadataPath = FieldPath.of('metadata');

/** New objects get no warnings. */
const noWarning = (): void => undefined;

const notChecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** A custom resource's schema, ready for use on objects. */
export class CompiledSchema {
  readonly schema: JsonSchema;
  readonly #options: SchemaOptions;
  readonly #apiVersion: string | undefined;
  readonly #embedded: EmbeddedNode | undefined;
  readonly #listTypes: ListTypeNode | undefined;
  #usesRules: boolean | undefined;
  #defaults: DefaultNode | undefined | null = null;
  #prune: PruneNode | undefined;
  #pruneApplied: PruneNode | undefined;
  #node: SchemaNode | undefined;

  constructor(schema: JsonSchema, options: SchemaOptions) {
    this.schema = schema;
    this.#options = options;
    this.#apiVersion = options.gvk && formatGroupVersion(options.gvk);
    this.#embedded = embeddedNode(schema);
    this.#listTypes = listTypeNode(schema);
  }

  /** Whether any part of the schema has rules. */
  get usesRules(): boolean {
    this.#usesRules ??= schemaSome(this.schema, (inner) => (inner['x-kubernetes-validations'] ?? []).length > 0);
    return this.#usesRules;
  }

  /** Whether any part of the schema has defaults. If not, setDefaults does nothing. */
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

  /**
   * Returns a copy of a body with only the fields of the schema, and of ObjectMeta for metadata, also of embedded
   * resources. Drops nulls that the schema neither allows nor defaults. kind, apiVersion and metadata come first. Adds
   * unknown fields to `context.strictErrors` if the context collects them.
   *
   * @throws DecodeError if metadata, kind or apiVersion have the wrong type
   */
  prune(value: unknown, context: PruneContext): KubeObject {
    const input = asObject(value);
    const inMetadata: string[] | undefined = context.collectUnknown ? [] : undefined;
    const metadata = metadataOf(input, context, inMetadata);
    for (const name of ['kind', 'apiVersion']) {
      if (Object.hasOwn(input, name) && input[name] !== null && typeof input[name] !== 'string') {
        throw new DecodeError(`.${name} accessor error: must be a string`);
      }
    }
    if (this.#isOther(input)) {
      for (const path of inMetadata ?? []) context.strictErrors.push(`unknown field ${quote(path)}`);
      const { kind: _kind, apiVersion: _apiVersion, metadata: _metadata, ...fields } = input;
      return rootObject(input, metadata, fields);
    }
    const unknown = context.collectUnknown ? new UnknownFields() : undefined;
    let object = this.#prunedRoot(input, metadata, unknown, context.keepsNulls);
    const inEmbedded: string[] | undefined = unknown && [];
    // upstream stores what an apply merges as it is
    if (this.#embedded && !context.keepsNulls) {
      // a patch's errors show its input
      object = fromUnstructured(withOwnEmbedded(this.#embedded, unstructuredContent(object)));
      coerceEmbedded(this.#embedded, unstructuredContent(object), FieldPath.root, { unknown: inEmbedded });
    }
    for (const path of [...(inMetadata ?? []), ...(unknown?.sorted() ?? []), ...(inEmbedded?.sort() ?? [])]) {
      context.strictErrors.push(`unknown field ${quote(path)}`);
    }
    return object;
  }

  /** The same for a stored object, whose schema may have been different: drops fields of metadata with the wrong type. */
  pruneStored(value: unknown): KubeObject {
    const input = asObject(value);
    const object = this.#prunedRoot(input, getObjectMetaDroppingInvalid(input.metadata) ?? {}, undefined);
    if (this.#embedded) coerceEmbedded(this.#embedded, unstructuredContent(object), FieldPath.root, { dropInvalidFields: true });
    return object;
  }

  #pruneNode(applied: boolean): PruneNode {
    if (applied) {
      this.#pruneApplied ??= pruneNode(this.schema, { root: true, nulls: 'refused' });
      return this.#pruneApplied;
    }
    this.#prune ??= pruneNode(this.schema, { root: true });
    return this.#prune;
  }

  #prunedRoot(input: JsonObject, metadata: ObjectMeta, unknown: UnknownFields | undefined, applied = false): KubeObject {
    const node = this.#pruneNode(applied);
    return rootObject(input, metadata, pruneObject(node, input, unknown, node.preserve));
  }

  #isOther({ kind, apiVersion }: JsonObject): boolean {
    const { gvk } = this.#options;
    if (gvk === undefined || (kind === gvk.kind && apiVersion === this.#apiVersion)) return false;
    const sent = typeof apiVersion === 'string' ? parseGroupVersion(apiVersion) : undefined;
    return kind !== gvk.kind || sent?.group !== gvk.group;
  }

  /** Fills in defaults, in place. */
  setDefaults(object: KubeObject): void {
    const node = this.#defaultNode;
    if (node) applyDefaults(node, unstructuredContent(object));
  }

  /** Reports whether setDefaults would change the object. */
  lacksDefaults(object: KubeObject): boolean {
    const node = this.#defaultNode;
    return node !== undefined && lacksDefaults(node, unstructuredContent(object));
  }

  /** Reports whether pruneStored would change the metadata of embedded resources. */
  hasUncoercedEmbedded(object: KubeObject): boolean {
    return this.#embedded !== undefined && !isCoerced(this.#embedded, unstructuredContent(object));
  }

  /** Validates a new object. Rules do not run if `errors` already has errors of metadata. */
  validate(object: KubeObject, path: FieldPath, errors: FieldError[]): void {
    shareEventLoopBudget(() => this.#validate(object, path, errors));
  }

  #validate(object: KubeObject, path: FieldPath, errors: FieldError[]): void {
    if (this.#checkTypeMeta(object, errors)) {
      this.#checkSchema(object, undefined, path, errors);
      this.#checkScale(object, errors);
    }
    this.#checkEmbedded(object, path, errors);
    if (this.#listTypes) checkListTypes(this.#listTypes, unstructuredContent(object), path, errors);
    this.#runRules(object, undefined, path, { errors, warn: noWarning });
  }

  /** Validates a replaced object. Errors of unchanged values are ignored. */
  validateUpdate(object: KubeObject, old: KubeObject, findings: Findings): void {
    shareEventLoopBudget(() => this.#validateUpdate(object, old, findings));
  }

  #validateUpdate(object: KubeObject, old: KubeObject, findings: Findings): void {
    const { errors } = findings;
    const path = FieldPath.root;
    if (this.#checkTypeMeta(object, errors)) {
      this.#checkSchema(object, old, path, errors);
      this.#checkScale(object, errors);
    }
    this.#checkEmbedded(object, path, errors);
    this.#checkListsOfUpdate(object, old, path, errors);
    this.#runRules(object, old, path, findings);
  }

  /** Validates a replaced status. Only the status is checked against the schema. */
  validateStatusUpdate(object: KubeObject, old: KubeObject, findings: Findings): void {
    shareEventLoopBudget(() => this.#validateStatusUpdate(object, old, findings));
  }

  #validateStatusUpdate(object: KubeObject, old: KubeObject, findings: Findings): void {
    const { errors } = findings;
    const status = this.#validation.properties?.get('status');
    const content = unstructuredContent(object);
    const value = memberOf(content, 'status');
    if (status && value !== undefined && !isValid(status, value)) {
      const correlation = new Correlation(content, unstructuredContent(old), this.schema).key('status');
      fieldErrors(explain(status, value, '', correlation).problems, FieldPath.of('status'), errors);
    }
    if (this.#options.scale) checkScaleStatus(this.#options.scale, content, errors);
    this.#checkListsOfUpdate(object, old, FieldPath.root, errors);
    this.#runRules(object, old, FieldPath.root, findings);
  }

  /** Checks kind and apiVersion. (pkg/registry/customresource/validator.go ValidateTypeMeta) */
  #checkTypeMeta({ kind = '', apiVersion = '' }: KubeObject, errors: FieldError[]): boolean {
    const { gvk } = this.#options;
    if (gvk === undefined || (kind === gvk.kind && apiVersion === this.#apiVersion)) return true;
    if (kind !== gvk.kind) errors.push(invalid(FieldPath.of('kind'), kind, `must be ${gvk.kind}`));
    if (apiVersion !== this.#apiVersion) {
      errors.push(invalid(FieldPath.of('apiVersion'), apiVersion, `must be ${this.#apiVersion}`));
    }
    return false;
  }

  #checkSchema(object: KubeObject, old: KubeObject | undefined, path: FieldPath, errors: FieldError[]): void {
    const value = unstructuredContent(object);
    if (isValid(this.#validation, value)) return;
    const correlation = old && new Correlation(value, unstructuredContent(old), this.schema);
    fieldErrors(explain(this.#validation, value, '', correlation).problems, path, errors);
  }

  #checkScale(object: KubeObject, errors: FieldError[]): void {
    const { scale } = this.#options;
    if (!scale) return;
    const content = unstructuredContent(object);
    checkScaleSpec(scale, content, errors);
    checkScaleStatus(scale, content, errors);
  }

  #checkEmbedded(object: KubeObject, path: FieldPath, errors: FieldError[]): void {
    if (!this.#embedded) return;
    checkEmbedded(this.#embedded, unstructuredContent(object), Field.at(path, errors), this.#options.validateMetadata);
  }

  /** Ignores duplicate items if the old list has duplicates. */
  #checkListsOfUpdate(object: KubeObject, old: KubeObject, path: FieldPath, errors: FieldError[]): void {
    if (!this.#listTypes) return;
    const found: FieldError[] = [];
    checkListTypes(this.#listTypes, unstructuredContent(object), path, found);
    if (found.length === 0) return;
    const before: FieldError[] = [];
    checkListTypes(this.#listTypes, unstructuredContent(old), path, before);
    if (before.length === 0) for (const error of found) errors.push(error);
  }

  #runRules(object: KubeObject, old: KubeObject | undefined, path: FieldPath, findings: Findings): void {
    const { errors } = findings;
    const { rules } = this.#options;
    if (!rules || !this.usesRules) return;
    if (errors.some(({ type }) => blocking.has(type))) errors.push(invalid(FieldPath.root, null, notChecked));
    else rules.validate(unstructuredContent(object), old && unstructuredContent(old), path, findings);
  }
}

function asObject(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new DecodeError('a custom resource must be an object');
}

function metadataOf(input: JsonObject, { keepsNulls }: PruneContext, unknown: string[] | undefined): ObjectMeta {
  const metadata = memberOf(input, 'metadata');
  if (metadata === undefined) return {};
  // upstream stores what an apply merges as it is, and reads it without fields of the wrong type
  if (keepsNulls) return getObjectMetaDroppingInvalid(metadata) ?? {};
  return getObjectMetaAt(metadata, metadataPath, unknown);
}

function rootObject({ kind, apiVersion }: JsonObject, metadata: ObjectMeta, fields: JsonObject): KubeObject {
  const object: KubeObject = {
    ...(typeof kind === 'string' && kind !== '' ? { kind } : {}),
    ...(typeof apiVersion === 'string' && apiVersion !== '' ? { apiVersion } : {}),
    metadata,
  };
  return withFields(object, fields);
}

/** Appends fields after those of every object. */
function withFields(object: KubeObject, fields: JsonObject): KubeObject {
  const content = unstructuredContent(object);
  for (const name in fields) {
    if (name === '__proto__') {
      Object.defineProperty(content, name, {
        value: fields[name],
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else content[name] = fields[name] ?? null;
  }
  return object;
}
