import type { OperationModel, ResourceModel, SubresourceModel, TypeId, TypeModel, VerbName } from '../model/model.ts';
import { type GroupVersionKind, type HttpMethod, refOf, type Schema } from './openapi.ts';
import type { ResourceOperation } from './resource-paths.ts';
import type { ProblemList } from './schema-errors.ts';

/** A resource without its overlay, and without its storage version, which depends on its other versions. */
export type GatheredResource = Omit<ResourceModel, 'storageVersion' | 'conversion'>;

/** The verbs by the `x-kubernetes-action` of an operation. */
export const actionVerbs: Readonly<Record<string, VerbName>> = {
  get: 'get',
  list: 'list',
  watch: 'watch',
  watchlist: 'watch',
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'deletecollection',
};

const methodVerbs: Partial<Record<HttpMethod, VerbName>> = {
  get: 'get',
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
};

export interface TypeLookup {
  readonly types: ReadonlyMap<TypeId, TypeModel>;
  byKind(gvk: GroupVersionKind): TypeModel | undefined;
}

/** Derives resources from paths: verbs, scope, kind and subresources. Sorted by group, version and plural. */
export function gatherResources(operations: readonly ResourceOperation[], types: TypeLookup, problems: ProblemList): GatheredResource[] {
  const byResource = new Map<string, ResourceOperation[]>();
  for (const operation of operations) {
    const { group, version, plural } = operation.path;
    if (plural === undefined) continue;
    const key = `${group}/${version}/${plural}`;
    byResource.set(key, [...(byResource.get(key) ?? []), operation]);
  }
  const watchPaths = operations.some(({ path }) => path.watch);
  const sorted = [...byResource].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([, own]) => resourceOf(own, types, watchPaths, problems) ?? []);
}

function resourceOf(
  operations: readonly ResourceOperation[],
  types: TypeLookup,
  watchPaths: boolean,
  problems: ProblemList,
): GatheredResource | undefined {
  const [any] = operations;
  if (any === undefined) return undefined;
  const { group, version, plural = '' } = any.path;
  const main = operations.filter(({ path }) => path.subresource === undefined);
  const first = main.find(({ operation }) => operation['x-kubernetes-group-version-kind']) ?? main[0];
  const kinds = new Set(main.flatMap(({ operation }) => operation['x-kubernetes-group-version-kind']?.kind ?? []));
  const pointer = ['paths', any.model.path];
  if (!first) {
    problems.add(any.file, pointer, 'is a subresource of no resource');
    return undefined;
  }
  if (kinds.size > 1) problems.add(first.file, pointer, `two resources have this path: ${[...kinds].join(' and ')}`);
  const kind = first.operation['x-kubernetes-group-version-kind'] ?? kindByObject(main, types);
  const type = kind && types.byKind(kind);
  if (!kind || !type) {
    const found = kind ? `no type is ${kind.group}/${kind.version} ${kind.kind}` : 'no operation says the kind';
    problems.add(first.file, pointer, found);
    return undefined;
  }
  const verbs = verbsOf(main, watchPaths);
  const status = operations.some(({ path }) => path.subresource === 'status');
  return {
    group,
    version,
    kind: kind.kind,
    plural,
    singular: kind.kind.toLowerCase(),
    listKind: listKindOf(main, kind, types),
    namespaced: main.some(({ path }) => path.namespaced),
    verbs,
    shortNames: [],
    categories: [],
    type: type.id,
    stored: verbs.includes('get') && verbs.includes('create'),
    subresources: subresourcesOf(operations, types, problems),
    operations: operations.map(({ model }) => model),
    writeRules: {
      createOnUpdate: false,
      unconditionalUpdate: true,
      generation: status && type.fields.some(({ json }) => json === 'spec'),
      statusFields: status ? ['status'] : [],
      nameRule: 'dns-subdomain',
    },
    columns: [],
    selectableFields: {},
    resourcePrefix: `${group}/${plural}`,
  };
}

