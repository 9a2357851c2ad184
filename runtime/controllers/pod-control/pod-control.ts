import type { Pod, PodTemplateSpec } from '../../../generated/v1.35/core/v1/types.ts';
import { hasStatusCode, isStatusError } from '../../machinery/errors/status.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../machinery/object.ts';
import { type EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';

/** Creates and deletes the pods of a controller's objects, and records events about it. (RealPodControl) */
export class PodControl {
  readonly #pods: LoopbackClient<Pod>;
  readonly #recorder: EventRecorder;

  constructor(pods: LoopbackClient<Pod>, recorder: EventRecorder) {
    this.#pods = pods;
    this.#recorder = recorder;
  }

  /**
   * Creates a pod for its owner.
   *
   * @param pod a pod from `podFromTemplate`, possibly changed
   * @throws StatusError as a client's create; Error if the pod has no labels
   */
  async create(pod: Omit<Pod, 'kind' | 'apiVersion'>, owner: KubeObject): Promise<Pod> {
    if (Object.keys(pod.metadata.labels ?? {}).length === 0) throw new Error('unable to create pods, no labels');
    const metadata = defined({ ...pod.metadata, namespace: owner.metadata.namespace });
    try {
      const created = await this.#pods.create({ ...pod, metadata });
      this.#recordEvent(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
      return created;
    } catch (error) {
      if (!isNamespaceTerminating(error)) this.#recordEvent(owner, 'Warning', 'FailedCreate', `Error creating: ${textOf(error)}`);
      throw error;
    }
  }

  /** @throws StatusError 404 if the pod does not exist; Error if it cannot be deleted */
  async delete({ metadata: { namespace = '', name = '' } }: Pod, owner: KubeObject): Promise<void> {
    try {
      await this.#pods.delete(namespace, name);
    } catch (error) {
      if (hasStatusCode(error, 404)) throw error;
      this.#recordEvent(owner, 'Warning', 'FailedDelete', `Error deleting: ${textOf(error)}`);
      throw new Error(`unable to delete pods: ${textOf(error)}`, { cause: error });
    }
    this.#recordEvent(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
  }

  #recordEvent(owner: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#recorder.event(referenceTo(owner), { type, reason, message });
  }
}

/** Returns a pod from a template. Its name is generated from the owner's. (GetPodFromTemplate) */
export function podFromTemplate(
  template: PodTemplateSpec,
  owner: string,
  controllerRef: OwnerReference,
): { metadata: ObjectMeta; spec: NonNullable<Pod['spec']> } {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      generateName: generateNamePrefix(owner),
      labels: { ...labels },
      annotations: { ...annotations },
      finalizers: [...(finalizers ?? [])],
      ownerReferences: [controllerRef],
    },
    spec: cloneJson(template.spec ?? { containers: [] }),
  };
}

/** Returns the prefix of pod names, without the hyphen if that would make the name invalid. (getPodsPrefix) */
function generateNamePrefix(owner: string): string {
  return owner.length + 1 > maxNameLength ? owner : `${owner}-`;
}

/** The maximum length of a DNS-1123 subdomain. */
const maxNameLength = 253;

/** Reports whether an error says that the namespace is terminating and accepts no new objects. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!isStatusError(error)) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}

/** Returns the text of an error for an event. */
export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String((error as Error)?.message ?? error));

/**
 * Runs an action many times: once, and then in batches that double with each success, so that a common failure costs
 * little. (slowStartBatch)
 *
 * @returns the number of successes, and the first error
 */
export async function slowStartBatch(
  count: number,
  work: (index: number) => Promise<unknown>,
): Promise<{ readonly successes: number; readonly error?: unknown }> {
  const slice = new TimeSlice();
  let successes = 0;
  let failure: { readonly error: unknown } | undefined;
  for (let started = 0, batch = Math.min(count, 1); batch > 0; batch = Math.min(2 * batch, count - started)) {
    const running: Promise<void>[] = [];
    for (const last = started + batch; started < last; started++) {
      if (slice.isOver) await slice.next();
      const succeed = (): void => {
        successes++;
      };
      const fail = (error: unknown): void => {
        failure ??= { error };
      };
      running.push(work(started).then(succeed, fail));
    }
    await Promise.all(running);
    if (failure !== undefined) return { successes, error: failure.error };
  }
  return { successes };
}
