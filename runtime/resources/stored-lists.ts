import { type KubeObject, unstructuredContent } from '../machinery/object.ts';
import { PruneContext } from '../machinery/prune/context.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { MergeSchema } from '../machinery/schema/merge-schema.ts';
import { jsonGroups } from './stored-length.ts';

type Container = Record<string | number, unknown>;

/**
 * Writes empty lists as upstream's storage does. Protobuf has no empty lists, so Go reads them as nil: a field with `omitempty`
 * disappears, every other field is null. Types that are stored as JSON keep their empty lists, as does JSON inside an object. No
 * stored type has a map without `omitempty`.
 *
 *     Role with rules: []           -> rules: null
 *     Endpoints with subsets: []    -> no subsets
 *
 * Decoding drops empty lists with `omitempty` from a client's object. Controllers and strategies may make others.
 */
export function nullEmptyLists({ type, group }: ResourceDefinition, object: KubeObject): void {
  if (type.protobuf === undefined || jsonGroups.has(group) || !objectHasEmptyList(object)) return;
  const decoded = type.prune(object, new PruneContext());
  replaceEmpty(unstructuredContent(object), unstructuredContent(decoded), type.merge);
}

/** Reports whether an object has an empty list. Metadata has three lists; its labels and managed fields have none inside. */
function objectHasEmptyList(object: KubeObject): boolean {
  const { metadata, ...content } = object;
  const { ownerReferences, finalizers, managedFields } = metadata;
  return ownerReferences?.length === 0 || finalizers?.length === 0 || managedFields?.length === 0 || hasEmptyList(content);
}

/** Reports whether a value has an empty list. Most objects have none, so this needs no schema and allocates nothing. */
function hasEmptyList(value: object): boolean {
  if (Array.isArray(value)) {
    if (value.length === 0) return true;
    for (const item of value) if (typeof item === 'object' && item !== null && hasEmptyList(item)) return true;
    return false;
  }
  for (const name in value) {
    const member = (value as Container)[name];
    if (typeof member === 'object' && member !== null && hasEmptyList(member)) return true;
  }
  return false;
}

/** @param decoded the same object without empty lists with `omitempty` */
function replaceEmpty(value: Container, decoded: Container, schema: MergeSchema): void {
  for (const [key, member, inner] of membersOf(value, schema)) {
    const kept = decoded[key];
    if (!isEmptyList(member, inner)) replaceEmpty(member as Container, (kept ?? {}) as Container, inner);
    else if (kept === undefined && schema.kind === 'struct') delete value[key];
    else value[key] = null;
  }
}

/** The objects and lists in a value, each with its key and schema. */
function membersOf(value: Container, schema: MergeSchema): (readonly [key: string | number, member: object, schema: MergeSchema])[] {
  const members: (readonly [string | number, object, MergeSchema])[] = [];
  const add = (key: string | number, member: unknown, inner: (() => MergeSchema) | undefined): void => {
    if (inner !== undefined && typeof member === 'object' && member !== null) members.push([key, member, inner()]);
  };
  if (schema.kind === 'struct') for (const [name, member] of Object.entries(value)) add(name, member, schema.fields[name]);
  if (schema.kind === 'map') for (const [key, member] of Object.entries(value)) add(key, member, schema.values);
  if (schema.kind === 'list' && Array.isArray(value)) for (const [at, item] of value.entries()) add(at, item, schema.items);
  return members;
}

const isEmptyList = (value: object, { kind }: MergeSchema): boolean => kind === 'list' && Array.isArray(value) && value.length === 0;
