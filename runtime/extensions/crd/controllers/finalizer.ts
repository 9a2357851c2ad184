import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { isStatusError } from '../../../machinery/errors/status.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { privilegedGroup } from '../../../machinery/user-info.ts';
import type { ResourceStore } from '../../../resources/resource-store.ts';
import type { DeleteRequest, Writer } from '../../../resources/rest.ts';
import {
  cleanupFinalizer,
  hasCRDFinalizer,
  isCRDConditionTrue,
  removeCRDFinalizer,
  setCRDCondition,
} from '../api-helpers.ts';
import type { Definitions } from '../definitions.ts';

/** Milliseconds until a failed deletion is retried. */
const retryDelay = 1_000;
/** Milliseconds that objects with finalizers may take before the condition says so. */
const checkTimeout = 60_000;
/** How many instances are deleted at once. Concurrent deletions share durable commits. */
const deletionConcurrency = 256;

const writer: Writer = {
  user: { name: 'system:apiserver', uid: '', groups: [privilegedGroup], extra: {} },
  dryRun: false,
  internal: true,
  warn: () => undefined,
};

/** The objects of a definition, at the version they are stored at. */
export interface Instances {
  readonly store: ResourceStore;
  readonly definition: ResourceDefinition;
}

export interface CRDFinalizerOptions {
  readonly definitions: Definitions;
  readonly clock: Clock;
  /** Stops all work, after what is being written. */
  readonly signal: AbortSignal;
  readonly report: (error: unknown) => void;
  /** Returns `not-served` if the definition was never served, `overlapping` if a built-in resource has its name. */
  readonly instances: (name: string) => Promise<Instances | 'not-served' | 'overlapping'>;
}

/** The Terminating condition after the instances were deleted, and whether that succeeded. */
interface DeletionResult {
  readonly done: boolean;
  readonly reason: string;
  readonly message: string;
}

/**
 * Deletes the instances of a definition that is being deleted, then removes the definition's finalizer.
 * (apiextensions-apiserver pkg/controller/finalizer/crd_finalizer.go)
 */
export class CRDFinalizer {
  readonly #options: CRDFinalizerOptions;
  /** By uid of the definition. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: CRDFinalizerOptions) {
    this.#options = options;
  }

  /** Begins the deletion, unless it is under way. */
  enqueue(name: string, crd: CustomResourceDefinition): void {
    const { signal, report } = this.#options;
    const { uid = '' } = crd.metadata;
    if (!hasCRDFinalizer(crd, cleanupFinalizer) || this.#running.has(uid) || signal.aborted) return;
    const running = this.#sync(name)
      .catch((error) => {
        if (!signal.aborted) report(error);
        return false;
      })
      .then((done) => {
        this.#running.delete(uid);
        if (!done) this.#retry(name);
      });
    this.#running.set(uid, running);
  }

  /** Resolves when no deletion is under way. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  #retry(name: string): void {
    const { definitions, clock, signal } = this.#options;
    if (signal.aborted) return;
    const cancel = clock.after(retryDelay, () => {
      signal.removeEventListener('abort', cancel);
      const crd = definitions.getWithoutSchemas(name);
      if (crd?.metadata.deletionTimestamp) this.enqueue(name, crd);
    });
    signal.addEventListener('abort', cancel, { once: true });
  }

  /** Returns false if the deletion has to be retried. */
  async #sync(name: string): Promise<boolean> {
    const { definitions, clock } = this.#options;
    const inProgress = terminating('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
    const exists = await definitions.update(name, (crd) => setCRDCondition(crd, inProgress, clock.now()));
    if (!exists) return true;
    const { done, reason, message } = await this.#deleteInstances(name);
    await definitions.update(name, (crd) => {
      setCRDCondition(crd, terminating(done ? 'False' : 'True', reason, message), clock.now());
      if (done) removeCRDFinalizer(crd, cleanupFinalizer);
    });
    return done;
  }

  async #deleteInstances(name: string): Promise<DeletionResult> {
    const { definitions, clock, signal } = this.#options;
    const crd = definitions.getWithoutSchemas(name);
    const instances =
      crd !== undefined && isCRDConditionTrue(crd, 'Established') ? await this.#options.instances(name) : 'not-served';
    if (instances === 'not-served') {
      return { done: true, reason: 'NeverEstablished', message: 'resource was never established' };
    }
    if (instances === 'overlapping') {
      const message = 'instances overlap with built-in resources in storage';
      return { done: true, reason: 'OverlappingBuiltInResource', message };
    }
    try {
      await deleteInstances(instances, signal);
      if (!(await becomesEmpty(instances.store, clock, signal))) {
        const message = 'could not confirm zero CustomResources remaining: context deadline exceeded';
        return { done: false, reason: 'InstanceDeletionCheck', message };
      }
    } catch (error) {
      if (signal.aborted) throw error;
      const message = `could not issue all deletes: ${(error as Error).message}`;
      return { done: false, reason: 'InstanceDeletionFailed', message };
    }
    return { done: true, reason: 'InstanceDeletionCompleted', message: 'removed all instances' };
  }
}

function terminating(status: 'True' | 'False', reason: string, message: string): CustomResourceDefinitionCondition {
  return { type: 'Terminating', status, reason, message };
}

/** Deletes every object of a resource. Those with finalizers may stay for a while. */
async function deleteInstances({ store, definition }: Instances, signal: AbortSignal): Promise<void> {
  const objects = [...store.collection.latest().scan()];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < objects.length && !signal.aborted) {
      const { namespace, name, uid } = objects[next++];
      await deleteOne({ namespace, name, preconditions: { uid } });
    }
  };
  await Promise.all(Array.from({ length: Math.min(deletionConcurrency, objects.length) }, work));

  async function deleteOne(request: DeleteRequest): Promise<void> {
    try {
      await store.delete(definition, request, writer);
    } catch (error) {
      // 404: the object is gone. 409: so is the object, and another one has its name.
      if (!isStatusError(error) || (error.status.code !== 404 && error.status.code !== 409)) throw error;
    }
  }
}

/** Resolves to whether no object is left before the time is over. Rejects with the signal's reason when it aborts. */
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
