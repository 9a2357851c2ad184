import type { ApiModel, GroupVersionModel, TypeId, TypeModel, TypeRef } from './model.ts';

/** Returns the type with this id. Throws if the model lacks it. */
export function typeById(model: ApiModel, id: TypeId): TypeModel {
  const type = model.types.get(id);
  if (!type) throw new Error(`the model has no type ${id}`);
  return type;
}

/** Returns the message type of a reference, or of the elements of its list or map. */
export function messageId(ref: TypeRef): TypeId | undefined {
  if (ref.kind === 'message') return ref.id;
  return ref.kind === 'list' || ref.kind === 'map' ? messageId(ref.of) : undefined;
}

/** Returns the type that JSONSchemaPropsOr* refer to. Throws if the model has no JSONSchemaProps. */
export function schemaPropsType(model: ApiModel): TypeModel {
  for (const type of model.types.values()) {
    if (type.name === 'JSONSchemaProps' && type.id.includes('apiextensions')) return type;
  }
  throw new Error('the model has no JSONSchemaProps');
}

/**
 * Reports whether a type is read, defaulted and merged by its kind's schema alone. Messages need functions of their
 * own.
 */
export const isBySchema = ({ userDefined, message, fromGoTypes }: TypeModel): boolean =>
  userDefined === true && message === undefined && !fromGoTypes;

/** Returns the types of a type's fields, or of the elements of their lists and maps, and its inlined types. */
function referencedTypes(model: ApiModel, type: TypeModel): TypeId[] {
  const ofField = (ref: TypeRef): TypeId | undefined =>
    ref.kind === 'special' && ref.name.startsWith('JSONSchemaPropsOr') ? schemaPropsType(model).id : messageId(ref);
  const ids = type.fields.map((field) => ofField(field.type)).filter((id) => id !== undefined);
  return [...ids, ...(type.inlined ?? []).map(({ id }) => id)];
}

/** Returns the types in `roots`, and all types that they contain at any depth. */
function reachableTypes(model: ApiModel, roots: Iterable<TypeId>): ReadonlySet<TypeId> {
  const reached = new Set<TypeId>();
  const queue = [...roots];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const type = reached.has(id) ? undefined : model.types.get(id);
    if (!type) continue;
    reached.add(id);
    const referenced = referencedTypes(model, type);
    queue.push(...(isBySchema(type) ? referenced.filter((other) => isBySchema(typeById(model, other))) : referenced));
  }
  return reached;
}

/**
 * Returns the type that a field's generated functions call; undefined if they call none. A type by schema calls only
 * other types by schema.
 */
export function calledType(model: ApiModel, type: TypeModel, ref: TypeRef): TypeId | undefined {
  const id = messageId(ref);
  const target = id === undefined ? undefined : model.types.get(id);
  return target === undefined || (isBySchema(type) && !isBySchema(target)) ? undefined : id;
}

/** Returns the types for which `wanted` holds, and all types that contain one of them at any depth. */
export function typesContaining(model: ApiModel, wanted: (type: TypeModel) => boolean): ReadonlySet<TypeId> {
  const parents = new Map<TypeId, TypeId[]>();
  const reached = new Set<TypeId>();
  const queue: TypeId[] = [];
  for (const type of model.types.values()) {
    if (wanted(type)) queue.push(type.id);
    for (const field of type.fields) {
      const id = calledType(model, type, field.type);
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

/** Returns a function that computes a value once for each model. */
export function perModel<T>(find: (model: ApiModel) => T): (model: ApiModel) => T {
  const known = new WeakMap<ApiModel, { readonly value: T }>();
  return (model) => {
    const entry = known.get(model) ?? { value: find(model) };
    known.set(model, entry);
    return entry.value;
  };
}

/** Types that can contain themselves, directly or through others. */
export const recursiveTypes = perModel((model): ReadonlySet<TypeId> => {
  const recursive = new Set<TypeId>();
  for (const type of model.types.values()) {
    if (reachableTypes(model, referencedTypes(model, type)).has(type.id)) recursive.add(type.id);
  }
  return recursive;
});

/** Returns the types of a group-version that get functions, in its order. */
export function typesWithFunctions({ types }: GroupVersionModel, model: ApiModel): readonly TypeModel[] {
  const served = servedTypes(model);
  return types.filter(({ id }) => served.has(id));
}

/**
 * Returns the types whose objects a server reads or writes: types of resources and subresources, the kinds of unserved
 * packages (Status, DeleteOptions), and all types in these. List kinds are left out: the server encodes lists around
 * the bytes of their items, and clients do not send lists.
 */
const servedTypes = perModel((model): ReadonlySet<TypeId> => {
  const roots = model.groupVersions.flatMap(({ served, types, resources }) => [
    ...resources.flatMap(({ type, subresources }) => [type, ...subresources.flatMap((each) => each.type ?? [])]),
    ...(served ? [] : types.filter(({ gvk }) => gvk).map(({ id }) => id)),
  ]);
  return reachableTypes(model, roots);
});
