import type { ApiModel, TypeId, TypeModel, TypeRef } from '../model/model.ts';

/** Types for which `wanted` holds, and those that have one of them in a field, at any depth. */
export function closure(model: ApiModel, wanted: (type: TypeModel) => boolean): ReadonlySet<TypeId> {
  const parents = new Map<TypeId, TypeId[]>();
  const reached = new Set<TypeId>();
  const queue: TypeId[] = [];
  for (const type of model.types.values()) {
    if (wanted(type)) queue.push(type.id);
    for (const field of type.fields) {
      const id = messageId(field.type);
      if (id === undefined) continue;
      const known = parents.get(id);
      if (known) known.push(type.id);
      else parents.set(id, [type.id]);
    }
  }
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    queue.push(...(parents.get(id) ?? []));
  }
  return reached;
}

/** The message at the bottom of lists and maps. */
export function messageId(ref: TypeRef): TypeId | undefined {
  if (ref.kind === 'message') return ref.id;
  return ref.kind === 'list' || ref.kind === 'map' ? messageId(ref.of) : undefined;
}

const recursiveOf = new WeakMap<ApiModel, ReadonlySet<TypeId>>();

/** Types that can contain themselves, directly or through others. JSONSchemaProps does through its unions. */
export function recursiveTypes(model: ApiModel): ReadonlySet<TypeId> {
  const found = recursiveOf.get(model) ?? findRecursive(model);
  recursiveOf.set(model, found);
  return found;
}

function findRecursive(model: ApiModel): ReadonlySet<TypeId> {
  const schemaProps = [...model.types.values()].find(
    (type) => type.name === 'JSONSchemaProps' && type.id.includes('apiextensions'),
  );
  const targets = (id: TypeId): TypeId[] =>
    (model.types.get(id)?.fields ?? []).flatMap((field) => {
      const target = messageId(field.type);
      if (target !== undefined) return [target];
      return field.type.kind === 'special' && field.type.name.startsWith('JSONSchemaPropsOr') && schemaProps
        ? [schemaProps.id]
        : [];
    });
  const recursive = new Set<TypeId>();
  for (const start of model.types.keys()) {
    const seen = new Set<TypeId>();
    const queue = targets(start);
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (id === start) {
        recursive.add(start);
        break;
      }
      if (seen.has(id)) continue;
      seen.add(id);
      queue.push(...targets(id));
    }
  }
  return recursive;
}
