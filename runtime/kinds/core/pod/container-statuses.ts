import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { validateUserID } from '../../validation/fields.ts';

/** The container statuses of a pod. (pkg/apis/core/validation) */

type PodSpec = Unvalidated<core.PodSpec>;
type PodStatus = Unvalidated<core.PodStatus>;
type Container = Unvalidated<core.Container>;
type ContainerStatus = Unvalidated<core.ContainerStatus>;

const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

/**
 * A terminated container stays terminated unless it may restart. Errors have the indexes of the old statuses.
 * (ValidateContainerStateTransition, ValidateInitContainerStateTransition, ValidateEphemeralContainerStateTransition)
 */
export function validateContainerStateTransitions(status: PodStatus, old: PodStatus, spec: PodSpec, field: Field): void {
  const containers = { containerStatuses: spec.containers, initContainerStatuses: spec.initContainers };
  for (const list of lists) {
    const terminated = old[list]?.some(({ state }) => state?.terminated) ? (old[list] ?? []) : [];
    if (terminated.length === 0) continue;
    const alive = namesOf((status[list] ?? []).filter(({ state }) => !state?.terminated));
    const restartable = list === 'ephemeralContainerStatuses' ? [] : (containers[list] ?? []);
    const byName = new Map(restartable.map((container) => [container.name ?? '', container]));
    for (const [index, { name = '', state }] of terminated.entries()) {
      if (!state?.terminated || !alive.has(name)) continue;
      const container = byName.get(name);
      if (container && containerRestartsAfter(container, spec, state.terminated.exitCode ?? 0)) continue;
      field.child(list).index(index).child('state').forbidden('may not be transitioned to non-terminated state');
    }
  }
}

const namesOf = (statuses: readonly ContainerStatus[]): ReadonlySet<string> => new Set(statuses.map(({ name = '' }) => name));

/** Reports whether an ended container is started again. (pkg/api/v1/pod, ContainerShouldRestart) */
export function containerRestartsAfter(container: Container, pod: PodSpec, exitCode: number): boolean {
  if (container.restartPolicy !== undefined) {
    if (matchingRule(container, exitCode)?.action === 'Restart') return true;
    if (['Always', 'OnFailure', 'Never'].includes(container.restartPolicy)) {
      return restartsAfter(container.restartPolicy, exitCode);
    }
  }
  return restartsAfter(pod.restartPolicy, exitCode);
}

const restartsAfter = (policy: string | undefined, exitCode: number): boolean =>
  policy === 'OnFailure' ? exitCode !== 0 : policy !== 'Never';

/** (FindMatchingContainerRestartRule) */
const matchingRule = ({ restartPolicyRules }: Container, exitCode: number): Unvalidated<core.ContainerRestartRule> | undefined =>
  restartPolicyRules?.find(({ exitCodes }) => {
    if (!exitCodes) return false;
    const isListed = (exitCodes.values ?? []).includes(exitCode);
    return exitCodes.operator === 'In' ? isListed : exitCodes.operator === 'NotIn' && !isListed;
  });

/** (validateContainerStatusUsers) */
export function validateContainerStatusUsers(status: PodStatus, { os }: PodSpec, field: Field): void {
  const system = os === undefined ? 'linux' : os.name;
  for (const list of lists) {
    for (const [index, { user }] of (status[list] ?? []).entries()) {
      if (!user?.linux) continue;
      const at = field.child(list).index(index).child('user', 'linux');
      if (system === 'windows') at.forbidden('cannot be set for a windows pod');
      else if (system === 'linux') validateLinuxContainerUser(user.linux, at);
    }
  }
}

/** (validateLinuxContainerUser) */
function validateLinuxContainerUser(user: Unvalidated<core.LinuxContainerUser>, field: Field): void {
  validateUserID(user.uid ?? 0, field.child('uid'));
  validateUserID(user.gid ?? 0, field.child('gid'));
  for (const [index, group] of (user.supplementalGroups ?? []).entries()) {
    validateUserID(group, field.child('supplementalGroups').index(index));
  }
}
