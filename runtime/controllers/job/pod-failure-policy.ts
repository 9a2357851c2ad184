import type { PodFailurePolicy, PodFailurePolicyRule } from '../../../generated/v1.35/batch/v1/types.ts';
import type { ContainerStatus, Pod } from '../../../generated/v1.35/core/v1/types.ts';

/** What a policy says of a failed pod. */
export interface PodFailure {
  /** Absent if no rule matches. */
  readonly action?: string;
  /** Whether the failure counts towards limits. */
  readonly isCounted: boolean;
  /** Why the job fails. Absent if it does not. */
  readonly message?: string;
}

type ExitCodes = NonNullable<PodFailurePolicyRule['onExitCodes']>;

/** The first rule that a failed pod matches decides. (pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy) */
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

/** What matched, for a message. */
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
