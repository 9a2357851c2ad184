import type { OverlayDocument, ResourceOverlay, TypeId, TypeModel, TypeOverlay } from '../model/model.ts';
import { GoTypes } from './field-facts.ts';
import type { OverlayFile } from './overlays.ts';
import { compareKubeAwareVersions, folderOf } from './packages.ts';
import type { GatheredResource } from './resources.ts';
import type { OverlaysReference } from './uncovered.ts';

/**
 * Adapts overlays to a release that they were not written for. A type or resource that no overlay of its group-version
 * names gets the overlay of another version of the group, newest first, if it has all fields named there: a kind that
 * was v1beta1 keeps its rules at v1, and the reverse. Version names, such as the storage version, are not carried over.
 * A type that the overlays' release has at the same group-version has no rules on purpose if no overlay names it.
 */
export function followVersions(
  files: readonly OverlayFile[],
  types: ReadonlyMap<TypeId, TypeModel>,
  resources: readonly GatheredResource[],
  reference?: OverlaysReference,
): OverlayFile[] {
  const isKnown = isKnownIn(reference);
  const folders = new Set([...types.values()].map(({ folder }) => folder));
  for (const { group, version } of resources) folders.add(folderOf(group, version));
  const followed = [...folders].sort().flatMap((folder): OverlayFile[] => {
    const others = otherVersions(files, folder);
    const [newest] = others;
    if (newest === undefined) return [];
    const own = files.find((each) => each.folder === folder);
    const overlay: OverlayDocument = {
      ...own?.overlay,
      types: { ...typesFor(folder, others, types, own?.overlay, isKnown), ...own?.overlay.types },
      resources: { ...resourcesFor(folder, others, types, resources, own?.overlay), ...own?.overlay.resources },
    };
    const { file, lineOf } = own ?? newest;
    return [{ folder, file, lineOf, overlay }];
  });
  const replaced = new Set(followed.map(({ folder }) => folder));
  return [...files.filter(({ folder }) => !replaced.has(folder)), ...followed];
}

const groupOf = (folder: string): string => folder.slice(0, folder.lastIndexOf('/'));
const versionOf = (folder: string): string => folder.slice(folder.lastIndexOf('/') + 1);

function otherVersions(files: readonly OverlayFile[], folder: string): OverlayFile[] {
  return files
    .filter((file) => file.folder !== folder && groupOf(file.folder) === groupOf(folder))
    .sort((one, other) => compareKubeAwareVersions(versionOf(one.folder), versionOf(other.folder)));
}

function typesFor(
  folder: string,
  others: readonly OverlayFile[],
  types: ReadonlyMap<TypeId, TypeModel>,
  own: OverlayDocument | undefined,
  isKnown: (type: TypeModel) => boolean,
): Record<string, TypeOverlay> {
  const found = [...types.values()].flatMap((type): [string, TypeOverlay][] => {
    if (type.folder !== folder || own?.types?.[type.name] !== undefined || isKnown(type)) return [];
    const facts = others.flatMap(({ overlay }) => overlay.types?.[type.name] ?? []).find((each) => hasFields(type, each));
    return facts ? [[type.name, facts]] : [];
  });
  return Object.fromEntries(found);
}

/** Reports whether the overlays' release has a type at its group-version. */
function isKnownIn(reference: OverlaysReference | undefined): (type: TypeModel) => boolean {
  if (reference === undefined) return () => false;
  const known = new GoTypes(reference.facts);
  return ({ folder, goPackage, name }) =>
    goPackage !== undefined && reference.folders.has(folder) && known.facts({ package: goPackage, name }) !== undefined;
}

/** Reports whether a type has every field that an overlay names. */
function hasFields({ fields }: TypeModel, { defaults = [], rules = [], openEnums = [], keptEmpty = [] }: TypeOverlay) {
  const known = new Set(fields.map(({ json }) => json));
  const named = [...defaults, ...rules].flatMap((rule) => ('field' in rule && rule.field !== undefined ? [rule.field] : []));
  return [...named, ...openEnums, ...keptEmpty].every((field) => known.has(field.replace(/[.[].*/s, '')));
}

function resourcesFor(
  folder: string,
  others: readonly OverlayFile[],
  types: ReadonlyMap<TypeId, TypeModel>,
  resources: readonly GatheredResource[],
  own: OverlayDocument | undefined,
): Record<string, ResourceOverlay> {
  const found = resources.flatMap(({ group, version, plural, type }): [string, ResourceOverlay][] => {
    if (folderOf(group, version) !== folder || own?.resources?.[plural] !== undefined) return [];
    const facts = others
      .flatMap(({ overlay }) => overlay.resources?.[plural] ?? [])
      .find((each) => pathsOf(each).every((path) => hasPath(type, path, types)));
    return facts ? [[plural, withoutVersions(facts)]] : [];
  });
  return Object.fromEntries(found);
}

function withoutVersions(overlay: ResourceOverlay): ResourceOverlay {
  const { storageVersion: _, conversion: __, deprecated: ___, unsupportedFieldLabel: ____, ...rest } = overlay;
  return rest;
}

/** Returns the dotted paths of fields that an overlay names. */
function pathsOf({ columns = [], selectableFields = {}, writeRules }: ResourceOverlay): string[] {
  const selected = Object.values(selectableFields).filter((field) => typeof field === 'string');
  return [
    ...columns.flatMap((column) => ('path' in column && column.path !== undefined ? [column.path] : [])),
    ...selected,
    ...(writeRules?.statusFields ?? []),
  ];
}

function hasPath(id: TypeId, path: string, types: ReadonlyMap<TypeId, TypeModel>): boolean {
  const [name = '', ...rest] = path.split('.');
  const type = types.get(id);
  if (type === undefined) return true;
  const field = type.fields.find(({ json }) => json === name.split('[')[0]);
  if (field === undefined) return false;
  return rest.length === 0 || field.type.kind !== 'message' || hasPath(field.type.id, rest.join('.'), types);
}
