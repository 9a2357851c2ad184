import { join } from 'node:path';
import type { TypeModel, UncoveredModel } from '../model/model.ts';
import { type FieldFacts, GoTypes } from './field-facts.ts';
import { listFiles, readIfPresent } from './files.ts';
import type { OverlaidResource } from './overlays.ts';
import { folderOf } from './packages.ts';

/** The contents of the release that overlays were written for. */
export interface OverlaysReference {
  readonly facts: FieldFacts;
  /** The served group-versions: `core/v1`. */
  readonly folders: ReadonlySet<string>;
}

/** Reads the schemas of the overlays' release, which are beside the overlays; undefined if they are missing. */
export async function readReference(overlays: string, release: string): Promise<OverlaysReference | undefined> {
  const schemas = join(overlays, '../kubernetes', release);
  const text = await readIfPresent(join(schemas, 'field-facts.json'));
  if (text === undefined) return undefined;
  const documents = await listFiles(join(schemas, 'openapi'), '.json');
  const folders = documents.map((name) =>
    name
      .replace(/^api\//, 'core/')
      .replace(/^apis\//, '')
      .replace(/\.json$/, ''),
  );
  return { facts: JSON.parse(text) as FieldFacts, folders: new Set(folders) };
}

/**
 * Returns the resources and fields that overlays do not cover because they are new since the overlays' release:
 * resources without an overlay, and fields without an overlay or a validation marker (`+k8s:`). Upstream may default
 * and validate them in hand-written code.
 */
export function uncoveredBy(
  { facts, folders }: OverlaysReference,
  types: ReadonlyMap<string, TypeModel>,
  resources: readonly OverlaidResource[],
): UncoveredModel[] {
  const known = new GoTypes(facts);
  const ofResources = resources.flatMap(({ resource, isOverlaid }): UncoveredModel[] => {
    const folder = folderOf(resource.group, resource.version);
    const { goPackage = '', name = '' } = types.get(resource.type) ?? {};
    const isKnown = folders.has(folder) && known.facts({ package: goPackage, name }) !== undefined;
    return isOverlaid || isKnown ? [] : [{ folder, name: resource.plural }];
  });
  const ofTypes = [...types.values()].flatMap((type): UncoveredModel[] => {
    const fields = newFields(type, known);
    return fields.length > 0 ? [{ folder: type.folder, name: type.name, fields }] : [];
  });
  return [...ofResources, ...ofTypes].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

const keyOf = ({ folder, name }: UncoveredModel): string => `${folder} ${name}`;

/** The members of every kind and list. */
const universal = new Set(['metadata', 'items']);

function newFields({ goPackage, name, fields, rules, defaults }: TypeModel, known: GoTypes): string[] {
  if (goPackage === undefined) return [];
  // Overlays apply to a type in other versions of its group too.
  const versions = known.packages.filter((other) => parentOf(other) === parentOf(goPackage));
  const structs = versions.flatMap((version) => known.struct({ package: version, name })?.facts.fields ?? []);
  const named = [...rules, ...defaults].flatMap((rule) => ('field' in rule ? [rule.field] : []));
  const covered = new Set([...universal, ...structs.map(({ json }) => json), ...named]);
  return fields
    .filter(({ json, inlinedFrom, protoNumber, markers }) => {
      const isOwn = inlinedFrom === undefined && protoNumber !== undefined;
      return isOwn && !covered.has(json) && !markers.some((marker) => marker.startsWith('+k8s:'));
    })
    .map(({ json }) => json);
}

const parentOf = (goPackage: string): string => goPackage.slice(0, goPackage.lastIndexOf('/'));
