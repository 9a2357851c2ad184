import type { GroupVersionCatalog, OpenApiPart } from '../machinery/catalog.ts';
import { compareKubeAwareVersions } from '../machinery/kube-versions.ts';
import type { ResourceDefinition, ResourceFacts } from '../machinery/resource.ts';

/** A resource at one version that is added and removed while the server runs. */
export interface DynamicResource {
  readonly facts: ResourceFacts;
  /** Called on the first request for the resource, and again only after a failure. */
  load(): Promise<ResourceDefinition>;
  readonly openapi?: OpenApiPart;
}

/**
 * Groups and versions in discovery order. Groups of catalogs come first, in the order of addition, then the others by
 * name. Within a group, dynamic versions come first, the most stable before the others, then the versions of catalogs
 * in the order of addition. Lists are computed when they are read. (kube-aggregator pkg/apis/apiregistration/v1/helper:
 * groups of CustomResourceDefinitions have priority 1000, the lowest, and their versions priority 100, above every
 * built-in version)
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

  put(resource: DynamicResource): void {
    const { group, version } = resource.facts;
    const known = this.#versions.get(`${group}/${version}`);
    if (known !== undefined) known.put(resource);
    else {
      const made = new ServedGroupVersion(group, version);
      made.put(resource);
      this.#place(made);
    }
  }

  updateFacts(facts: ResourceFacts): void {
    this.#versions.get(`${facts.group}/${facts.version}`)?.updateFacts(facts);
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
  const fromCatalogs = [...groups.values()].filter((group) => group.some(({ isStatic }) => isStatic));
  const dynamic = [...groups.values()].filter((group) => !group.some(({ isStatic }) => isStatic));
  const nameOf = ([first]: (typeof dynamic)[number]): string => first?.group ?? '';
  dynamic.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return [...fromCatalogs, ...dynamic].flatMap((group) => [
    ...group.filter(({ isStatic }) => !isStatic).sort((a, b) => compareKubeAwareVersions(b.version, a.version)),
    ...group.filter(({ isStatic }) => isStatic),
  ]);
}

/** The resources of one group-version, of a catalog and dynamic. */
class ServedGroupVersion implements GroupVersionCatalog {
  readonly group: string;
  readonly version: string;
  readonly #base: GroupVersionCatalog | undefined;
  readonly #dynamic = new Map<string, DynamicResource>();
  #resources: readonly ResourceFacts[] | undefined;
  #parts: readonly OpenApiPart[] | undefined;

  constructor(group: string, version: string, base?: GroupVersionCatalog) {
    this.group = group;
    this.version = version;
    this.#base = base;
  }

  /** Reports whether a catalog has the group-version. */
  get isStatic(): boolean {
    return this.#base !== undefined;
  }

  get openapi(): GroupVersionCatalog['openapi'] {
    return this.#base?.openapi;
  }

  get schemasFile(): string | undefined {
    return this.#base?.schemasFile;
  }

  get resources(): readonly ResourceFacts[] {
    this.#resources ??= [...(this.#base?.resources ?? []), ...[...this.#dynamic.values()].map(({ facts }) => facts)];
    return this.#resources;
  }

  get openapiParts(): readonly OpenApiPart[] {
    this.#parts ??= [...(this.#base?.openapiParts ?? []), ...[...this.#dynamic.values()].flatMap(({ openapi }) => openapi ?? [])];
    return this.#parts;
  }

  async load(): Promise<readonly ResourceDefinition[]> {
    const base = (await this.#base?.load()) ?? [];
    return [...base, ...(await Promise.all([...this.#dynamic.values()].map((resource) => resource.load())))];
  }

  put(resource: DynamicResource): void {
    this.#dynamic.set(resource.facts.resource, resource);
    this.#invalidate();
  }

  updateFacts(facts: ResourceFacts): void {
    const known = this.#dynamic.get(facts.resource);
    if (known !== undefined) this.put({ ...known, facts });
  }

  /** Returns false if no resource is left. */
  remove(resource: string): boolean {
    this.#dynamic.delete(resource);
    this.#invalidate();
    return this.isStatic || this.#dynamic.size > 0;
  }

  #invalidate(): void {
    this.#resources = undefined;
    this.#parts = undefined;
  }
}
