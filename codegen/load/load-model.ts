import { basename, resolve } from 'node:path';
import type { ApiModel, GroupVersionModel, ResourceModel, TypeId, TypeModel } from '../model/model.ts';
import { checkFields, checkRefs } from './checks.ts';
import { addConversions, resourceKey, type StorageChoice } from './conversions.ts';
import { GoTypes } from './field-facts.ts';
import type { GroupVersionKind } from './openapi.ts';
import { OverlayApplier } from './overlays.ts';
import { compareGroupVersions, folderOf, isVersioned, metaPrefix, Packages, prefixOf } from './packages.ts';
import { compileProtos, noProtos, type ProtoIndex } from './protos.ts';
import { type OverlayFolders, overlaysFor } from './release-overlays.ts';
import { type ResourceOperation, resourceOperations } from './resource-paths.ts';
import { checkPaths, gatherResources, type TypeLookup } from './resources.ts';
import { ProblemList } from './schema-errors.ts';
import { type Component, collectComponents, readSchemasFolder, type SchemasFolder } from './schemas-folder.ts';
import { buildTypes } from './types.ts';
import { uncoveredBy } from './uncovered.ts';
import { checkOwnComponents, composeOwnComponents, structuralSchemas } from './user-schemas/components.ts';

export interface LoadOptions extends OverlayFolders {
  /** Also load packages that only .proto files and field facts have, as unserved group-versions. */
  readonly includeUnserved?: boolean | undefined;
  /** Load only types and a client. Nothing is validated, so that unsupported validation keywords are no problem. */
  readonly clientOnly?: boolean | undefined;
  /** The name of the release. Default: the release in the manifest, or else the folder's name. */
  readonly release?: string | undefined;
}

/**
 * Reads a schemas folder into one model.
 *
 * @throws SchemaErrors with every problem of the folder and its overlays
 */
export async function loadModel(schemasDir: string, options: LoadOptions = {}): Promise<ApiModel> {
  const problems = new ProblemList();
  const folder = await readSchemasFolder(schemasDir, problems);
  if (folder.documents.length === 0 && problems.isEmpty) problems.add(basename(resolve(schemasDir)), [], 'has no openapi/**/*.json');
  problems.throwIfAny();

  const written = collectComponents(folder.documents, problems);
  checkRefs(folder.documents, problems);
  if (!options.clientOnly && !checkOwnComponents(written, problems)) problems.throwIfAny();
  const components = composeOwnComponents(written, problems);
  const go = new GoTypes(folder.facts);
  const protos = folder.protoFolder === undefined ? noProtos : await compileProtos(folder.protoFolder);
  const packages = new Packages(components.values(), protos, go);

  const operations = resourceOperations(folder.documents);
  checkPaths(operations, problems);
  const served = servedGroupVersions(operations);
  const complete = completePackages(components, packages, served);
  if (options.includeUnserved) for (const prefix of unservedPrefixes(protos, folder)) complete.add(prefix);
  const built = buildTypes(modelledIds(components, protos, complete), { components, protos, go, packages });
  for (const each of built.values()) checkFields(each, components.get(each.type.id)?.file, go, problems);

  const release = options.release ?? folder.release;
  const bare = new Map([...built].map(([id, { type }]): [TypeId, TypeModel] => [id, type]));
  const gathered = gatherResources(operations, lookupOf(bare), problems);
  const { overlays, writtenFor, reference } = await overlaysFor(release, options, bare, gathered, problems);
  const applier = new OverlayApplier(overlays, release, problems);
  const types = applier.types(bare);
  const overlaid = applier.resources(gathered);
  const schemas = structuralSchemas(components, problems);
  for (const resource of options.clientOnly ? [] : gathered) {
    const { type: id, group, plural } = resource;
    const type = types.get(id);
    if (!type?.userDefined) continue;
    const schema = { ...schemas.ofKind(id, components.get(id)?.file ?? '') };
    types.set(id, { ...type, schema });
    const versions = gathered.filter((each) => each.group === group && each.plural === plural);
    applier.check(
      resource,
      schema,
      versions.map(({ version }) => version),
    );
  }
  problems.throwIfAny();

  const choices = overlaid.map(({ resource, facts }): [string, StorageChoice] => {
    const { storageVersion, conversion: given } = applier.storage(resource) ?? facts;
    const conversion = typeof given === 'object' && given !== null ? given : undefined;
    const custom = conversion && 'custom' in conversion ? conversion.custom : undefined;
    const converter = conversion && 'strategy' in conversion && conversion.strategy === 'Converter';
    return [resourceKey(resource), { storageGroup: facts.storageGroup, storageVersion, custom, converter }];
  });
  const resources = addConversions(
    overlaid.map(({ resource }) => resource),
    types,
    new Map(choices),
  );
  return {
    release,
    ...(writtenFor === undefined ? {} : { overlaysRelease: writtenFor }),
    ...(reference ? { uncovered: uncoveredBy(reference, types, overlaid) } : {}),
    groupVersions: groupVersionsOf(types, resources, served, packages),
    types,
    operations: operations.map(({ model }) => model),
  };
}