/** Returns the verbs in the alphabetical order of discovery. */
function verbsOf(operations: readonly ResourceOperation[], watchPaths: boolean): VerbName[] {
  const verbs = new Set(operations.flatMap((operation) => verbOf(operation) ?? []));
  if (!watchPaths && operations.some(isWatchableList)) verbs.add('watch');
  return [...verbs].sort();
}

function verbOf({ operation, method, path }: ResourceOperation): VerbName | undefined {
  const action = operation['x-kubernetes-action'];
  if (action !== undefined && action !== 'connect') return actionVerbs[action];
  if (path.watch) return 'watch';
  if (path.named || path.subresource !== undefined || method === 'post') return methodVerbs[method];
  if (method === 'get') return 'list';
  return method === 'delete' ? 'deletecollection' : undefined;
}

/** Reports whether a list has the parameter `watch`. Counts only for documents without /watch/ paths. */
function isWatchableList(placed: ResourceOperation): boolean {
  const parameters = [...(placed.item.parameters ?? []), ...(placed.operation.parameters ?? [])];
  return verbOf(placed) === 'list' && parameters.some(({ name, in: where }) => name === 'watch' && where === 'query');
}

function listKindOf(main: readonly ResourceOperation[], kind: GroupVersionKind, types: TypeLookup): string {
  const list = main.find((placed) => verbOf(placed) === 'list');
  const ref = list && objectRef(list);
  return (ref !== undefined && types.types.get(ref)?.gvk?.kind) || `${kind.kind}List`;
}

/** Returns the component in the request or response of an operation. */
function objectRef({ operation }: ResourceOperation): string | undefined {
  const schemas: (Schema | undefined)[] = [
    ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
    ...Object.entries(operation.responses ?? {})
      .filter(([code]) => code.startsWith('2'))
      .flatMap(([, { content }]) => Object.values(content ?? {}).map(({ schema }) => schema)),
  ];
  return schemas.map(refOf).find((ref) => ref !== undefined);
}

/** Returns the kind of an operation without the extension: the kind of the object in a GET or POST. */
function kindByObject(operations: readonly ResourceOperation[], types: TypeLookup): GroupVersionKind | undefined {
  const telling = operations.filter((placed) => ['get', 'create', 'update'].includes(verbOf(placed) ?? ''));
  return telling.map(objectRef).flatMap((ref) => (ref && types.types.get(ref)?.gvk) || [])[0];
}

function subresourcesOf(operations: readonly ResourceOperation[], types: TypeLookup, problems: ProblemList): SubresourceModel[] {
  const names = new Set(operations.flatMap(({ path }) => path.subresource ?? []));
  return [...names].sort().flatMap((name) => {
    const own = operations.filter(({ path }) => path.subresource === name);
    const [any] = own;
    if (any === undefined) return [];
    const kind = own.flatMap(({ operation }) => operation['x-kubernetes-group-version-kind'] ?? [])[0] ?? kindByObject(own, types);
    if (!kind) {
      problems.add(any.file, ['paths', any.model.path], 'no operation says the kind of this subresource');
      return [];
    }
    const type = types.byKind(kind)?.id;
    return {
      name,
      gvk: kind,
      ...(type !== undefined ? { type } : {}),
      verbs: verbsOf(own, true),
      connect: own.some(({ operation }) => operation['x-kubernetes-action'] === 'connect'),
      ...(name === 'scale' ? { scale: { specReplicas: 'spec.replicas', statusReplicas: 'status.replicas' } } : {}),
    };
  });
}

/** Reports paths that differ only in the names of their parameters, within a document or across documents. */
export function checkPaths(operations: readonly ResourceOperation[], problems: ProblemList): void {
  const seen = new Map<string, OperationModel & { readonly file: string }>();
  for (const { model, file } of operations) {
    const key = `${model.method} ${model.path.replace(/\{[^}]*\}/g, '{}').replace(/\/$/, '')}`;
    const known = seen.get(key);
    if (!known) seen.set(key, { ...model, file });
    else
      problems.add(file, ['paths', model.path, model.method], `two resources have this path: ${known.id} in ${known.file} and ${model.id}`);
  }
}
