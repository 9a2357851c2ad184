import type { KubeObject, Part } from '../../../machinery/object.ts';
import { parseLabelSelector } from '../../../machinery/selectors/label-selector.ts';
import { badRequest, internalError, notFound, type Status, tooManyRequests } from '../../../machinery/status.ts';
import type { StoredObject } from '../../../storage/object-store/contract.ts';
import type { WriteContext } from '../../hooks.ts';
import type { ResourceStore } from '../../resource-store.ts';
import { selectorText } from '../label-selector-text.ts';

const evicted: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
const pods = { group: '', resource: 'pods' };

/**
 * Deletes a pod, unless a disruption budget says that it is needed. Gives the Status to answer with.
 * (pkg/registry/core/pod/storage/eviction.go)
 *
 * @throws StatusError 400 for another pod's name, 404, 429 with the cause DisruptionBudget, 500 for two budgets
 */
export async function evictPod(eviction: KubeObject, name: string, context: WriteContext): Promise<KubeObject> {
  const { namespace, stores, user, warn } = context;
  const named = eviction.metadata?.name;
  if (named && named !== name) {
    throw badRequest(`name in URL does not match name in Eviction object: "${name}" != "${named}"`);
  }
  const store = await stores.named('', 'v1', 'pods');
  const pod = store.collection.latest().get(namespace, name);
  if (pod === undefined) throw notFound(pods, name);
  const options: Part = eviction.deleteOptions ?? {};
  const dryRun = context.dryRun || (options.dryRun ?? []).length > 0;
  if (isDisruption(pod.decode())) await takeFromBudget(pod, context, dryRun);
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = options;
  await store.delete(
    store.definition,
    {
      ...{ namespace, name },
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: Number(gracePeriodSeconds) }),
      ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
      ...(orphanDependents === undefined ? {} : { orphanDependents }),
      preconditions: { uid: pod.uid, ...preconditions },
    },
    { user, dryRun, warn },
  );
  return evicted as unknown as KubeObject;
}

/** Pods that have ended, have not begun, or are on their way out cost no budget anything. */
function isDisruption({ metadata, status }: KubeObject): boolean {
  return !['Succeeded', 'Failed', 'Pending'].includes(status?.phase) && !metadata.deletionTimestamp;
}

async function takeFromBudget(pod: StoredObject, context: WriteContext, dryRun: boolean): Promise<void> {
  const { stores, user, warn, now } = context;
  const budgets = await stores.named('policy', 'v1', 'poddisruptionbudgets');
  const [budget, another] = budgetsOf(pod, budgets);
  if (budget === undefined) return;
  if (another !== undefined) {
    throw internalError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  await budgets.update(
    budgets.definition,
    {
      ...{ namespace: pod.namespace, name: budget.metadata.name ?? '' },
      part: 'status',
      createIfAbsent: false,
      requireVersion: false,
      change(current) {
        if (current === undefined) throw notFound({ group: 'policy', resource: 'poddisruptionbudgets' }, '');
        return allowOne(current, pod.name, now);
      },
    },
    { user, dryRun, warn },
  );
}

function budgetsOf(pod: StoredObject, budgets: ResourceStore): KubeObject[] {
  return [...budgets.collection.latest().scan({ namespace: pod.namespace })]
    .map((stored) => stored.decode())
    .filter(({ spec }) => spec?.selector && parseLabelSelector(selectorText(spec.selector)).matches(pod.labels));
}

function allowOne(budget: KubeObject, pod: string, now: number): KubeObject {
  const { metadata, status = {} } = budget;
  const name = metadata.name ?? '';
  if (Number(status.observedGeneration ?? 0) < Number(metadata.generation ?? 0)) {
    throw budgetError(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const allowed = Number(status.disruptionsAllowed ?? 0);
  if (allowed <= 0) {
    const healthy = `needs ${status.desiredHealthy ?? 0} healthy pods and has ${status.currentHealthy ?? 0} currently`;
    throw budgetError(`The disruption budget ${name} ${healthy}`, 0);
  }
  const disruptedPods = { ...status.disruptedPods, [pod]: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z') };
  budget.status = { ...status, disruptionsAllowed: allowed - 1, disruptedPods };
  return budget;
}

function budgetError(cause: string, retryAfterSeconds: number) {
  const error = tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", retryAfterSeconds);
  const { details } = error.status;
  if (details) {
    if (retryAfterSeconds === 0) delete details.retryAfterSeconds;
    details.causes = [{ reason: 'DisruptionBudget', message: cause }];
  }
  return error;
}
