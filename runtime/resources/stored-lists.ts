import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { MergeSchema } from '../machinery/schema/merge-schema.ts';
import { jsonGroups } from './stored-length.ts';

type Container = Record<string | number, unknown>;

/**
 * Makes the empty lists and maps of an object null, as upstream's storage does: protobuf has no empty lists, so that Go reads them
 * as nil. What is stored in JSON keeps them, as does JSON inside an object. Decoding has dropped those of fields with `omitempty`.
 * For example, `rules: []` of a Role is read as `rules: null`.
 */
export function nullEmptyLists({ type, group }: ResourceDefinition, object: KubeObject): void {
  if (type.protobuf === undefined || jsonGroups.has(group)) return;
  visit(object as unknown as Container, type.merge);
}

function visit(value: Container, schema: MergeSchema): void {
  switch (schema.kind) {
    case 'struct':
      for (const [name, member] of Object.entries(value)) {
        const inner = schema.fields[name];
        if (inner !== undefined) visitMember(value, name, member, inner);
      }
      break;
    case 'map':
      for (const [key, member] of Object.entries(value)) visitMember(value, key, member, schema.values);
      break;
    case 'list':
      for (const [index, item] of (value as unknown as unknown[]).entries()) visitMember(value, index, item, schema.items);
      break;
  }
}

function visitMember(parent: Container, key: string | number, value: unknown, schema: () => MergeSchema): void {
  if (typeof value !== 'object' || value === null) return;
  const inner = schema();
  if (isEmptyCollection(value, inner)) parent[key] = null;
  else visit(value as Container, inner);
}

function isEmptyCollection(value: object, { kind }: MergeSchema): boolean {
  if (Array.isArray(value)) return kind === 'list' && value.length === 0;
  return kind === 'map' && Object.keys(value).length === 0;
}
