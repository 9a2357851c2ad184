import { parseCreateOptions } from '../../http/query.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { SubresourceDefinition } from '../../machinery/resource.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import { internalError, pathNotFound, StatusError } from '../../machinery/status.ts';
import { decodeBody } from '../decode-body.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { objectAt } from '../forms/versioned.ts';
import { checkNamespace } from '../names.ts';
import { writerOf } from '../respond-written.ts';
import { deleteRequest } from '../verbs/delete.ts';
import { respondSuccess } from './success.ts';

/** Deletes a pod if its disruption budget allows. (pkg/registry/core/pod/storage/eviction.go) */
export async function evictionSubresource(request: ResourceRequest, { type }: SubresourceDefinition): Promise<void> {
  const { ctx, definition, store, namespace, name } = request;
  if (type === undefined) throw pathNotFound();
  const options = parseCreateOptions(ctx.state.query);
  const eviction = await decodeBody(ctx, type, options.fieldValidation);
  checkNamespace(request, eviction);
  const wishes = eviction.deleteOptions ?? {};
  const dryRun = options.dryRun || (wishes.dryRun ?? []).length > 0;
  const pod = objectAt(definition, store.get(namespace, name));
  if (!mayGoFreely(pod)) await spendBudget(request, pod, dryRun);
  await store.delete(definition, deleteRequest(wishes, namespace, name), writerOf(request, dryRun));
  await respondSuccess(request, 201);
}

/** Pods that do not serve, and those on their way out, need no budget. */
function mayGoFreely(pod: KubeObject): boolean {
  const phase = pod.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || Boolean(pod.metadata.deletionTimestamp);
}

const budgets = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };

async function spendBudget(request: ResourceRequest, pod: KubeObject, dryRun: boolean): Promise<void> {
  const { deps, namespace } = request;
  const definition = await deps.registry.definition(budgets);
  const store = await deps.stores.of(definition);
  const matching = [...store.collection.latest().scan({ namespace })].filter((stored) => {
    const { selector } = objectAt(definition, stored).spec ?? {};
    return selector !== undefined && labelSelectorFromObject(selector).matches(pod.metadata.labels);
  });
  if (matching.length === 0) return;
  if (matching.length > 1) {
    throw internalError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const now = deps.clock.now();
  await store.update(
    definition,
    {
      namespace,
      name: matching[0].name,
      change: (budget) => spend(budget as KubeObject, pod, now),
      part: 'status',
      createIfAbsent: false,
      requireVersion: false,
    },
    writerOf(request, dryRun),
  );
}

/** Takes one disruption off the budget. @throws StatusError 429 when there is none left */
function spend(budget: KubeObject, pod: KubeObject, now: number): KubeObject {
  const { name } = budget.metadata;
  const status = budget.status ?? {};
  const unhealthy = !isReady(pod);
  const healthyEnough = (status.currentHealthy ?? 0) >= (status.desiredHealthy ?? 0);
  if (
    unhealthy &&
    (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (healthyEnough && status.desiredHealthy > 0))
  ) {
    return budget;
  }
  if ((status.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if ((status.disruptionsAllowed ?? 0) <= 0) {
    const needs = `The disruption budget ${name} needs ${status.desiredHealthy ?? 0} healthy pods and has ${status.currentHealthy ?? 0} currently`;
    throw refused(needs, 0);
  }
  budget.status = {
    ...status,
    disruptionsAllowed: status.disruptionsAllowed - 1,
    disruptedPods: { ...status.disruptedPods, [String(pod.metadata.name)]: timeText(now) },
  };
  return budget;
}

function isReady(pod: KubeObject): boolean {
  const conditions: { type: string; status: string }[] = pod.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

function refused(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    reason: 'TooManyRequests',
    details: {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
    },
    code: 429,
  });
}
