import type { GroupVersionCatalog } from '../../../machinery/catalog.ts';
import { formatGroupVersion, type GroupVersion } from '../../../machinery/gvk.ts';
import { apiregistrationGroup, type Registered, sortedByGroupAndVersion } from '../api-service.ts';
import { type APIServicePriority, apiregistrationPriority, catalogPriorities, crdPriority } from '../registration/priorities.ts';
import { type OrderedGroup, orderedGroups, type Prioritized } from './group-discovery.ts';

/** A group of /apis, its preferred version first. */
interface RegisteredGroup {
  readonly name: string;
  readonly versions: readonly string[];
}

export interface AggregatedDiscoveryOptions {
  /** The group-versions that are always served. */
  readonly catalogs: readonly GroupVersion[];
  /** Returns the APIServices, as a new list after each change. */
  readonly registered: () => readonly Registered[];
  /** Returns the versions of other servers. */
  readonly remote: () => Iterable<Prioritized>;
}

/**
 * The groups of discovery: the registered groups, and in aggregated discovery all local and remote groups. Remote
 * versions take precedence. (kube-aggregator pkg/apiserver/handler_apis.go, handler_discovery.go)
 */
export class AggregatedDiscovery {
  readonly #options: AggregatedDiscoveryOptions;
  readonly #priorities = new Map<string, APIServicePriority>();
  readonly #own: RegisteredGroup;
  #groups: { readonly of: readonly Registered[]; readonly byName: ReadonlyMap<string, RegisteredGroup> } | undefined;

  constructor(options: AggregatedDiscoveryOptions) {
    this.#options = options;
    for (const [one, priority] of catalogPriorities(options.catalogs)) {
      const isOwn = one.group === apiregistrationGroup;
      this.#priorities.set(formatGroupVersion(one), isOwn ? apiregistrationPriority : priority);
    }
    const own = options.catalogs.filter(({ group }) => group === apiregistrationGroup);
    this.#own = { name: apiregistrationGroup, versions: own.map(({ version }) => version) };
  }

  /** Returns the groups in order. The aggregator's own group, which has no APIService, comes first. */
  apiGroups(): RegisteredGroup[] {
    const others = [...this.#registeredGroups().values()];
    return [this.#own, ...others.filter(({ name }) => name !== '' && name !== apiregistrationGroup)];
  }

  apiGroup(name: string): RegisteredGroup | undefined {
    return this.#registeredGroups().get(name);
  }

  groupDiscovery(served: readonly GroupVersionCatalog[]): OrderedGroup[] {
    const all = [...this.#options.remote(), ...served.map((one) => this.#prioritized(one))];
    return orderedGroups(all.filter(({ group }) => group !== ''));
  }

  /** Returns the registered groups in order, sorted once for each change of an APIService. */
  #registeredGroups(): ReadonlyMap<string, RegisteredGroup> {
    const registered = this.#options.registered();
    if (this.#groups?.of !== registered) {
      const groups = sortedByGroupAndVersion(registered).map(registeredGroup);
      this.#groups = { of: registered, byName: new Map(groups.map((group) => [group.name, group])) };
    }
    return this.#groups.byName;
  }

  #prioritized(value: GroupVersionCatalog): Prioritized {
    const { group, version } = value;
    return { group, version, value, priority: this.#priorities.get(formatGroupVersion(value)) ?? crdPriority };
  }
}

function registeredGroup(versions: readonly Registered[]): RegisteredGroup {
  return { name: versions[0]?.spec.group ?? '', versions: versions.map(({ spec }) => spec.version ?? '') };
}
