import type { ConversionModel, ResourceModel, TypeId, TypeModel, TypeRef } from '../model/model.ts';
import { compareKubeAwareVersions } from './packages.ts';
import type { GatheredResource } from './resources.ts';
import { schemaDifferences } from './schema-differences.ts';

type Types = ReadonlyMap<TypeId, TypeModel>;

/** An overlay's choice of the version that stores a resource, and how objects are converted. */
export interface StorageChoice {
  readonly storageGroup?: string | undefined;
  readonly storageVersion?: string | undefined;
  readonly custom?: string | undefined;
  /** The group's module converts them. */
  readonly converter?: boolean | undefined;
}

/**
 * Chooses each resource's storage version and how its other versions convert to it. An unserved version can be chosen
 * only if conversions for it exist. Default: the group's preferred version that serves the resource.
 * (pkg/kubeapiserver/default_storage_factory_builder.go)
 *
 * @param overlaid the choices of overlays, by `resourceKey`
 */
export function addConversions(
  resources: readonly GatheredResource[],
  types: Types,
  overlaid: ReadonlyMap<string, StorageChoice>,
): ResourceModel[] {
  return resources.map((resource) => {
    const siblings = resources.filter(({ group, plural }) => group === resource.group && plural === resource.plural);
    const choices = siblings.flatMap((sibling) => overlaid.get(resourceKey(sibling)) ?? []);
    const hasVersion = (version: string): boolean =>
      siblings.some((sibling) => sibling.version === version) || choices.some(({ custom }) => custom !== undefined);
    const chosen = choices.map(({ storageVersion }) => storageVersion).find((version) => version && hasVersion(version));
    const [newest = resource.version] = siblings.map(({ version }) => version).sort(compareKubeAwareVersions);
    const storageVersion = chosen ?? newest;
    const target = siblings.find(({ version }) => version === storageVersion);
    const { custom, converter, storageGroup } = overlaid.get(resourceKey(resource)) ?? {};
    if (storageGroup !== undefined && storageGroup !== resource.group) {
      const conversion: ConversionModel = custom === undefined ? { kind: 'same-shape' } : { kind: 'custom', name: custom };
      return { ...resource, storageGroup, storageVersion, conversion };
    }
    return {
      ...resource,
      storageVersion,
      conversion: conversionOf(resource, { storageVersion, target, custom, converter }, types),
    };
  });
}

export const resourceKey = ({ group, version, plural }: { group: string; version: string; plural: string }): string =>
  `${group}/${version}/${plural}`;

interface Storage {
  readonly storageVersion: string;
  /** The resource at this version; undefined if the version is not served. */
  readonly target: GatheredResource | undefined;
  readonly custom: string | undefined;
  readonly converter: boolean | undefined;
}

function conversionOf(resource: GatheredResource, { storageVersion, target, custom, converter }: Storage, types: Types): ConversionModel {
  if (storageVersion === resource.version) return { kind: 'identity' };
  if (custom !== undefined) return { kind: 'custom', name: custom };
  if (!target) return { kind: 'same-shape' };
  if (converter) return { kind: 'converter' };
  const [own, stored] = [types.get(resource.type)?.schema, types.get(target.type)?.schema];
  if (own !== undefined && stored !== undefined) {
    const differences = schemaDifferences(own, stored, [resource.version, storageVersion]);
    return differences.length === 0 ? { kind: 'same-shape', missing: [] } : { kind: 'none', differences };
  }
  return { kind: 'same-shape', missing: missingFields(resource.type, target.type, types) };
}

/**
 * Returns the paths of fields that only one of two versions of a type has, or whose types differ. Empty if the schemas
 * agree: then only apiVersion differs.
 */
function missingFields(left: TypeId, right: TypeId, types: Types): string[] {
  const found: string[] = [];
  const compared = new Set<string>();
  const compare = (a: TypeId, b: TypeId, path: string): void => {
    const pair = `${a} ${b}`;
    if (a === b || compared.has(pair)) return;
    compared.add(pair);
    const fieldsOf = (id: TypeId): Map<string, TypeRef> => new Map(types.get(id)?.fields.map((field) => [field.json, field.type]));
    const [mine, theirs] = [fieldsOf(a), fieldsOf(b)];
    for (const name of new Set([...mine.keys(), ...theirs.keys()])) {
      const [one, other] = [mine.get(name), theirs.get(name)];
      const at = path === '' ? name : `${path}.${name}`;
      if (!one || !other) found.push(at);
      else compareRefs(one, other, at);
    }
  };
  const compareRefs = (one: TypeRef, other: TypeRef, path: string): void => {
    if (one.kind === 'message' && other.kind === 'message') compare(one.id, other.id, path);
    else if ((one.kind === 'list' && other.kind === 'list') || (one.kind === 'map' && other.kind === 'map'))
      compareRefs(one.of, other.of, path);
    else if (JSON.stringify(one) !== JSON.stringify(other)) found.push(path);
  };
  compare(left, right, '');
  return found;
}
