import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type {
  DefaultRule,
  OverlayDocument,
  ResourceOverlay,
  StorageOverlay,
  TypeModel,
  TypeOverlay,
  ValidationRule,
} from '../model/model.ts';
import { listFiles, readIfPresent } from './files.ts';
import { pathFaults } from './overlay-paths.ts';
import { overlayFaults } from './overlay-shape.ts';
import { folderOf } from './packages.ts';
import type { GatheredResource } from './resources.ts';
import type { ProblemList } from './schema-errors.ts';

export interface OverlayFile {
  /** The folder of the group-version: `core/v1`. */
  readonly folder: string;
  /** The file, for error messages: `overlays/core/v1.yaml`. */
  readonly file: string;
  readonly overlay: OverlayDocument;
  /** Returns the line of a setting, by the parts of its pointer. */
  readonly lineOf: (path: readonly string[]) => number;
}

export interface Overlays {
  readonly files: readonly OverlayFile[];
  /** The release that the overlays were written for. Another release may lack types and fields that they name. */
  readonly release?: string;
  /**
   * The storage prefix of resources whose overlay sets none. Default, also for groups without overlays:
   * `{group}/{resource}`, so that objects of custom groups never share a prefix with Kubernetes' own.
   */
  readonly resourcePrefix?: string;
}

export const noOverlays: Overlays = { files: [] };

/** Reads `<dir>/<group>/<version>.yaml` and `<dir>/release.yaml` (`release: v1.35`, `resourcePrefix: '{resource}'`). */
export async function readOverlays(dir: string, problems: ProblemList): Promise<Overlays> {
  const files: OverlayFile[] = [];
  for (const name of await listFiles(dir, '.yaml')) {
    if (!name.includes('/')) continue;
    const file = `overlays/${name}`;
    const text = await readFile(join(dir, name), 'utf8');
    const overlay = readYaml(text, file, problems);
    if (isOverlay(overlay, file, text, problems))
      files.push({ folder: name.replace(/\.yaml$/, ''), file, overlay, lineOf: (path) => lineIn(text, path) });
  }
  const text = await readIfPresent(join(dir, 'release.yaml'));
  const about = text === undefined ? null : (readYaml(text, 'overlays/release.yaml', problems) as ReleaseFile | null);
  const { release, resourcePrefix } = about ?? {};
  return { files, ...(release ? { release } : {}), ...(resourcePrefix ? { resourcePrefix } : {}) };
}

type ReleaseFile = Pick<Overlays, 'release' | 'resourcePrefix'>;

function readYaml(text: string, file: string, problems: ProblemList): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  for (const { pos, message } of document.errors) {
    const { line, col } = lines.linePos(pos[0]);
    problems.add(`${file}:${line}:${col}`, [], message);
  }
  return document.errors.length > 0 ? null : document.toJS();
}

/** Reports whether a file has an overlay. An empty file has none, without a problem. */
function isOverlay(overlay: unknown, file: string, text: string, problems: ProblemList): overlay is OverlayDocument {
  const faults = overlayFaults(overlay);
  for (const { pointer, message } of faults) problems.add(`${file}:${lineIn(text, pointer)}`, pointer, message);
  return overlay !== null && faults.length === 0;
}

function lineIn(text: string, path: readonly string[]): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** A resource with its overlay's declarative facts applied, and the whole overlay. */
export interface OverlaidResource {
  readonly resource: GatheredResource;
  readonly facts: ResourceOverlay;
  /** Whether an overlay names the resource. */
  readonly isOverlaid: boolean;
}

/**
 * Applies overlays to types and resources. A name in an overlay that the schemas lack is a problem, unless the overlays
 * were written for another release than `release`.
 */
export class OverlayApplier {
  readonly #overlays: Overlays;
  readonly #release: string;
  readonly #problems: ProblemList;
  readonly #reportsMissing: boolean;

  constructor(overlays: Overlays, release: string, problems: ProblemList) {
    this.#overlays = overlays;
    this.#release = release;
    this.#problems = problems;
    this.#reportsMissing = overlays.release === undefined || overlays.release === release;
  }

