import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { hasStatusCode } from '../../../machinery/errors/status.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { type SyncResult, WorkQueue } from '../../../reconcile/work-queue.ts';
import { loopbackWriter } from '../../../resources/loopback-writer.ts';
import type { ResourceStore } from '../../../resources/resource-store.ts';
import type { DeleteRequest } from '../../../resources/rest.ts';
import { cleanupFinalizer, hasCRDFinalizer, isCRDConditionTrue, removeCRDFinalizer, setCRDCondition } from '../api-helpers.ts';
import type { Definitions } from '../definitions.ts';

/**
 * The number of definitions in work at once. Upstream has 5 workers, which definitions with pending finalizers occupy.
 */
const concurrency = 100;
/** Milliseconds after which the condition reports objects with finalizers. */
const checkTimeout = 60_000;
/** The number of concurrent deletions of instances, which share durable commits. */
const deletionConcurrency = 256;

const writer = loopbackWriter();

/** The objects of a definition, at the version they are stored at. */
export interface Instances {
  readonly store: ResourceStore;
  readonly definition: ResourceDefinition;
}

export interface CRDFinalizerOptions {
  readonly definitions: Definitions;
  readonly clock: Clock;
  /** Stops all work after the current write. */
  readonly signal: AbortSignal;
  readonly report: (error: unknown) => void;
  /** Returns `not-served` if the definition was never served, `overlapping` if a built-in resource has its name. */
  readonly instances: (name: string) => Promise<Instances | 'not-served' | 'overlapping'>;
}

/** The Terminating condition after the deletion of the instances, and whether it succeeded. */
interface DeletionResult {
  readonly done: boolean;
  readonly reason: string;
  readonly message: string;
}

/**
 * Deletes the instances of a terminating definition, then removes the definition's finalizer. (apiextensions-apiserver
 * pkg/controller/finalizer/crd_finalizer.go)
 */
export class CRDFinalizer {
  readonly #options: CRDFinalizerOptions;
  /** The names of definitions. */
  readonly #queue: WorkQueue<string>;

  constructor(options: CRDFinalizerOptions) {
    const { clock, signal, report } = options;
    this.#options = options;
    this.#queue = new WorkQueue({
      clock,
      concurrency,
      keyOf: (name) => name,
      work: (name) => this.#sync(name),
      report: (error) => {
        if (!signal.aborted) report(error);
      },
    });
  }

  /** Begins the deletion, or retries it. Ignores changes of the deletion's own progress. */
  enqueue(crd: CustomResourceDefinition, previous?: CustomResourceDefinition): void {
    if (!isToFinalize(crd) || (previous !== undefined && differInProgressOnly(previous, crd))) return;
    this.#queue.add(crd.metadata.name ?? '');
  }

  /** Resolves when no deletion is under way. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #sync(name: string): Promise<SyncResult> {
    const { definitions, clock, signal } = this.#options;
    const crd = definitions.getWithoutSchemas(name);
    if (crd === undefined || !isToFinalize(crd) || signal.aborted) return 'done';
    const inProgress = terminating('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
    const exists = await definitions.update(name, (one) => setCRDCondition(one, inProgress, clock.now()));
    if (!exists) return 'done';
    const { done, reason, message } = await this.#deleteInstances(name);
    await definitions.update(name, (one) => {
      setCRDCondition(one, terminating(done ? 'False' : 'True', reason, message), clock.now());
      if (done) removeCRDFinalizer(one, cleanupFinalizer);
    });
    return done ? 'done' : 'retry';
  }

  async #deleteInstances(name: string): Promise<DeletionResult> {
    const { definitions, clock, signal } = this.#options;
    const crd = definitions.getWithoutSchemas(name);
    const instances = crd !== undefined && isCRDConditionTrue(crd, 'Established') ? await this.#options.instances(name) : 'not-served';
    if (instances === 'not-served') {
      return { done: true, reason: 'NeverEstablished', message: 'resource was never established' };
    }
    if (instances === 'overlapping') {
      const message = 'instances overlap with built-in resources in storage';
      return { done: true, reason: 'OverlappingBuiltInResource', message };
    }
    try {
      await deleteInstances(instances, signal);
      await instances.store.collection.mostRecent();
      if (!(await becomesEmpty(instances.store, clock, signal))) {
        const message = 'could not confirm zero CustomResources remaining: context deadline exceeded';
        return { done: false, reason: 'InstanceDeletionCheck', message };
      }
    } catch (error) {
      if (signal.aborted) throw error;
      const message = `could not issue all deletes: ${messageOf(error)}`;
      return { done: false, reason: 'InstanceDeletionFailed', message };
    }
    return { done: true, reason: 'InstanceDeletionCompleted', message: 'removed all instances' };
  }
}

function isToFinalize(crd: CustomResourceDefinition): boolean {
  return crd.metadata.deletionTimestamp !== undefined && hasCRDFinalizer(crd, cleanupFinalizer);
}

/** Reports whether only the Terminating condition differs, which this controller writes. */
function differInProgressOnly(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  return JSON.stringify(withoutProgress(a)) === JSON.stringify(withoutProgress(b));
}

function withoutProgress({ metadata, status, ...rest }: CustomResourceDefinition): object {
  const { resourceVersion: _, ...others } = metadata;
  const conditions = status?.conditions?.filter(({ type }) => type !== 'Terminating');
  return { ...rest, metadata: others, status: { ...status, conditions } };
}

function terminating(status: 'True' | 'False', reason: string, message: string): CustomResourceDefinitionCondition {
  return { type: 'Terminating', status, reason, message };
}

/** Deletes every object of a resource. Objects with finalizers may stay for a while. */
async function deleteInstances({ store, definition }: Instances, signal: AbortSignal): Promise<void> {
  const objects = [...(await store.collection.mostRecent()).scan()];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let object = objects[next++]; object !== undefined && !signal.aborted; object = objects[next++]) {
      const { namespace, name, uid } = object;
      await deleteOne({ namespace, name, preconditions: { uid } });
    }
  };
  await Promise.all(Array.from({ length: Math.min(deletionConcurrency, objects.length) }, work));

  async function deleteOne(request: DeleteRequest): Promise<void> {
    try {
      await store.delete(definition, request, writer);
    } catch (error) {
      // 404: the object is gone. 409: the object is gone, and another one has its name.
      if (!hasStatusCode(error, 404, 409)) throw error;
    }
  }
}

/** Resolves to whether no object is left before the timeout. Rejects with the signal's reason when it aborts. */
function becomesEmpty({ collection }: ResourceStore, clock: Clock, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cleanUps: (() => void)[] = [];
    const cleanUp = (): void => {
      for (const one of cleanUps) one();
    };
    const settle = (isEmpty: boolean): void => {
      cleanUp();
      resolve(isEmpty);
    };
    const abort = (): void => {
      cleanUp();
      reject(signal.reason);
    };
    if (signal.aborted) {
      abort();
      return;
    }
    const stop = collection.watch({
      after: collection.latest().revision,
      onEvent: ({ type }) => {
        if (type === 'DELETED' && collection.latest().count() === 0) settle(true);
      },
    });
    signal.addEventListener('abort', abort, { once: true });
    cleanUps.push(stop, () => signal.removeEventListener('abort', abort));
    if (collection.latest().count() === 0) settle(true);
    else cleanUps.push(clock.after(checkTimeout, () => settle(false)));
  });
}
