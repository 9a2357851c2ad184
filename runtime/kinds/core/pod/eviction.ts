import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import type { DeleteOptions } from '../../../../generated/v1.35/meta/v1/types.ts';
import type { Eviction, PodDisruptionBudget } from '../../../../generated/v1.35/policy/v1/types.ts';
import { validateDeleteOptions } from '../../../machinery/delete-options.ts';
import { conflict, hasStatusCode, invalid, notFound, plainError, type Status } from '../../../machinery/errors/status.ts';
import { defined } from '../../../machinery/json/defined.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import { type LabelSelectorObject, labelSelectorFromObject } from '../../../machinery/selectors/label-selector.ts';
import { SelectorError } from '../../../machinery/selectors/selector-error.ts';
import { Field } from '../../../machinery/validation/field.ts';
import type { FieldError } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { RESTStorage, WriteContext, WriteResult } from '../../../resources/rest.ts';
import type { StoredObject } from '../../../storage/object-store/contract.ts';
import { addDisruptionTarget, isPodReady } from './conditions.ts';
import { budgetNotObserved, checkAndDecrement } from './eviction-budget.ts';

/** The number of attempts to delete a pod that changes in the meantime. (EvictionsRetry) */
const maxTries = 20;

const success: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/**
 * Deletes a pod if its disruption budget allows the eviction. (pkg/registry/core/pod/storage/eviction.go)
 *
 * @throws StatusError 404, 429 with the cause DisruptionBudget, 500 for two budgets
 */
export async function evictPod(eviction: Eviction, name: string, context: WriteContext): Promise<Status> {
  checkDeleteOptions(eviction, name, context.dryRun);
  const { stores, namespace, user, warn, now } = context;
  const pods = await stores.byResource('', 'v1', 'pods');
  const options = eviction.deleteOptions ?? {};
  const dryRun = context.dryRun || (options.dryRun ?? []).length > 0;
  const target: Target = { pods, name, options, context: { stores, namespace, user, warn, now, dryRun } };
  const protectedPod = await deleteUnprotected(target);
  if (protectedPod !== undefined) await deleteWithinBudget(target, protectedPod);
  return success;
}

type EvictionContext = Pick<WriteContext, 'stores' | 'namespace' | 'user' | 'dryRun' | 'warn' | 'now'>;

/** The pod to delete, with its delete options. */
interface Target {
  readonly pods: RESTStorage;
  readonly name: string;
  readonly options: DeleteOptions;
  readonly context: EvictionContext;
}

/** A pod at the time of its read. */
interface SeenPod {
  readonly stored: StoredObject;
  readonly pod: Pod;
}

/** Deletes a pod whose state needs no budget. @returns any other pod, which a budget may protect */
async function deleteUnprotected(target: Target): Promise<SeenPod | undefined> {
  for (let tries = 1; ; tries++) {
    const stored = (await target.pods.collection.mostRecent()).get(target.context.namespace, target.name);
    if (stored === undefined) throw notFound({ group: '', resource: 'pods' }, target.name);
    const pod: Pod = stored.decode();
    if (!canIgnoreBudget(pod)) return { stored, pod };
    try {
      await addConditionAndDeletePod(target, hasEnded(pod) ? undefined : String(stored.revision));
      return undefined;
    } catch (error) {
      const mayTryAgain = target.options.preconditions?.resourceVersion === undefined && tries < maxTries;
      if (!hasStatusCode(error, 409) || !mayTryAgain) throw error;
    }
  }
}

async function deleteWithinBudget(target: Target, { stored, pod }: SeenPod): Promise<void> {
  const { name, options, context } = target;
  const budgets = await context.stores.byResource('policy', 'v1', 'poddisruptionbudgets');
  const budget = budgetOf(pod, context.namespace, budgets);
  const usesBudget = budget !== undefined && needsBudget(pod, budget);
  if (usesBudget) await takeFromBudget(budget, name, budgets, context);
  const mustBeAsSeen = budget !== undefined && !usesBudget;
  try {
    await addConditionAndDeletePod(target, mustBeAsSeen ? String(stored.revision) : undefined);
  } catch (error) {
    const isOurPrecondition = mustBeAsSeen && options.preconditions?.resourceVersion === undefined;
    if (hasStatusCode(error, 409) && isOurPrecondition) throw budgetNotObserved(budget.metadata.name ?? '');
    throw error;
  }
}

/** (propagateDryRun) */
function checkDeleteOptions({ deleteOptions }: Eviction, name: string, dryRun: boolean): void {
  if (deleteOptions?.ignoreStoreReadErrorWithClusterBreakingPotential) {
    const errors: FieldError[] = [];
    const option = FieldPath.of('deleteOptions', 'ignoreStoreReadErrorWithClusterBreakingPotential');
    Field.at(option, errors).invalid(true, 'can not be set for pod eviction, try after removing the option');
    throw invalid({ group: 'policy', kind: 'Eviction' }, name, errors);
  }
  const options = deleteOptions?.dryRun ?? [];
  if (!dryRun || options.length === 0 || (options.length === 1 && options[0] === 'All')) return;
  throw plainError(`Non-matching dry-run options in request and content: [All] and [${options.join(' ')}]`);
}

