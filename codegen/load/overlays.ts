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
import { isObject } from './json.ts';
import { folderOf } from './packages.ts';
import type { GatheredResource } from './resources.ts';
import type { ProblemList } from './schema-errors.ts';

export interface OverlayFile {
  /** `core/v1`. */
  readonly folder: string;
  /** For error messages: `overlays/core/v1.yaml`. */
  readonly file: string;
  readonly overlay: OverlayDocument;
}

export interface Overlays {
  readonly files: readonly OverlayFile[];
  /** The release that the overlays were written for. The schemas of another release may lack what they name. */
  readonly release?: string;
  /**
   * Where the objects of a resource lie if its overlay does not say it, as `{group}/{resource}`, which is the default, and
   * what groups without overlays have: the objects of groups of one's own never lie where Kubernetes' own do.
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
    if (isOverlay(overlay, file, problems) && !hasFaults(overlay, file, text, problems))
      files.push({ folder: name.replace(/\.yaml$/, ''), file, overlay });
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

/** An empty file is no overlay, and no problem. */
function isOverlay(overlay: unknown, file: string, problems: ProblemList): overlay is OverlayDocument {
  if (overlay === null) return false;
  const faults = isObject(overlay) ? ['types', 'resources'].filter((key) => !isMap(overlay[key] ?? {})) : [];
  if (!isObject(overlay)) problems.add(file, [], 'is not an object');
  for (const key of faults) problems.add(file, [key], 'is not an object of objects');
  return isObject(overlay) && faults.length === 0;
}

/** Reports selectable fields in the form that a CustomResourceDefinition or a list of paths has. */
function hasFaults(overlay: OverlayDocument, file: string, text: string, problems: ProblemList): boolean {
  const faults = Object.entries(overlay.resources ?? {}).filter(
    ([, facts]) => facts?.selectableFields !== undefined && !isObject(facts.selectableFields),
  );
  for (const [plural] of faults) {
    const path = ['resources', plural, 'selectableFields'];
    const why = 'is a map of labels to paths, as { spec.model: spec.model }';
    problems.add(`${file}:${lineIn(text, path)}`, path, why);
  }
  return faults.length > 0;
}

function lineIn(text: string, path: readonly string[]): number {
  const lines = new LineCounter();
  const node = parseDocument(text, { lineCounter: lines }).getIn(path, true);
  return isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1;
}

const isMap = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((member) => member === null || isObject(member));

/** A resource with its overlay's declarative facts applied, and the whole overlay. */
export interface OverlaidResource {
  readonly resource: GatheredResource;
  readonly facts: ResourceOverlay;
  /** Whether an overlay names the resource. */
  readonly isOverlaid: boolean;
}

/**
 * Applies overlays to types and resources. It is a problem if the schemas lack what an overlay names, unless the
 * overlays were written for another release than `release`.
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
    const known = new Set(type.fields.map(({ json }) => json));
    const has = (field: string | undefined, where: readonly string[]): boolean => {
      if (field === undefined || known.has(field.split(/[.[]/)[0])) return true;
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
        ...(open.has(field.json) ? { openEnum: true } : {}),
        ...(kept.has(field.json) ? { keptEmpty: true } : {}),
      })),
      defaults: [...type.defaults, ...rulesOf(facts.defaults, 'defaults')],
      rules: [...type.rules, ...rulesOf(facts.rules, 'rules')],
    };
  }

  /** Where this release stores a resource, if not where the others do. */
  storage({ group, version, plural }: GatheredResource): StorageOverlay | undefined {
    const folder = folderOf(group, version);
    const overlay = this.#overlays.files.find((each) => each.folder === folder)?.overlay;
    return overlay?.releases?.[this.#release]?.[plural];
  }

  resources(resources: readonly GatheredResource[]): OverlaidResource[] {
    const facts = new Map<string, ResourceOverlay>();
    const known = new Set(resources.map(keyOf));
    const folders = new Set(resources.map(folderOfResource));
    const strategies = new Map(this.#overlays.files.map(({ folder, overlay }) => [folder, overlay.strategy]));
    for (const { folder, file, overlay } of this.#overlays.files) {
      for (const [plural, of] of Object.entries(overlay.resources ?? {})) {
        const key = `${folder} ${plural}`;
        if (known.has(key)) facts.set(key, of ?? {});
        else if (folders.has(folder)) this.#missing(file, ['resources', plural], `${folder} has no resource ${plural}`);
      }
    }
    return resources.map((resource) => {
      const overlay = facts.get(keyOf(resource)) ?? {};
      const strategy = { ...strategies.get(folderOfResource(resource)), ...overlay.strategy };
      const { resourcePrefix = this.#resourcePrefix(resource) } = overlay;
      const overlaid = overlayResource(resource, { ...overlay, strategy, resourcePrefix });
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
    ...(resourcePrefix === undefined ? {} : { resourcePrefix }),
    ...(deprecated ? { deprecated } : {}),
    strategy: { ...resource.strategy, ...overlay.strategy },
    subresources: resource.subresources.map((each) => (scale && each.name === 'scale' ? { ...each, scale } : each)),
  };
}
