import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import type { OverlayDocument, ResourceOverlay, TypeModel, TypeOverlay } from '../model/model.ts';
import { listFiles, readIfPresent } from './files.ts';
import type { BareResource } from './resources.ts';
import type { ProblemList } from './schema-errors.ts';

export interface OverlayFile {
  /** `core/v1`. */
  readonly folder: string;
  /** For messages: `overlays/core/v1.yaml`. */
  readonly file: string;
  readonly overlay: OverlayDocument;
}

export interface Overlays {
  readonly files: readonly OverlayFile[];
  /** The release the overlays were written for; a schemas folder of another release may lack what they name. */
  readonly release?: string;
}

export const noOverlays: Overlays = { files: [] };

/** Reads `<dir>/<group>/<version>.yaml` and `<dir>/release.yaml` (`release: v1.35`). */
export async function readOverlays(dir: string, problems: ProblemList): Promise<Overlays> {
  const files: OverlayFile[] = [];
  for (const name of await listFiles(dir, '.yaml')) {
    if (!name.includes('/')) continue;
    const file = `overlays/${name}`;
    const overlay = readYaml(await readFile(join(dir, name), 'utf8'), file, problems) as OverlayDocument | null;
    if (overlay) files.push({ folder: name.replace(/\.yaml$/, ''), file, overlay });
  }
  const text = await readIfPresent(join(dir, 'release.yaml'));
  const about = text === undefined ? {} : (readYaml(text, 'overlays/release.yaml', problems) as { release?: string });
  return { files, ...(about?.release ? { release: about.release } : {}) };
}

function readYaml(text: string, file: string, problems: ProblemList): unknown {
  const document = parseDocument(text);
  for (const error of document.errors) problems.add(file, [], error.message.split('\n')[0]);
  return document.errors.length > 0 ? null : document.toJS();
}

/**
 * The types with their overlays' rules. `complain` is off where the schemas are of another release than the overlays:
 * then what is absent is passed over.
 */
export function overlayTypes(
  types: ReadonlyMap<string, TypeModel>,
  overlays: Overlays,
  complain: boolean,
  problems: ProblemList,
): Map<string, TypeModel> {
  const result = new Map(types);
  const byName = new Map([...types.values()].map((type) => [`${type.folder} ${type.name}`, type]));
  const folders = new Set([...types.values()].map(({ folder }) => folder));
  for (const { folder, file, overlay } of overlays.files) {
    if (!folders.has(folder)) {
      if (complain) problems.add(file, [], `the schemas have no group-version ${folder}`);
      continue;
    }
    for (const [name, facts] of Object.entries(overlay.types ?? {})) {
      const type = byName.get(`${folder} ${name}`);
      if (type) result.set(type.id, overlayType(type, facts, [file, name], complain, problems));
      else if (complain) problems.add(file, ['types', name], `${folder} has no type ${name}`);
    }
  }
  return result;
}

function overlayType(
  type: TypeModel,
  facts: TypeOverlay,
  [file, name]: readonly [string, string],
  complain: boolean,
  problems: ProblemList,
): TypeModel {
  const known = new Set(type.fields.map(({ json }) => json));
  const has = (field: string | undefined, where: readonly string[]): boolean => {
    if (field === undefined || known.has(field.split(/[.[]/)[0])) return true;
    if (complain) problems.add(file, ['types', name, ...where], `${name} has no field ${field}`);
    return false;
  };
  const listed = <T extends object>(rules: readonly T[] | undefined, key: string): T[] =>
    (rules ?? []).filter((rule, index) => has((rule as { field?: string }).field, [key, `${index}`]));
  const open = new Set((facts.openEnums ?? []).filter((field, index) => has(field, ['openEnums', `${index}`])));
  return {
    ...type,
    fields: type.fields.map((field) => {
      if (!open.has(field.json)) return field;
      const { enum: _, ...rest } = field;
      return rest;
    }),
    defaults: [...type.defaults, ...listed(facts.defaults, 'defaults')],
    rules: [...type.rules, ...listed(facts.rules, 'rules')],
  };
}

/** What an overlay says about a resource, and the resource with the plain part of it. */
export interface OverlaidResource {
  readonly resource: BareResource;
  readonly facts: ResourceOverlay;
}

export function overlayResources(
  resources: readonly BareResource[],
  overlays: Overlays,
  folder: (resource: BareResource) => string,
  complain: boolean,
  problems: ProblemList,
): OverlaidResource[] {
  const facts = new Map<string, ResourceOverlay>();
  const present = new Set(resources.map((resource) => `${folder(resource)} ${resource.plural}`));
  const folders = new Set(resources.map(folder));
  const strategies = new Map(overlays.files.map(({ folder, overlay }) => [folder, overlay.strategy]));
  for (const file of overlays.files) {
    for (const [plural, overlay] of Object.entries(file.overlay.resources ?? {})) {
      const key = `${file.folder} ${plural}`;
      if (present.has(key)) facts.set(key, overlay ?? {});
      else if (complain && folders.has(file.folder))
        problems.add(file.file, ['resources', plural], `${file.folder} has no resource ${plural}`);
    }
  }
  return resources.map((resource) => {
    const place = folder(resource);
    const overlay = facts.get(`${place} ${resource.plural}`) ?? {};
    const strategy = { ...strategies.get(place), ...overlay.strategy };
    return { resource: overlayResource(resource, { ...overlay, strategy }), facts: overlay };
  });
}

function overlayResource(resource: BareResource, overlay: ResourceOverlay): BareResource {
  const {
    shortNames,
    categories,
    singular,
    stored,
    columns,
    rowConditions,
    rowOrder,
    selectableFields,
    scale,
    deprecated,
    unsupportedFieldLabel,
  } = overlay;
  return {
    ...resource,
    ...(shortNames ? { shortNames } : {}),
    ...(categories ? { categories } : {}),
    ...(singular !== undefined ? { singular } : {}),
    ...(stored !== undefined ? { stored } : {}),
    ...(columns ? { columns } : {}),
    ...(rowConditions === undefined ? {} : { rowConditions }),
    ...(rowOrder === undefined ? {} : { rowOrder }),
    ...(selectableFields ? { selectableFields } : {}),
    ...(unsupportedFieldLabel === undefined ? {} : { unsupportedFieldLabel }),
    ...(deprecated ? { deprecated } : {}),
    strategy: { ...resource.strategy, ...overlay.strategy },
    subresources: resource.subresources.map((each) => (scale && each.name === 'scale' ? { ...each, scale } : each)),
  };
}
