import { DecodeError, isDecodeError } from '../../machinery/errors/decode-error.ts';
import { parseGroupVersion } from '../../machinery/gvk.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { isJsonObject, memberOf, setMember } from '../../machinery/json/values.ts';
import { type Json, type JsonObject, type ObjectMeta, unstructuredContent } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../machinery/schema/json-schema.ts';
import { perSchema } from '../../machinery/schema/per-schema.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage, invalid, required } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dns1035Label } from '../../machinery/validation/name-formats.ts';
import { propertiesOf } from './nodes.ts';
import { getObjectMeta, getObjectMetaDroppingInvalid } from './object-meta.ts';

/** The embedded resources of a schema and of its parts. */
export interface EmbeddedNode {
  readonly embedded: boolean;
  readonly properties: ReadonlyMap<string, EmbeddedNode>;
  readonly additional: EmbeddedNode | undefined;
  readonly items: EmbeddedNode | undefined;
}

/** Undefined if the schema embeds no resources. */
export const embeddedNode: (schema: JsonSchema) => EmbeddedNode | undefined = perSchema((schema) => {
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const inItems = itemSchema(schema);
  const inAdditional = valueSchema(schema);
  const items = inItems && embeddedNode(inItems);
  const additional = inAdditional && embeddedNode(inAdditional);
  const properties = new Map<string, EmbeddedNode>();
  for (const [name, inner] of propertiesOf(schema)) {
    const node = embeddedNode(inner);
    if (node) properties.set(name, node);
  }
  if (!embedded && !items && !additional && properties.size === 0) return undefined;
  return { embedded, items, additional, properties };
});

/** Calls `visit` for each embedded resource of a value, outer ones first. */
function walk(node: EmbeddedNode, value: Json, path: FieldPath, visit: (resource: JsonObject, path: FieldPath) => void): void {
  if (Array.isArray(value)) {
    const { items } = node;
    if (items) for (const [index, item] of value.entries()) walk(items, item, path.index(index), visit);
    return;
  }
  if (!isJsonObject(value)) return;
  if (node.embedded) visit(value, path);
  for (const name of Object.keys(value)) {
    const property = node.properties.get(name);
    if (property) walk(property, value[name] ?? null, path.child(name), visit);
    else if (node.additional) walk(node.additional, value[name] ?? null, path.key(name), visit);
  }
}

/** Returns a copy down to the embedded resources. The copy shares the rest with the value. */
export function withOwnEmbedded(node: EmbeddedNode, value: Json): Json {
  if (Array.isArray(value)) {
    const { items } = node;
    return items ? value.map((item) => withOwnEmbedded(items, item)) : value;
  }
  if (!isJsonObject(value)) return value;
  const copy = { ...value };
  for (const [name, member] of Object.entries(copy)) {
    const inner = node.properties.get(name) ?? node.additional;
    if (inner) setMember(copy, name, withOwnEmbedded(inner, member));
  }
  return copy;
}

interface CoerceOptions {
  /** Collects the paths of fields unknown to ObjectMeta. */
  readonly unknown?: string[] | undefined;
  /** Drops fields of the wrong type, for stored objects. */
  readonly dropInvalidFields?: boolean;
}

/**
 * Reduces the metadata of embedded resources to ObjectMeta's fields, in place.
 * (pkg/apiserver/schema/objectmeta/algorithm.go)
 *
 * @throws DecodeError for a field of the wrong type, unless `dropInvalidFields` is set
 */
export function coerceEmbedded(node: EmbeddedNode, value: Json, path: FieldPath, options: CoerceOptions): void {
  const error = embeddedCoercionError(node, value, path, options);
  if (error !== undefined) throw new DecodeError(fieldErrorMessage(error));
}

/** Runs coerceEmbedded and returns the first error. */
export function embeddedCoercionError(
  node: EmbeddedNode,
  value: Json,
  path: FieldPath,
  options: CoerceOptions = {},
): FieldError | undefined {
  let found: FieldError | undefined;
  walk(node, value, path, (resource, at) => {
    found ??= coerceResource(resource, at, options);
  });
  return found;
}

