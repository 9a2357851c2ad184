import { setMaxListeners } from 'node:events';
import type { CustomResourceDefinition } from '../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { TypeDefinition } from '../../machinery/resource.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';
import { crdGroup, crdResource, isCRDConditionTrue } from './api-helpers.ts';
import { AcceptedNames } from './controllers/accepted-names.ts';
import { CRDFinalizer, type Instances } from './controllers/finalizer.ts';
import { noNames } from './controllers/naming.ts';
import { NonStructuralSchemaController } from './controllers/nonstructural-schema.ts';
import { type DesiredStatus, desiredStatus, hasStatus, reconcileStatus } from './controllers/status.ts';
import { CustomResourceHandler } from './custom-resource-handler.ts';
import { customResourceDefinitionStrategy } from './definition-strategy.ts';
import { Definitions } from './definitions.ts';
import { decodeWithoutSchemas } from './without-schemas.ts';

export interface CustomResourcesOptions {
  readonly stores: ResourceStores;
  readonly report: (error: unknown) => void;
  /** Loads autoscaling/v1 Scale. Absent: custom resources have no scale subresource. */
  readonly scaleType?: () => Promise<TypeDefinition>;
}

/**
 * Serves the resources of CustomResourceDefinitions. Watches the definitions: maintains their status, serves each
 * established definition, and deletes the instances of a deleted one. The cost of a change does not depend on the
 * number of definitions.
 *
 * Definitions are passed around without their schemas; see decodeWithoutSchemas.
 */
export class CustomResources {
  readonly #options: CustomResourcesOptions;
  readonly #shutdown = new AbortController();
  #running: RunningCustomResources | undefined;

  constructor(options: CustomResourcesOptions) {
    this.#options = options;
    // every running deletion listens to this signal
    setMaxListeners(0, this.#shutdown.signal);
  }

  /** Resolves when every established definition is served. Does nothing on a server without definitions. */
  async start(): Promise<void> {
    const { stores } = this.#options;
    if (!stores.serves(crdGroup, 'v1', crdResource)) return;
    stores.setStrategy(crdGroup, crdResource, customResourceDefinitionStrategy);
    const definitions = new Definitions(await stores.byResource(crdGroup, 'v1', crdResource));
    this.#running = new RunningCustomResources(this.#options, definitions, this.#shutdown.signal);
    this.#running.start();
  }

  /** Resolves when no write is under way. */
  async close(): Promise<void> {
    this.#shutdown.abort(new Error('the server is shutting down'));
    await this.#running?.close();
  }
}

class RunningCustomResources {
  readonly #options: CustomResourcesOptions;
  readonly #definitions: Definitions;
  readonly #signal: AbortSignal;
  readonly #names: AcceptedNames;
  readonly #nonStructuralSchemas = new NonStructuralSchemaController();
  readonly #finalizer: CRDFinalizer;
  readonly #handlers = new Map<string, CustomResourceHandler>();
  /** Definitions with names that were not accepted, by group. */
  readonly #conflicting = new Map<string, Set<string>>();
  readonly #statusUpdates = new Map<string, Promise<void>>();
  #stopWatch: () => void = () => undefined;

