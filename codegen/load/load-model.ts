import { basename, join, resolve } from 'node:path';
import type { ApiModel, GroupVersionModel, TypeId, TypeModel } from '../model/model.ts';
import { checkFields, checkRefs } from './checks.ts';
import { addConversions, resourceKey } from './conversions.ts';
import { GoTypes } from './field-facts.ts';
import { type GroupVersionKind, refOf } from './openapi.ts';
import { noOverlays, overlayResources, overlayTypes, readOverlays } from './overlays.ts';
import { compareGroupVersions, folderOf, isVersioned, metaPrefix, Packages, prefixOf } from './packages.ts';
import { compileProtos, noProtos, type ProtoIndex } from './protos.ts';
import { type PlacedOperation, placeOperations } from './resource-paths.ts';
import { checkPaths, gatherResources, type TypeLookup } from './resources.ts';
import { ProblemList } from './schema-errors.ts';
import { type Component, collectComponents, readSchemasFolder, type SchemasFolder } from './schemas-folder.ts';
import { buildTypes } from './types.ts';

export interface LoadOptions {
  /** Folder of overlays; none without it. */
  readonly overlays?: string;
  /** Also the packages that only .proto and field facts know, as group-versions that are not served. */
  readonly includeUnserved?: boolean;
  /** Schemas folder that lends the types, .proto files and facts that this one refers to but does not have. */
  readonly base?: string;
  /** Default: what the manifest says, or else the folder's name. */
  readonly release?: string;
}

/**
 * Reads a schemas folder into one model.
 * @throws SchemaErrors with all that is wrong with the folder and its overlays.
 */
export async function loadModel(schemasDir: string, options: LoadOptions = {}): Promise<ApiModel> {
  const problems = new ProblemList();
  const folder = await readSchemasFolder(schemasDir, problems);
  const base = options.base === undefined ? undefined : await readSchemasFolder(options.base, problems);
  const overlays = options.overlays === undefined ? noOverlays : await readOverlays(options.overlays, problems);
  if (folder.documents.length === 0) problems.add(basename(resolve(schemasDir)), [], 'has no openapi/**/*.json');
  problems.throwIfAny();

  const own = collectComponents(folder.documents, problems);
  const lendable = base ? collectComponents(base.documents, problems) : new Map<TypeId, Component>();
  checkRefs(folder.documents, new Set(lendable.keys()), problems);
  const components = new Map([...own, ...lentComponents(own, lendable)]);
  const go = new GoTypes({ ...base?.facts, ...folder.facts });
  const protos = await protosOf(folder, schemasDir, base && options.base);
  const packages = new Packages(components.values(), protos, go);

  const operations = placeOperations(folder.documents);
  checkPaths(operations, problems);
  const served = servedGroupVersions(operations);
  const prefixes = new Set([...components.keys()].map(prefixOf).filter((prefix) => isModelled(prefix)));
  if (options.includeUnserved) for (const prefix of unservedPrefixes(protos, folder)) prefixes.add(prefix);
  const built = buildTypes(modelledIds(components, protos, prefixes), { components, protos, go, packages });
  for (const each of built.values()) checkFields(each, own.get(each.type.id)?.file, go, problems);

  const release = options.release ?? folder.release;
  const complain = overlays.release === undefined || overlays.release === release;
  const bare = new Map([...built].map(([id, { type }]): [TypeId, TypeModel] => [id, type]));
  const types = overlayTypes(bare, overlays, complain, problems);
  const gathered = gatherResources(operations, lookupOf(types), problems);
  const folderOfResource = ({ group, version }: { group: string; version: string }): string => folderOf(group, version);
  const overlaid = overlayResources(gathered, overlays, folderOfResource, complain, problems);
  problems.throwIfAny();

  const choices = overlaid.map(({ resource, facts }): [string, { storageVersion?: string; custom?: string }] => [
    resourceKey(resource),
    { storageVersion: facts.storageVersion, custom: facts.conversion?.custom },
  ]);
  const resources = addConversions(
    overlaid.map(({ resource }) => resource),
    types,
    new Map(choices),
  );
  return {
    release,
    groupVersions: groupVersionsOf(types, resources, served, packages, prefixes),
    types,
    operations: operations.map(({ model }) => model),
  };
}

/** Components that the own ones refer to, and what those refer to, from the base. */
function lentComponents(
  own: ReadonlyMap<TypeId, Component>,
  lendable: ReadonlyMap<TypeId, Component>,
): Map<TypeId, Component> {
  const lent = new Map<TypeId, Component>();
  const queue: Component[] = [...own.values()];
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const ref of refsIn(next.schema)) {
      const component = lendable.get(ref);
      if (!component || own.has(ref) || lent.has(ref)) continue;
      lent.set(ref, component);
      queue.push(component);
    }
  }
  return lent;
}

function refsIn(schema: unknown): TypeId[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = refOf(schema);
  return [...(own === undefined ? [] : [own]), ...Object.values(schema).flatMap(refsIn)];
}

async function protosOf(folder: SchemasFolder, dir: string, base: string | undefined): Promise<ProtoIndex> {
  if (folder.protoFolder === undefined) return base === undefined ? noProtos : compileProtos(join(base, 'proto'));
  return compileProtos(join(dir, 'proto'), base === undefined ? undefined : join(base, 'proto'));
}

/** Packages whose types are records; the others of apimachinery hold the special scalars. */
const isModelled = (prefix: string): boolean => prefix === metaPrefix || !prefix.startsWith('io.k8s.apimachinery.');

function unservedPrefixes(protos: ProtoIndex, folder: SchemasFolder): string[] {
  return [...protos.byId.values()]
    .filter(({ goPackage }) => isVersioned(goPackage) && Object.hasOwn(folder.facts, goPackage))
    .map(({ id }) => prefixOf(id))
    .filter(isModelled);
}

/** Own and lent components, and the messages beside them. */
function modelledIds(
  components: ReadonlyMap<TypeId, Component>,
  protos: ProtoIndex,
  prefixes: ReadonlySet<string>,
): TypeId[] {
  const ids = new Set([...components.keys(), ...protos.byId.keys()].filter((id) => prefixes.has(prefixOf(id))));
  return [...ids].sort();
}

function servedGroupVersions(operations: readonly PlacedOperation[]): ReadonlySet<string> {
  return new Set(operations.map(({ place }) => folderOf(place.group, place.version)));
}

function lookupOf(types: ReadonlyMap<TypeId, TypeModel>): TypeLookup {
  const key = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version} ${kind}`;
  const kinds = new Map([...types.values()].flatMap((type) => (type.gvk ? [[key(type.gvk), type] as const] : [])));
  return { types, byKind: (gvk) => kinds.get(key(gvk)) };
}

function groupVersionsOf(
  types: ReadonlyMap<TypeId, TypeModel>,
  resources: ApiModel['groupVersions'][number]['resources'],
  served: ReadonlySet<string>,
  packages: Packages,
  prefixes: ReadonlySet<string>,
): GroupVersionModel[] {
  const made = new Map<string, GroupVersionModel>();
  for (const prefix of [...prefixes].sort()) {
    const { group, version, folder } = packages.of(prefix);
    made.set(folder, {
      group,
      version,
      folder,
      served: served.has(folder),
      types: [...types.values()].filter((type) => type.folder === folder),
      resources: resources.filter((resource) => folderOf(resource.group, resource.version) === folder),
    });
  }
  const all = [...made.values()].sort(compareGroupVersions);
  return [...all.filter((each) => each.served), ...all.filter((each) => !each.served)];
}