/** Reports whether coerceEmbedded would leave the metadata unchanged. */
export function isCoerced(node: EmbeddedNode, value: Json): boolean {
  let coerced = true;
  walk(node, value, FieldPath.root, ({ metadata }) => {
    if (metadata === undefined) return;
    coerced &&= equalJson(metadata, getObjectMetaDroppingInvalid(metadata));
  });
  return coerced;
}

function coerceResource(
  resource: JsonObject,
  path: FieldPath,
  { unknown, dropInvalidFields = false }: CoerceOptions,
): FieldError | undefined {
  for (const name of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(resource, name) || typeof resource[name] === 'string') continue;
    if (!dropInvalidFields) return invalid(path.child(name), resource[name], 'must be a string');
    delete resource[name];
  }
  const before = memberOf(resource, 'metadata');
  if (before === undefined) return undefined;
  const at = path.child('metadata');
  try {
    const metadata = dropInvalidFields ? getObjectMetaDroppingInvalid(before) : getObjectMetaAt(before, at, unknown);
    if (metadata !== undefined) resource.metadata = unstructuredContent(metadata);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    return invalid(at, before, error.message);
  }
  return undefined;
}

/** Reads metadata with getObjectMeta and collects the paths of unknown fields. @throws DecodeError */
export function getObjectMetaAt(value: Json, path: FieldPath, unknown: string[] | undefined): ObjectMeta {
  const context = new PruneContext({ collectUnknown: unknown !== undefined });
  const metadata = getObjectMeta(value, context);
  for (const text of context.strictErrors) unknown?.push(`${path}.${text.slice('unknown field "'.length, -1)}`);
  return metadata;
}

export type MetadataCheck = (metadata: ObjectMeta, path: FieldPath, errors: FieldError[]) => void;

/** Appends the errors of embedded resources. (pkg/apiserver/schema/objectmeta/validation.go) */
export function checkEmbedded(node: EmbeddedNode, value: Json, field: Field, checkMetadata: MetadataCheck | undefined): void {
  const { errors } = field;
  walk(node, value, field, (resource, at) => checkResource(resource, at, errors, checkMetadata));
}

function checkResource(resource: JsonObject, path: FieldPath, errors: FieldError[], checkMetadata: MetadataCheck | undefined): void {
  for (const name of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(resource, name)) errors.push(required(path.child(name)));
  }
  const { apiVersion, kind } = resource;
  if (apiVersion !== undefined) checkApiVersion(apiVersion, path.child('apiVersion'), errors);
  if (kind !== undefined) checkKind(kind, path.child('kind'), errors);
  if (!Object.hasOwn(resource, 'metadata')) return;
  const at = path.child('metadata');
  try {
    const metadata = getObjectMeta(resource.metadata, new PruneContext());
    // a template needs no name
    checkMetadata?.({ ...metadata, name: metadata.name || 'fakename' }, at, errors);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    errors.push(invalid(at, resource.metadata, error.message));
  }
}

function checkApiVersion(value: Json, path: FieldPath, errors: FieldError[]): void {
  if (typeof value !== 'string') errors.push(invalid(path, value, 'must be a string'));
  else if (value === '') errors.push(invalid(path, value, 'must not be empty'));
  else if (parseGroupVersion(value) === undefined) {
    errors.push(invalid(path, value, `unexpected GroupVersion string: ${value}`));
  }
}

function checkKind(value: Json, path: FieldPath, errors: FieldError[]): void {
  if (typeof value !== 'string') errors.push(invalid(path, value, 'must be a string'));
  else if (value === '') errors.push(invalid(path, value, 'must not be empty'));
  else {
    const texts = dns1035Label(value.toLowerCase());
    if (texts.length > 0) {
      errors.push(invalid(path, value, `may have mixed case, but should otherwise match: ${texts.join(',')}`));
    }
  }
}
