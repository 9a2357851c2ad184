import { setMaxListeners } from 'node:events';
import type { KubeObject } from '../../machinery/object.ts';
import type { TypeDefinition } from '../../machinery/resource.ts';
import { privilegedGroup } from '../../machinery/user-info.ts';
import { shouldDeleteDuringUpdate } from '../../resources/delete.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';
import { type Condition, type CustomResourceDefinition, cleanupFinalizer, isTrue } from './api-helpers.ts';
import { AcceptedNames } from './controllers/accepted-names.ts';
import { deleteInstances } from './controllers/finalizer.ts';
import { noNames } from './controllers/naming.ts';
import { setCRDCondition } from './controllers/set-condition.ts';
import { type DesiredStatus, desiredStatus, rememberCheckedSchemas, rememberNewSchemas } from './controllers/status.ts';
import { CustomResourceHandler } from './custom-resource-handler.ts';
import { customResourceDefinitionStrategy } from './definition-strategy.ts';
import { decodeWithoutSchemas, editWithoutSchemas } from './without-schemas.ts';

const group = 'apiextensions.k8s.io';
/** Milliseconds between attempts at deleting objects that could not be deleted. */
const retryAfter = 1_000;

const writer: Writer = {
  user: { name: 'system:apiserver', uid: '', groups: [privilegedGroup], extra: {} },
  dryRun: false,
  internal: true,
  warn: () => undefined,
};

export interface CustomResourcesOptions {
  readonly stores: ResourceStores;
  readonly report: (error: unknown) => void;
  /** autoscaling/v1 Scale; without it custom resources have no scale. */
  readonly scaleType?: () => Promise<TypeDefinition>;
}

/**
 * Serves what CustomResourceDefinitions define. Follows their collection: a definition that is written is judged
 * (its names, its schemas), served or no longer served, and on deletion its objects are deleted first, each at once and
 * at a cost that does not depend on how many others there are.
 */