  constructor(options: CustomResourcesOptions, definitions: Definitions, signal: AbortSignal) {
    const { stores, report } = options;
    this.#options = options;
    this.#definitions = definitions;
    this.#signal = signal;
    this.#names = new AcceptedNames(stores.registry);
    this.#finalizer = new CRDFinalizer({
      definitions,
      clock: stores.clock,
      signal,
      report,
      instances: (name) => this.#instances(name),
    });
  }

  start(): void {
    const { collection } = this.#definitions;
    const snapshot = collection.latest();
    const existing = [...snapshot.scan()].map((stored) => ({ stored, crd: decodeWithoutSchemas(stored) }));
    // accepted names take precedence over requested names
    for (const { crd } of existing) {
      this.#setNames(crd);
      this.#nonStructuralSchemas.trust(crd);
    }
    for (const { stored, crd } of existing) this.#sync(stored, crd);
    this.#stopWatch = collection.watch({ after: snapshot.revision, onEvent: (event) => this.#onEvent(event) });
  }

  async close(): Promise<void> {
    this.#stopWatch();
    await Promise.allSettled(this.#statusUpdates.values());
    await this.#finalizer.close();
  }

  #onEvent({ type, object, previous }: ObjectEvent): void {
    try {
      if (type === 'DELETED') this.#remove(object.name);
      else this.#sync(object, decodeWithoutSchemas(object), previous);
    } catch (error) {
      this.#options.report(error);
    }
  }

  #sync(stored: StoredObject, crd: CustomResourceDefinition, previous?: StoredObject): void {
    const { name } = stored;
    const handler = this.#handlers.get(name);
    if (handler !== undefined && handler.uid !== crd.metadata.uid) this.#remove(name);
    this.#setNames(crd);
    this.#handlerOf(stored, crd).update(crd, stored, previous);
    if (crd.metadata.deletionTimestamp) this.#finalizer.enqueue(crd, previous && decodeWithoutSchemas(previous));
    else this.#syncStatus(name, crd);
  }

  #handlerOf(stored: StoredObject, crd: CustomResourceDefinition): CustomResourceHandler {
    let handler = this.#handlers.get(stored.name);
    if (handler === undefined) {
      const { stores, scaleType } = this.#options;
      handler = new CustomResourceHandler({
        uid: crd.metadata.uid ?? '',
        name: stored.name,
        stores,
        read: () => this.#definitions.get(stored.name),
        ...defined({ scaleType }),
      });
      this.#handlers.set(stored.name, handler);
    }
    return handler;
  }

  async #instances(name: string): Promise<Instances | 'not-served' | 'overlapping'> {
    const handler = this.#handlers.get(name);
    return handler === undefined ? 'not-served' : ((await handler.instances()) ?? 'overlapping');
  }

  #remove(name: string): void {
    const handler = this.#handlers.get(name);
    if (handler === undefined) return;
    this.#handlers.delete(name);
    handler.remove();
    this.#names.delete(name);
    this.#conflicting.get(handler.group)?.delete(name);
    this.#requeueConflicting(handler.group);
  }

  #setNames(crd: CustomResourceDefinition): void {
    const accepted = crd.status?.acceptedNames;
    const { name = '' } = crd.metadata;
    if (accepted?.plural === undefined) return;
    if (this.#names.set(name, crd.spec.group, accepted)) this.#requeueConflicting(crd.spec.group);
  }

  /** Syncs the definitions that may get names which became free. */
  #requeueConflicting(group: string): void {
    for (const name of this.#conflicting.get(group) ?? []) {
      const crd = this.#definitions.getWithoutSchemas(name);
      if (crd !== undefined && !crd.metadata.deletionTimestamp) this.#syncStatus(name, crd);
    }
  }

  #syncStatus(name: string, crd: CustomResourceDefinition): void {
    const { group } = crd.spec;
    if (!hasStatus(crd, this.#desiredStatus(name, crd))) this.#updateStatus(name);
    else if (isCRDConditionTrue(crd, 'NamesAccepted')) this.#conflicting.get(group)?.delete(name);
    else this.#addConflicting(name, group);
  }

  /** Returns the desired status. Reserves the accepted names at once, before they are written. */
  #desiredStatus(name: string, crd: CustomResourceDefinition): DesiredStatus {
    const { group } = crd.spec;
    // drops names that were reserved but not written: they must not conflict with the definition itself
    this.#names.set(name, group, crd.status?.acceptedNames ?? noNames);
    const nonStructural = this.#nonStructuralSchemas.condition(crd, () => this.#definitions.get(name));
    const desired = desiredStatus(crd, this.#names.forGroup(group), nonStructural);
    this.#names.set(name, group, desired.acceptedNames);
    return desired;
  }

  #addConflicting(name: string, group: string): void {
    const names = this.#conflicting.get(group);
    if (names === undefined) this.#conflicting.set(group, new Set([name]));
    else names.add(name);
  }

  #updateStatus(name: string): void {
    if (this.#statusUpdates.has(name) || this.#signal.aborted) return;
    const { stores, report } = this.#options;
    const updating = this.#definitions
      .update(name, (crd) => {
        if (crd.metadata.deletionTimestamp) return;
        const desired = this.#desiredStatus(name, crd);
        if (!hasStatus(crd, desired)) reconcileStatus(crd, desired, stores.clock.now());
      })
      .then(() => undefined, report)
      .finally(() => this.#statusUpdates.delete(name));
    this.#statusUpdates.set(name, updating);
  }
}