/** Reports whether a pod has finished, has not started, or is being deleted. (canIgnorePDB) */
const canIgnoreBudget = (pod: Pod): boolean => pod.status?.phase === 'Pending' || hasEnded(pod);

/**
 * Reports whether a pod has finished or is being deleted. Any other pod may become healthy before its deletion.
 * (shouldEnforceResourceVersion)
 */
const hasEnded = ({ metadata, status }: Pod): boolean =>
  ['Succeeded', 'Failed'].includes(status?.phase ?? '') || Boolean(metadata.deletionTimestamp);

/**
 * Reports whether an eviction uses the budget. The eviction of an unhealthy pod does not if the policy is AlwaysAllow
 * or enough other pods are healthy. (unhealthyPodEvictionPolicy)
 */
function needsBudget(pod: Pod, { spec, status }: PodDisruptionBudget): boolean {
  if (isPodReady(pod)) return true;
  const desired = Number(status?.desiredHealthy ?? 0);
  const hasEnoughHealthy = desired > 0 && Number(status?.currentHealthy ?? 0) >= desired;
  return spec?.unhealthyPodEvictionPolicy !== 'AlwaysAllow' && !hasEnoughHealthy;
}

/** (getPodDisruptionBudgets) */
function budgetOf({ metadata }: Pod, namespace: string, storage: RESTStorage): PodDisruptionBudget | undefined {
  const [budget, another] = [...storage.collection.latest().scan({ namespace })]
    .map((stored): PodDisruptionBudget => stored.decode())
    .filter(({ spec }) => selects(spec?.selector, metadata.labels ?? {}));
  if (another !== undefined) {
    throw plainError('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  }
  return budget;
}

/** An invalid selector selects nothing. */
function selects(selector: LabelSelectorObject | undefined, labels: Readonly<Record<string, string>>): boolean {
  try {
    return labelSelectorFromObject(selector).matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

async function takeFromBudget(
  { metadata: { namespace = '', name = '' } }: PodDisruptionBudget,
  pod: string,
  storage: RESTStorage,
  { user, dryRun, warn, now }: EvictionContext,
): Promise<void> {
  await storage.update(
    storage.definition,
    {
      namespace,
      name,
      part: 'status',
      requireVersion: false,
      change(budget) {
        if (budget === undefined) throw notFound(storage.definition, name);
        checkAndDecrement(budget, pod, now);
        return budget;
      },
    },
    { user, dryRun, warn },
  );
}

const podKind = { group: '', resource: 'Pod' };

function checkPreconditions(metadata: ObjectMeta, uid: string | undefined, resourceVersion: string | undefined): void {
  const { name = '' } = metadata;
  if (uid && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid})`;
    throw conflict(podKind, name, `${why}. The object might have been deleted and then recreated`);
  }
  if (resourceVersion === undefined || resourceVersion === metadata.resourceVersion) return;
  const record = metadata.resourceVersion;
  const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${record})`;
  throw conflict(podKind, name, `${why}. The object might have been modified`);
}

/**
 * @param seenVersion the version that the pod must still have; undefined for any. A version in the options takes
 *   precedence
 */
async function addConditionAndDeletePod({ pods, name, options, context }: Target, seenVersion: string | undefined): Promise<void> {
  const { namespace, user, dryRun, warn, now } = context;
  const writer = { user, dryRun, warn };
  const { gracePeriodSeconds, propagationPolicy, orphanDependents } = options;
  const uid = options.preconditions?.uid;
  let resourceVersion = options.preconditions?.resourceVersion ?? seenVersion;
  if (!dryRun) {
    const written = await pods.update(
      pods.definition,
      {
        namespace,
        name,
        part: 'status',
        requireVersion: false,
        change(pod) {
          if (pod === undefined) throw notFound(pods.definition, name);
          checkPreconditions(pod.metadata, uid, resourceVersion);
          addDisruptionTarget(pod, now);
          return pod;
        },
      },
      writer,
    );
    if (resourceVersion !== undefined) resourceVersion = versionOf(written);
  }
  validateDeleteOptions(options);
  await pods.delete(
    pods.definition,
    {
      namespace,
      name,
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: Number(gracePeriodSeconds) }),
      ...defined({ propagationPolicy, orphanDependents }),
      preconditions: { ...(uid ? { uid } : {}), ...defined({ resourceVersion }) },
    },
    writer,
  );
}

const versionOf = (written: WriteResult): string | undefined =>
  written.kind === 'stored' ? String(written.stored.revision) : written.object.metadata.resourceVersion;
