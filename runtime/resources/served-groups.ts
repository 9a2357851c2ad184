import type { GroupVersionCatalog, OpenApiPart } from '../machinery/catalog.ts';
import { compareVersions } from '../machinery/kube-versions.ts';
import type { ResourceDefinition, ResourceFacts } from '../machinery/resource.ts';
import type { LiveResource } from './registry.ts';

/**
 * Groups and versions in the order of discovery: those of catalogs as they came, then the others by name; within a
 * group versions that definitions bring, the ripest first, then those of catalogs as they came. Lists are made when they
 * are read. (kube-aggregator pkg/apis/apiregistration/v1/helper: groups of CustomResourceDefinitions have the priority
 * 1000, which is the lowest, and all versions of one the priority 100, which is above that of every built-in version)
 */
export class ServedGroups {
  readonly #versions = new Map<string, ServedGroupVersion>();
  #all: readonly GroupVersionCatalog[] | undefined;

  add(base: GroupVersionCatalog): void {
    this.#place(new ServedGroupVersion(base.group, base.version, base));
  }

  has(group: string, version: string): boolean {
    return this.#versions.has(`${group}/${version}`);
  }

  all(): readonly GroupVersionCatalog[] {
    this.#all ??= inOrder([...this.#versions.values()]);
    return this.#all;
  }

  put(resource: LiveResource): void {
    const { group, version } = resource.facts;
    const known = this.#versions.get(`${group}/${version}`);
    if (known !== undefined) known.put(resource);
    else {
      const made = new ServedGroupVersion(group, version);
      made.put(resource);
      this.#place(made);
    }
  }

  describe(facts: ResourceFacts): void {
    this.#versions.get(`${facts.group}/${facts.version}`)?.describe(facts);
  }

  remove(group: string, version: string, resource: string): void {
    const key = `${group}/${version}`;
    const known = this.#versions.get(key);
    if (known === undefined || known.remove(resource)) return;
    this.#versions.delete(key);
    this.#all = undefined;
  }

  #place(groupVersion: ServedGroupVersion): void {
    this.#versions.set(`${groupVersion.group}/${groupVersion.version}`, groupVersion);
    this.#all = undefined;
  }
}

function inOrder(versions: readonly ServedGroupVersion[]): readonly GroupVersionCatalog[] {
  const groups = new Map<string, ServedGroupVersion[]>();
  for (const version of versions) {
    const others = groups.get(version.group);
    if (others === undefined) groups.set(version.group, [version]);
    else others.push(version);
  }
  const fixed = [...groups.values()].filter((group) => group.some(({ isFixed }) => isFixed));
  const live = [...groups.values()].filter((group) => !group.some(({ isFixed }) => isFixed));
  live.sort(([a], [b]) => (a.group < b.group ? -1 : 1));
  return [...fixed, ...live].flatMap((group) => [
    ...group.filter(({ isFixed }) => !isFixed).sort((a, b) => compareVersions(b.version, a.version)),
    ...group.filter(({ isFixed }) => isFixed),
  ]);
}

/** What is served of one group-version: the resources of a catalog, and those that come and go. */
class ServedGroupVersion implements GroupVersionCatalog {
  readonly group: string;
  readonly version: string;
  readonly #base: GroupVersionCatalog | undefined;
  readonly #live = new Map<string, LiveResource>();
  #resources: readonly ResourceFacts[] | undefined;
  #parts: readonly OpenApiPart[] | undefined;

  constructor(group: string, version: string, base?: GroupVersionCatalog) {
    this.group = group;
    this.version = version;
    this.#base = base;
  }

  /** A catalog has it. */
  get isFixed(): boolean {
    return this.#base !== undefined;
  }

  get openapi(): GroupVersionCatalog['openapi'] {
    return this.#base?.openapi;
  }

  get schemasFile(): string | undefined {
    return this.#base?.schemasFile;
  }

  get resources(): readonly ResourceFacts[] {
    this.#resources ??= [...(this.#base?.resources ?? []), ...[...this.#live.values()].map(({ facts }) => facts)];
    return this.#resources;
  }

  get openapiParts(): readonly OpenApiPart[] {
    this.#parts ??= [
      ...(this.#base?.openapiParts ?? []),
      ...[...this.#live.values()].flatMap(({ openapi }) => openapi ?? []),
    ];
    return this.#parts;
  }

  async load(): Promise<readonly ResourceDefinition[]> {
    const base = (await this.#base?.load()) ?? [];
    return [...base, ...(await Promise.all([...this.#live.values()].map((resource) => resource.load())))];
  }

  put(resource: LiveResource): void {
    this.#live.set(resource.facts.resource, resource);
    this.#forget();
  }

  describe(facts: ResourceFacts): void {
    const known = this.#live.get(facts.resource);
    if (known !== undefined) this.put({ ...known, facts });
  }

  /** False when nothing is left. */
  remove(resource: string): boolean {
    this.#live.delete(resource);
    this.#forget();
    return this.isFixed || this.#live.size > 0;
  }

  #forget(): void {
    this.#resources = undefined;
    this.#parts = undefined;
  }
}
