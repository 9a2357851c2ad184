import type { PodFailurePolicy, PodFailurePolicyRule } from '../../../generated/v1.35/batch/v1/types.ts';
import type { ContainerStatus, Pod } from '../../../generated/v1.35/core/v1/types.ts';

/** The policy's decision about a failed pod. */
export interface PodFailure {
  /** The action of the matching rule; absent for none. */
  readonly action?: string;
  /** Whether the failure counts towards limits. */
  readonly isCounted: boolean;
  /** The reason why the job fails; absent if it does not. */
  readonly message?: string;
}

type ExitCodes = NonNullable<PodFailurePolicyRule['onExitCodes']>;

/**
 * Applies the first rule that matches a failed pod. (pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy)
 */
export function matchPodFailurePolicy(policy: PodFailurePolicy | undefined, pod: Pod): PodFailure {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const what = matchRule(rule, pod);
    const { action } = rule;
    if (what === undefined) continue;
    if (action === 'Ignore') return { action, isCounted: false };
    if (action === 'FailIndex' || action === 'Count') return { action, isCounted: true };
    if (action === 'FailJob') return { action, isCounted: true, message: `${what} matching ${action} rule at index ${index}` };
  }
  return { isCounted: true };
}

/** Describes the match for a message; undefined for none. */
function matchRule({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { namespace, name } = pod.metadata;
  if (onExitCodes) {
    const { containerStatuses, initContainerStatuses } = pod.status ?? {};
    const container = matchExitCodes(containerStatuses, onExitCodes) ?? matchExitCodes(initContainerStatuses, onExitCodes);
    return container && `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${exitCodeOf(container)}`;
  }
  const condition = pod.status?.conditions?.find(({ type, status }) =>
    onPodConditions?.some((pattern) => pattern.type === type && pattern.status === status),
  );
  return condition && `Pod ${namespace}/${name} has condition ${condition.type}`;
}

function matchExitCodes(
  statuses: readonly ContainerStatus[] = [],
  { containerName, operator, values }: ExitCodes,
): ContainerStatus | undefined {
  return statuses.find((container) => {
    const exitCode = exitCodeOf(container);
    if (!exitCode || (containerName !== undefined && containerName !== container.name)) return false;
    if (operator === 'In') return values.includes(exitCode);
    return operator === 'NotIn' && !values.includes(exitCode);
  });
}

const exitCodeOf = ({ state }: ContainerStatus): number | undefined => state?.terminated?.exitCode;
