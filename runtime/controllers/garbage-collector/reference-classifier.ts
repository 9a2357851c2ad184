import type { OwnerReference } from '../../machinery/object.ts';
import { findCorrupt } from '../../resources/corrupt-objects.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { DependencyGraph } from './graph.ts';
import { gcMetadataOf, type ObjectReference } from './object-reference.ts';
import type { RESTMapper } from './rest-mapper.ts';

/**
 * The owners of a dependent (classifyReferences):
 * - solid: existing owners that are not being deleted in the foreground
 * - waitingForDependents: owners that are being deleted in the foreground
 * - dangling: owners that do not exist
 */
export interface ClassifiedReferences {
  readonly solid: readonly OwnerReference[];
  readonly waitingForDependents: readonly OwnerReference[];
  readonly dangling: readonly OwnerReference[];
}

/**
 * `unknown-kind`: an owner's kind is not served, which may change. `namespaced-owner`: a cluster-scoped object refers to
 * an owner with a namespace, which is always invalid. (restMappingError, namespacedOwnerOfClusterScopedObjectErr)
 */
export type ClassifyResult = ClassifiedReferences | 'unknown-kind' | 'namespaced-owner';

type ReportInvalidNamespace = (dependent: ObjectReference, owner: OwnerReference) => void;

/** Classifies owner references by looking the owners up in the store. (garbagecollector.go classifyReferences) */
export class ReferenceClassifier {
  readonly #mapper: RESTMapper;
  readonly #graph: DependencyGraph;
  readonly #reportInvalidNamespace: ReportInvalidNamespace;

  /** @param reportInvalidNamespace called for an owner in another namespace than its dependent */
  constructor(mapper: RESTMapper, graph: DependencyGraph, reportInvalidNamespace: ReportInvalidNamespace) {
    this.#mapper = mapper;
    this.#graph = graph;
    this.#reportInvalidNamespace = reportInvalidNamespace;
  }

  async classify(dependent: ObjectReference, owners: readonly OwnerReference[]): Promise<ClassifyResult> {
    const found: Record<keyof ClassifiedReferences, OwnerReference[]> = {
      solid: [],
      waitingForDependents: [],
      dangling: [],
    };
    for (const owner of owners) {
      const store = await this.#mapper.storeForKind(owner.apiVersion, owner.kind);
      if (store === undefined) return 'unknown-kind';
      if (store.definition.namespaced && dependent.namespace === '') {
        this.#checkNamespace(dependent, owner, owners, store);
        return 'namespaced-owner';
      }
      found[this.#classifyOne(dependent, owner, owners, store)].push(owner);
    }
    return found;
  }

  #classifyOne(
    dependent: ObjectReference,
    owner: OwnerReference,
    owners: readonly OwnerReference[],
    store: ResourceStore,
  ): keyof ClassifiedReferences {
    const { namespaced } = store.definition;
    const key = { namespace: namespaced ? dependent.namespace : '', name: owner.name };
    const stored = store.collection.latest().get(key.namespace, key.name);
    if (stored?.uid === owner.uid) return gcMetadataOf(stored).deletingDependents ? 'waitingForDependents' : 'solid';
    if (stored === undefined && findCorrupt(store.collection, key) !== undefined) {
      throw new Error(`${owner.kind} ${owner.name}, an owner of ${dependent.name}, cannot be read`);
    }
    if (namespaced) this.#checkNamespace(dependent, owner, owners, store);
    return 'dangling';
  }

  /**
   * Reports the owner if it is in another namespace.
   *
   * @param owners all owners of the dependent: those of one kind are looked up together
   */
  #checkNamespace(dependent: ObjectReference, owner: OwnerReference, owners: readonly OwnerReference[], store: ResourceStore): void {
    if (this.#graph.ownerLocation(owner.uid) === undefined) {
      const ofSameKind = owners.filter(({ apiVersion, kind }) => apiVersion === owner.apiVersion && kind === owner.kind);
      this.#locate(new Set(ofSameKind.map(({ uid }) => uid)), store);
    }
    const location = this.#graph.ownerLocation(owner.uid) ?? 'absent';
    if (location !== 'absent' && location.namespace !== dependent.namespace) {
      this.#reportInvalidNamespace(dependent, owner);
    }
  }

  /** Finds owners in any namespace by a scan of all objects of their kind. */
  #locate(uids: ReadonlySet<string>, store: ResourceStore): void {
    for (const uid of uids) this.#graph.setOwnerLocation(uid, 'absent');
    for (const { uid, namespace } of store.collection.latest().scan()) {
      if (uids.has(uid)) this.#graph.setOwnerLocation(uid, { namespace });
    }
  }
}