/** Reports whether the types of a package are structs. The other packages of apimachinery have the special scalars. */
const isModelled = (prefix: string): boolean => prefix === metaPrefix || !prefix.startsWith('io.k8s.apimachinery.');

function unservedPrefixes(protos: ProtoIndex, folder: SchemasFolder): string[] {
  return [...protos.byId.values()]
    .filter(({ goPackage }) => isVersioned(goPackage) && Object.hasOwn(folder.facts, goPackage))
    .map(({ id }) => prefixOf(id))
    .filter(isModelled);
}

/**
 * Returns the packages whose messages are all in the model: the served ones and meta/v1. The model has only the
 * referenced messages of other packages.
 */
function completePackages(
  components: ReadonlyMap<TypeId, Component>,
  packages: Packages,
  served: ReadonlyMap<string, unknown>,
): Set<string> {
  const prefixes = new Set([...components.keys()].map(prefixOf).filter(isModelled));
  return new Set([...prefixes].filter((prefix) => prefix === metaPrefix || served.has(packages.of(prefix).folder)));
}

function modelledIds(components: ReadonlyMap<TypeId, Component>, protos: ProtoIndex, complete: ReadonlySet<string>): TypeId[] {
  const messages = [...protos.byId.keys()].filter((id) => complete.has(prefixOf(id)));
  const ids = [...components.keys()].filter((id) => isModelled(prefixOf(id)));
  return [...new Set([...ids, ...messages])].sort();
}

type GroupVersion = Pick<GroupVersionModel, 'group' | 'version' | 'folder'>;

function servedGroupVersions(operations: readonly ResourceOperation[]): ReadonlyMap<string, GroupVersion> {
  return new Map(
    operations.map(({ path: { group, version } }) => {
      const folder = folderOf(group, version);
      return [folder, { group, version, folder }];
    }),
  );
}

function lookupOf(types: ReadonlyMap<TypeId, TypeModel>): TypeLookup {
  const key = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version} ${kind}`;
  const kinds = new Map([...types.values()].flatMap((type) => (type.gvk ? [[key(type.gvk), type] as const] : [])));
  return { types, byKind: (gvk) => kinds.get(key(gvk)) };
}

function groupVersionsOf(
  types: ReadonlyMap<TypeId, TypeModel>,
  resources: readonly ResourceModel[],
  served: ReadonlyMap<string, GroupVersion>,
  packages: Packages,
): GroupVersionModel[] {
  const homes = [...types.keys()].sort().map((id) => packages.of(prefixOf(id)));
  const byFolder = new Map<string, GroupVersion>([...homes.map((home) => [home.folder, home] as const), ...served]);
  const all = [...byFolder.values()].sort(compareGroupVersions).map(({ group, version, folder }) => ({
    group,
    version,
    folder,
    served: served.has(folder),
    types: [...types.values()].filter((type) => type.folder === folder),
    resources: resources.filter((resource) => folderOf(resource.group, resource.version) === folder),
  }));
  return [...all.filter((each) => each.served), ...all.filter((each) => !each.served)];
}
