import type { TestObject, TestValue } from '../../../support/test-object.ts';
import { isReady } from '../workload-world.ts';

/** Milliseconds for which an eviction counts without a deletion. */
export const deletionTimeout = 120_000;

/** The numbers of a budget's status. */
export interface BudgetCounts {
  readonly disruptionsAllowed: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly expectedPods: number;
}

/** The objects that determine a budget's status. */
export interface BudgetedCluster {
  readonly pods: readonly TestObject[];
  /** ReplicaSets and StatefulSets. */
  readonly owners: readonly TestObject[];
  readonly deployments: readonly TestObject[];
  readonly now: number;
}

export const covers = ({ spec }: TestObject, { metadata }: TestObject): boolean =>
  Object.entries(spec.selector.matchLabels).every(([key, value]) => metadata.labels?.[key] === value);

/** Returns the numbers that Kubernetes counts for a budget. (pkg/controller/disruption/disruption.go) */
export function budgetCounts(budget: TestObject, cluster: BudgetedCluster): BudgetCounts {
  const pods = cluster.pods.filter((pod) => covers(budget, pod));
  const { minAvailable, maxUnavailable } = budget.spec;
  const countsPods = maxUnavailable === undefined && typeof minAvailable === 'number';
  const expectedPods = countsPods ? pods.length : scaleOf(pods, cluster);
  const desiredHealthy =
    maxUnavailable === undefined ? shareOf(minAvailable, expectedPods) : Math.max(0, expectedPods - shareOf(maxUnavailable, expectedPods));
  const currentHealthy = pods.filter((pod) => isHealthy(pod, budget, cluster.now)).length;
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  return { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods };
}

/** Reports whether a budget counts a pod: it is ready, not being deleted, and not just evicted. */
function isHealthy(pod: TestObject, { status }: TestObject, now: number): boolean {
  const evictedAt = status?.disruptedPods?.[pod.metadata.name ?? ''];
  const isLeaving = evictedAt !== undefined && Date.parse(evictedAt) + deletionTimeout > now;
  return isReady(pod) && !pod.metadata.deletionTimestamp && !isLeaving;
}

function shareOf(amount: number | string, total: number): number {
  return typeof amount === 'number' ? amount : Math.ceil((Number.parseInt(amount, 10) * total) / 100);
}

/** Returns the sum of the desired replicas of the pods' controllers, each counted once. */
function scaleOf(pods: readonly TestObject[], { owners, deployments }: BudgetedCluster): number {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const uid = controllerOf(pod);
    const owner = owners.find(({ metadata }) => uid !== undefined && metadata.uid === uid);
    if (owner === undefined) continue;
    const upper = deployments.find(({ metadata }) => metadata.uid === controllerOf(owner));
    const { metadata, spec } = upper ?? owner;
    scales.set(metadata.uid ?? '', spec.replicas);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

const controllerOf = ({ metadata }: TestObject): string | undefined => metadata.ownerReferences?.find(({ controller }) => controller)?.uid;

/** The result of an eviction: 201, or the code and reason of its refusal. */
export interface Outcome {
  readonly code: number;
  /** The message of the cause. */
  readonly cause?: string;
}

/**
 * Returns Kubernetes' response to an eviction. (pkg/registry/core/pod/storage/eviction.go) @param budgets the budgets
 * that cover the pod
 */
export function outcomeOfEviction(pod: TestObject, budgets: readonly TestObject[]): Outcome {
  if (pod.status.phase !== 'Running' || pod.metadata.deletionTimestamp || budgets.length === 0) return { code: 201 };
  if (budgets.length > 1) return { code: 500 };
  const [{ metadata, spec, status = {} }] = budgets;
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  const isServed = desiredHealthy > 0 && currentHealthy >= desiredHealthy;
  if (!isReady(pod) && (isServed || spec.unhealthyPodEvictionPolicy === 'AlwaysAllow')) return { code: 201 };
  return status.disruptionsAllowed > 0 ? { code: 201 } : { code: 429, cause: whyNot(metadata.name ?? '', status) };
}

function whyNot(name: string, { currentHealthy, desiredHealthy }: TestValue): string {
  return currentHealthy <= desiredHealthy
    ? `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
    : `The disruption budget ${name} does not allow evicting pods currently`;
}