export class CustomResources {
  readonly #options: CustomResourcesOptions;
  readonly #served = new Map<string, CustomResourceHandler>();
  /** Definitions that did not get all their names, by group. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #writing = new Map<string, Promise<void>>();
  readonly #deleting = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();
  #names: AcceptedNames | undefined;
  #definitions: ResourceStore | undefined;
  #stop: () => void = () => undefined;

  constructor(options: CustomResourcesOptions) {
    this.#options = options;
    // every deletion under way listens
    setMaxListeners(0, this.#closing.signal);
  }

  /** Resolves when everything that is established is served. Does nothing where there is no such resource. */
  async start(): Promise<void> {
    const { stores } = this.#options;
    if (stores.registry.lookup(group, 'v1', 'customresourcedefinitions') === undefined) return;
    stores.setStrategy(group, 'customresourcedefinitions', customResourceDefinitionStrategy);
    const definitions = await stores.named(group, 'v1', 'customresourcedefinitions');
    this.#definitions = definitions;
    this.#names = new AcceptedNames(stores.registry);
    const snapshot = definitions.collection.latest();
    const all = [...snapshot.scan()].map((stored) => ({ stored, crd: decodeWithoutSchemas(stored) }));
    // names that are accepted come before names that are asked for
    for (const { crd } of all) {
      this.#own(crd);
      rememberCheckedSchemas(crd);
    }
    for (const { stored, crd } of all) this.#follow(stored, crd);
    this.#stop = definitions.collection.watch({
      after: snapshot.revision,
      onEvent: (event) => this.#onEvent(event),
    });
  }

  /** Resolves when no write of its own is under way any more. */
  async close(): Promise<void> {
    this.#stop();
    this.#closing.abort(new Error('the server is shutting down'));
    await Promise.allSettled([...this.#writing.values(), ...this.#deleting.values()]);
  }

  #onEvent({ type, object, previous }: ObjectEvent): void {
    try {
      if (type === 'DELETED') this.#forget(object.name);
      else {
        const crd = decodeWithoutSchemas(object);
        if (type === 'ADDED') rememberNewSchemas(crd);
        this.#follow(object, crd, previous);
      }
    } catch (error) {
      this.#options.report(error);
    }
  }

  /** @param crd a sketch, as everywhere here but in what is written */
  #follow(stored: StoredObject, crd: CustomResourceDefinition, previous?: StoredObject): void {
    const { name } = stored;
    const known = this.#served.get(name);
    if (known !== undefined && known.uid !== crd.metadata.uid) this.#forget(name);
    this.#own(crd);
    this.#servedOf(stored, crd).follow(crd, stored, previous);
    if (crd.metadata.deletionTimestamp) this.#delete(name, crd);
    else this.#judge(name, crd);
  }

  #servedOf(stored: StoredObject, crd: CustomResourceDefinition): CustomResourceHandler {
    const known = this.#served.get(stored.name);
    if (known !== undefined) return known;
    const { stores, scaleType } = this.#options;
    const made = new CustomResourceHandler({
      uid: crd.metadata.uid ?? '',
      name: stored.name,
      stores,
      read: () => this.#read(stored.name),
      ...(scaleType === undefined ? {} : { scaleType }),
    });
    this.#served.set(stored.name, made);
    return made;
  }

  #stored(name: string): StoredObject | undefined {
    return this.#definitions?.collection.latest().get('', name);
  }

  #read(name: string): CustomResourceDefinition | undefined {
    return this.#stored(name)?.decode() as CustomResourceDefinition | undefined;
  }

  #sketch(name: string): CustomResourceDefinition | undefined {
    const stored = this.#stored(name);
    return stored && decodeWithoutSchemas(stored);
  }

  #forget(name: string): void {
    const known = this.#served.get(name);
    if (known === undefined) return;
    this.#served.delete(name);
    known.end();
    this.#names?.release(name);
    this.#waiting.get(known.group)?.delete(name);
    this.#reconsider(known.group);
  }

  #own(crd: CustomResourceDefinition): void {
    const accepted = crd.status?.acceptedNames;
    const { name = '' } = crd.metadata;
    if (accepted?.plural === undefined) return;
    if (this.#names?.own(name, crd.spec.group, accepted)) this.#reconsider(crd.spec.group);
  }

  /** Names were given up: others of the group may be waiting for them. */
  #reconsider(ofGroup: string): void {
    for (const name of this.#waiting.get(ofGroup) ?? []) {
      const crd = this.#sketch(name);
      if (crd !== undefined && !crd.metadata.deletionTimestamp) this.#judge(name, crd);
    }
  }

  /** Writes what is to be said of a definition, where it does not say so yet. */
  #judge(name: string, crd: CustomResourceDefinition): void {
    if (this.#judged(name, crd) !== undefined) this.#write(name);
    else if (!isTrue(crd, 'NamesAccepted')) this.#wait(name, crd.spec.group);
    else this.#waiting.get(crd.spec.group)?.delete(name);
  }

  /** The names that it gets are its own from now on, so that nobody gets them before they are written. */
  #judged(name: string, crd: CustomResourceDefinition): DesiredStatus | undefined {
    const names = this.#names as AcceptedNames;
    const { group: ofGroup } = crd.spec;
    // what was judged before and is not written yet does not stand against it
    names.own(name, ofGroup, crd.status?.acceptedNames ?? noNames);
    const judged = desiredStatus(crd, names.of(ofGroup), () => this.#read(name));
    if (judged !== undefined) names.own(name, ofGroup, judged.acceptedNames);
    return judged;
  }

  #wait(name: string, ofGroup: string): void {
    const waiting = this.#waiting.get(ofGroup);
    if (waiting === undefined) this.#waiting.set(ofGroup, new Set([name]));
    else waiting.add(name);
  }

  #write(name: string): void {
    if (this.#writing.has(name) || this.#closing.signal.aborted) return;
    const writing = this.#update(name, (crd) => {
      if (crd.metadata.deletionTimestamp) return;
      this.#judged(name, crd)?.write(crd, this.#options.stores.clock.now());
    })
      .then(() => undefined, this.#options.report)
      .finally(() => this.#writing.delete(name));
    this.#writing.set(name, writing);
  }

  /**
   * Changes the metadata or the status, which is the server's own bookkeeping: nothing is validated, nobody comes to own
   * a field, and the rest of the definition stays the bytes it is. False when it is gone.
   */
  async #update(name: string, change: (crd: CustomResourceDefinition) => void): Promise<boolean> {
    const { collection, strategy } = this.#definitions as ResourceStore;
    for (;;) {
      const stored = collection.latest().get('', name);
      if (stored === undefined) return false;
      const { crd, encode } = editWithoutSchemas(stored);
      const before = JSON.stringify(crd);
      change(crd);
      if (JSON.stringify(crd) === before) return true;
      const object = crd as KubeObject;
      const { labels = {} } = object.metadata;
      const selectable = collection.resource.selectableFields(object);
      const written = shouldDeleteDuringUpdate(object, strategy)
        ? await collection.delete('', name, stored.revision)
        : await collection.put({ namespace: '', name, value: encode(), labels, selectable }, stored.revision);
      if (written !== undefined) return true;
    }
  }

  #delete(name: string, { metadata }: CustomResourceDefinition): void {
    const { uid = '', finalizers = [] } = metadata;
    if (!finalizers.includes(cleanupFinalizer) || this.#deleting.has(uid) || this.#closing.signal.aborted) return;
    const deleting = this.#deleteAll(name)
      .catch((error) => {
        if (!this.#closing.signal.aborted) this.#options.report(error);
        return false;
      })
      .then((done) => {
        this.#deleting.delete(uid);
        if (!done) this.#deleteAgain(name);
      });
    this.#deleting.set(uid, deleting);
  }

  #deleteAgain(name: string): void {
    if (this.#closing.signal.aborted) return;
    const cancel = this.#options.stores.clock.after(retryAfter, () => {
      this.#closing.signal.removeEventListener('abort', cancel);
      const crd = this.#sketch(name);
      if (crd?.metadata.deletionTimestamp) this.#delete(name, crd);
    });
    this.#closing.signal.addEventListener('abort', cancel, { once: true });
  }

  /** False when it has to be tried again. */
  async #deleteAll(name: string): Promise<boolean> {
    const terminating = (status: Condition['status'], reason: string, message: string) =>
      ({ type: 'Terminating', status, reason, message }) as const;
    const now = () => this.#options.stores.clock.now();
    const begun = terminating('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
    const there = await this.#update(name, (crd) => setCRDCondition(crd, begun, now()));
    if (!there) return true;
    const done = await this.#deleteObjects(name);
    await this.#update(name, (crd) => {
      setCRDCondition(crd, terminating(done.status ?? 'False', done.reason, done.message), now());
      if (done.status !== 'True') removeFinalizer(crd);
    });
    return done.status !== 'True';
  }

  async #deleteObjects(name: string): Promise<{ status?: Condition['status']; reason: string; message: string }> {
    const crd = this.#sketch(name);
    const served = this.#served.get(name);
    if (crd === undefined || served === undefined || !isTrue(crd, 'Established')) {
      return { reason: 'NeverEstablished', message: 'resource was never established' };
    }
    const objects = await served.objects();
    if (objects === undefined) {
      return { reason: 'OverlappingBuiltInResource', message: 'instances overlap with built-in resources in storage' };
    }
    try {
      await deleteInstances(objects, writer, this.#closing.signal);
    } catch (error) {
      if (this.#closing.signal.aborted) throw error;
      const message = `could not issue all deletes: ${(error as Error).message}`;
      return { status: 'True', reason: 'InstanceDeletionFailed', message };
    }
    return { reason: 'InstanceDeletionCompleted', message: 'removed all instances' };
  }
}

function removeFinalizer({ metadata }: CustomResourceDefinition): void {
  const left = (metadata.finalizers ?? []).filter((one) => one !== cleanupFinalizer);
  if (left.length > 0) metadata.finalizers = left;
  else delete metadata.finalizers;
}
