import type { KubeObject } from '../machinery/object.ts';
import { PruneContext } from '../machinery/prune/context.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { MergeSchema } from '../machinery/schema/merge-schema.ts';
import { jsonGroups } from './stored-length.ts';

type Container = Record<string | number, unknown>;

/**
 * Writes empty lists and maps as upstream's storage does. Protobuf has no empty lists, so Go reads them as nil: a field with
 * `omitempty` disappears, every other field is null. Types that are stored as JSON keep their empty lists, as does JSON inside an
 * object.
 *
 *     Role with rules: []           -> rules: null
 *     Endpoints with subsets: []    -> no subsets (a client's have none any more; a controller's may)
 */
export function nullEmptyLists({ type, group }: ResourceDefinition, object: KubeObject): void {
  if (type.protobuf === undefined || jsonGroups.has(group)) return;
  const value = object as unknown as Container;
  if (!hasEmpty(value, type.merge)) return;
  const decoded = type.prune(object, new PruneContext());
  replaceEmpty(value, decoded as unknown as Container, type.merge);
}

/** Reports whether an object has an empty list or map. Most have none, so this allocates nothing. */
function hasEmpty(value: Container, schema: MergeSchema): boolean {
  switch (schema.kind) {
    case 'struct':
      for (const name in value) if (isOrHasEmpty(value[name], schema.fields[name])) return true;
      return false;
    case 'map':
      for (const key in value) if (isOrHasEmpty(value[key], schema.values)) return true;
      return false;
    case 'list':
      for (const item of value as unknown as unknown[]) if (isOrHasEmpty(item, schema.items)) return true;
      return false;
    default:
      return false;
  }
}

function isOrHasEmpty(member: unknown, inner: (() => MergeSchema) | undefined): boolean {
  if (inner === undefined || typeof member !== 'object' || member === null) return false;
  const schema = inner();
  return isEmptyCollection(member, schema) || hasEmpty(member as Container, schema);
}

/** @param decoded the same object without empty fields with `omitempty` */
function replaceEmpty(value: Container, decoded: Container, schema: MergeSchema): void {
  for (const [key, member, inner] of membersOf(value, schema)) {
    const kept = decoded[key];
    if (!isEmptyCollection(member, inner)) replaceEmpty(member as Container, (kept ?? {}) as Container, inner);
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
  if (schema.kind === 'list') for (const [at, item] of (value as unknown as unknown[]).entries()) add(at, item, schema.items);
  return members;
}

function isEmptyCollection(value: object, { kind }: MergeSchema): boolean {
  if (Array.isArray(value)) return kind === 'list' && value.length === 0;
  if (kind !== 'map') return false;
  for (const _ in value) return false;
  return true;
}
