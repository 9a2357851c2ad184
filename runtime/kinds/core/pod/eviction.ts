import { badRequest, internalError, isStatusError, notFound, type Status } from '../../../machinery/errors/status.ts';
import type { KubeObject, Part } from '../../../machinery/object.ts';
import { parseLabelSelector } from '../../../machinery/selectors/label-selector.ts';
import { selectorText } from '../../../machinery/selectors/label-selector-text.ts';
import type { StandardStorage, WriteContext } from '../../../resources/rest.ts';
import type { StoredObject } from '../../../storage/object-store/contract.ts';
import { isPodReady, withDisruptionTarget } from './conditions.ts';
import { beingProcessed, takeDisruption } from './eviction-budget.ts';

const evicted: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
const pods = { group: '', resource: 'pods' };

/** What an eviction may cost, by the budgets of the pod. */
type Verdict = 'free' | { readonly budget: string; readonly pays: boolean };

/**
 * Deletes a pod, unless a disruption budget says that it is needed. Gives the Status to answer with.
 * (pkg/registry/core/pod/storage/eviction.go)
 *
 * @throws StatusError 400 for another pod's name, 404, 429 with the cause DisruptionBudget, 500 for two budgets
 */
export async function evictPod(eviction: KubeObject, name: string, context: WriteContext): Promise<KubeObject> {
  const { namespace, stores } = context;
  const named = eviction.metadata?.name;
  if (named && named !== name) {
    throw badRequest(`name in URL does not match name in Eviction object: "${name}" != "${named}"`);
  }
  const store = await stores.named('', 'v1', 'pods');
  const pod = store.collection.latest().get(namespace, name);
  if (pod === undefined) throw notFound(pods, name);
  const options: Part = eviction.deleteOptions ?? {};
  const asked = options.preconditions?.resourceVersion as string | undefined;
  const dryRun = context.dryRun || (options.dryRun ?? []).length > 0;
  const object = pod.decode();
  const budgets = await stores.named('policy', 'v1', 'poddisruptionbudgets');
  const verdict = costsNothing(object) ? 'free' : judge(pod, object, budgets);
  if (verdict !== 'free' && verdict.pays) await takeFromBudget(verdict.budget, pod, budgets, { ...context, dryRun });
  // an unhealthy pod is let go as it was seen: it may be healthy by now
  const seen = verdict !== 'free' && !verdict.pays ? String(pod.revision) : undefined;
  try {
    await removePod(store, pod, options, asked ?? seen, { ...context, dryRun });
  } catch (error) {
    const raced = isStatusError(error) && error.status.code === 409;
    if (raced && seen !== undefined && asked === undefined)
      throw beingProcessed((verdict as { budget: string }).budget);
    throw error;
  }
  return evicted as unknown as KubeObject;
}

/** Pods that have ended, have not begun, or are on their way out cost no budget anything. (canIgnorePDB) */
function costsNothing({ metadata, status }: KubeObject): boolean {
  return ['Succeeded', 'Failed', 'Pending'].includes(status?.phase) || Boolean(metadata.deletionTimestamp);
}

/** Whether the pod may go without paying: an unhealthy one may, if its budget does not want it to become healthy. */
function judge(pod: StoredObject, object: KubeObject, budgets: StandardStorage): Verdict {
  const [budget, another] = budgetsOf(object, pod.namespace, budgets);
  if (budget === undefined) return 'free';
  if (another !== undefined) {
    throw internalError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const { metadata, spec, status = {} } = budget;
  const name = metadata.name ?? '';
  if (isPodReady(object)) return { budget: name, pays: true };
  const desired = Number(status.desiredHealthy ?? 0);
  const enough = desired > 0 && Number(status.currentHealthy ?? 0) >= desired;
  return { budget: name, pays: spec?.unhealthyPodEvictionPolicy !== 'AlwaysAllow' && !enough };
}

function budgetsOf({ metadata }: KubeObject, namespace: string, budgets: StandardStorage): KubeObject[] {
  const { labels = {} } = metadata;
  if (Object.keys(labels).length === 0) return [];
  return [...budgets.collection.latest().scan({ namespace })]
    .map((stored) => stored.decode())
    .filter(({ spec }) => spec?.selector && parseLabelSelector(selectorText(spec.selector)).matches(labels));
}

async function takeFromBudget(
  name: string,
  pod: StoredObject,
  budgets: StandardStorage,
  { user, dryRun, warn, now }: WriteContext,
): Promise<void> {
  await budgets.update(
    budgets.definition,
    {
      ...{ namespace: pod.namespace, name },
      part: 'status',
      createIfAbsent: false,
      requireVersion: false,
      change: (current) => takeDisruption(current as KubeObject, pod.name, now),
    },
    { user, dryRun, warn },
  );
}

/** Says on the pod why it goes, and deletes it. (addConditionAndDeletePod) */
async function removePod(
  store: StandardStorage,
  pod: StoredObject,
  options: Part,
  resourceVersion: string | undefined,
  { user, dryRun, warn, now }: WriteContext,
): Promise<void> {
  const { namespace, name } = pod;
  const writer = { user, dryRun, warn };
  let preconditions = { uid: pod.uid, ...options.preconditions, ...(resourceVersion ? { resourceVersion } : {}) };
  if (!dryRun) {
    const { uid } = preconditions;
    await store.update(
      store.definition,
      {
        ...{ namespace, name },
        part: 'all',
        createIfAbsent: false,
        requireVersion: false,
        change(current) {
          const object = withDisruptionTarget(current as KubeObject, now);
          object.metadata.uid = uid;
          if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
          return object;
        },
      },
      writer,
    );
    const { resourceVersion: _seen, ...rest } = preconditions;
    preconditions = rest;
  }
  const { gracePeriodSeconds, propagationPolicy, orphanDependents } = options;
  await store.delete(
    store.definition,
    {
      ...{ namespace, name },
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: Number(gracePeriodSeconds) }),
      ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
      ...(orphanDependents === undefined ? {} : { orphanDependents }),
      preconditions,
    },
    writer,
  );
}