  /** Returns the types with the rules of their overlays. */
  types(types: ReadonlyMap<string, TypeModel>): Map<string, TypeModel> {
    const result = new Map(types);
    const byName = new Map([...types.values()].map((type) => [`${type.folder} ${type.name}`, type]));
    const folders = new Set([...types.values()].map(({ folder }) => folder));
    for (const { folder, file, overlay } of this.#overlays.files) {
      if (!folders.has(folder)) {
        this.#missing(file, [], `the schemas have no group-version ${folder}`);
        continue;
      }
      if (overlay.validatedByStrategies) {
        for (const type of types.values()) if (type.folder === folder) result.set(type.id, withoutMarkers(type));
      }
      for (const [name, facts] of Object.entries(overlay.types ?? {})) {
        const id = byName.get(`${folder} ${name}`)?.id;
        const type = id && result.get(id);
        if (type) result.set(type.id, this.#type(type, facts, file));
        else this.#missing(file, ['types', name], `${folder} has no type ${name}`);
      }
    }
    return result;
  }

  #type(type: TypeModel, facts: TypeOverlay, file: string): TypeModel {
    const { ownLimits = false } = facts;
    const known = new Set(type.fields.map(({ json }) => json));
    const has = (field: string | undefined, where: readonly string[]): boolean => {
      if (field === undefined || known.has(field.replace(/[.[].*/s, ''))) return true;
      this.#missing(file, ['types', type.name, ...where], `${type.name} has no field ${field}`);
      return false;
    };
    const rulesOf = <T extends DefaultRule | ValidationRule>(rules: readonly T[] | undefined, key: string): T[] =>
      (rules ?? []).filter((rule, index) => has('field' in rule ? rule.field : undefined, [key, `${index}`]));
    const open = new Set((facts.openEnums ?? []).filter((field, index) => has(field, ['openEnums', `${index}`])));
    const kept = new Set((facts.keptEmpty ?? []).filter((field, index) => has(field, ['keptEmpty', `${index}`])));
    return {
      ...type,
      fields: type.fields.map((field) => ({
        ...field,
        ...(ownLimits ? { markers: [] } : {}),
        ...(open.has(field.json) ? { openEnum: true } : {}),
        ...(kept.has(field.json) ? { keptEmpty: true } : {}),
      })),
      defaults: [...type.defaults, ...rulesOf(facts.defaults, 'defaults')],
      rules: [...(ownLimits ? [] : type.rules), ...rulesOf(facts.rules, 'rules')],
    };
  }

  /** Returns where this release stores a resource, if it differs from the other releases. */
  storage({ group, version, plural }: GatheredResource): StorageOverlay | undefined {
    const folder = folderOf(group, version);
    const overlay = this.#overlays.files.find((each) => each.folder === folder)?.overlay;
    return overlay?.releases?.[this.#release]?.[plural];
  }

  /**
   * Reports settings of a custom kind without an effect: paths that its schema lacks, and a storage version that the
   * kind lacks.
   *
   * @param versions the versions of the kind
   */
  check(resource: GatheredResource, schema: Readonly<Record<string, unknown>>, versions: readonly string[]): void {
    const { plural } = resource;
    for (const { folder, file, overlay, lineOf } of this.#overlays.files) {
      const facts = folder === folderOfResource(resource) ? overlay.resources?.[plural] : undefined;
      if (!facts) continue;
      const { storageVersion, conversion } = facts;
      const faults = pathFaults(facts, schema);
      if (conversion !== undefined && versions.length === 1)
        faults.push({
          pointer: ['conversion'],
          message: `${plural} has one version, which is stored: nothing is converted`,
        });
      if (storageVersion !== undefined && !versions.includes(storageVersion))
        faults.push({ pointer: ['storageVersion'], message: `the versions of ${plural} are ${versions.join(', ')}` });
      for (const { pointer, message } of faults) {
        const path = ['resources', plural, ...pointer];
        this.#problems.add(`${file}:${lineOf(path)}`, path, message);
      }
    }
  }

  resources(resources: readonly GatheredResource[]): OverlaidResource[] {
    const facts = new Map<string, ResourceOverlay>();
    const known = new Set(resources.map(keyOf));
    const folders = new Set(resources.map(folderOfResource));
    const writeRules = new Map(this.#overlays.files.map(({ folder, overlay }) => [folder, overlay.writeRules]));
    for (const { folder, file, overlay } of this.#overlays.files) {
      for (const [plural, of] of Object.entries(overlay.resources ?? {})) {
        const key = `${folder} ${plural}`;
        if (known.has(key)) facts.set(key, of ?? {});
        else if (folders.has(folder)) this.#missing(file, ['resources', plural], `${folder} has no resource ${plural}`);
      }
    }
    return resources.map((resource) => {
      const overlay = facts.get(keyOf(resource)) ?? {};
      const rules = { ...writeRules.get(folderOfResource(resource)), ...overlay.writeRules };
      const { resourcePrefix = this.#resourcePrefix(resource) } = overlay;
      const overlaid = overlayResource(resource, { ...overlay, writeRules: rules, resourcePrefix });
      return { resource: overlaid, facts: overlay, isOverlaid: facts.has(keyOf(resource)) };
    });
  }

  #resourcePrefix({ group, plural, resourcePrefix }: GatheredResource): string {
    const isTheirs = this.#overlays.files.some(({ folder }) => folder.startsWith(`${group || 'core'}/`));
    if (!isTheirs) return resourcePrefix;
    return this.#overlays.resourcePrefix?.replace('{group}', group).replace('{resource}', plural) ?? resourcePrefix;
  }

  #missing(file: string, pointer: readonly string[], message: string): void {
    if (this.#reportsMissing) this.#problems.add(file, pointer, message);
  }
}

const withoutMarkers = (type: TypeModel): TypeModel => ({
  ...type,
  fields: type.fields.map((field) => ({ ...field, markers: [], openEnum: true })),
});

const folderOfResource = ({ group, version }: GatheredResource): string => folderOf(group, version);
const keyOf = (resource: GatheredResource): string => `${folderOfResource(resource)} ${resource.plural}`;

function overlayResource(resource: GatheredResource, overlay: ResourceOverlay): GatheredResource {
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
    selectableByNamespace,
    resourcePrefix,
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
    ...(selectableByNamespace === undefined ? {} : { selectableByNamespace }),
    ...(resourcePrefix === undefined ? {} : { resourcePrefix }),
    ...(deprecated ? { deprecated } : {}),
    writeRules: { ...resource.writeRules, ...overlay.writeRules },
    subresources: resource.subresources.map((each) => (scale && each.name === 'scale' ? { ...each, scale } : each)),
  };
}
