import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { defined, setOrDelete } from '../../../machinery/json/defined.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { maxInt32 } from '../../../machinery/scalars/integers.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { rangeText } from '../../validation/fields.ts';
import { validatePodSpecificAnnotationUpdates } from './annotations.ts';
import { validateContainerOnlyForPod } from './containers.ts';
import { withOldNodeSelection } from './gated-updates.ts';
import { podSpecDiff } from './internal-types.ts';
import { validateTolerations } from './scheduling.ts';
import { validatePodMetadataAndSpec } from './validation.ts';
import type { PodValidationOptions } from './validation-options.ts';

/** The changes of a pod that clients may make. (pkg/apis/core/validation) */

type Pod = Unvalidated<core.Pod>;
type PodSpec = Unvalidated<core.PodSpec>;
type Container = Unvalidated<core.Container>;

const updatablePodSpecFields = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** (ValidatePodUpdate) */
export function validatePodUpdate(pod: Pod, old: Pod, field: Field, options: PodValidationOptions): void {
  validatePodMetadataAndSpec(pod, field, options);
  validatePodSpecificAnnotationUpdates(pod, old, field.child('metadata', 'annotations'), options);
  const at = field.child('spec');
  const spec = pod.spec ?? {};
  const oldSpec = old.spec ?? {};
  for (const list of ['containers', 'initContainers'] as const) {
    if (!validateContainerUpdates(spec[list] ?? [], oldSpec[list] ?? [], at.child(list))) return;
  }
  const deadline = at.child('activeDeadlineSeconds');
  if (!validateActiveDeadlineSecondsUpdate(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds, deadline)) return;
  validateOnlyAddedTolerations(spec.tolerations ?? [], oldSpec.tolerations ?? [], at.child('tolerations'));
  const gates = oldSpec.schedulingGates ?? [];
  validateOnlyDeletedSchedulingGates(spec.schedulingGates ?? [], gates, at.child('schedulingGates'));
  if (equalJson(spec, oldSpec)) return;
  const munged = withOldUpdatableFields(spec, oldSpec);
  const changed = gates.length > 0 ? withOldNodeSelection(munged, oldSpec, at) : munged;
  if (equalJson(changed, oldSpec)) return;
  const updatable = updatablePodSpecFields.join(',');
  at.forbidden(`pod updates may not change fields other than ${updatable}\n${podSpecDiff(oldSpec, changed, at.rules)}`);
}

/** Returns false if no further changes are checked. (ValidateContainerUpdates) */
function validateContainerUpdates(containers: readonly Container[], old: readonly Container[], field: Field): boolean {
  if (containers.length !== old.length) {
    field.forbidden('pod updates may not add or remove containers');
    return false;
  }
  for (const [index, container] of containers.entries()) {
    if (!container.image) field.index(index).child('image').required();
    validateContainerOnlyForPod(container, field.index(index));
  }
  return true;
}

/** Returns false if no further changes are checked. */
function validateActiveDeadlineSecondsUpdate(seconds: number | undefined, oldSeconds: number | undefined, field: Field): boolean {
  if (seconds === undefined) {
    if (oldSeconds !== undefined) field.invalid(null, 'must not update from a positive integer to nil value');
    return true;
  }
  if (seconds < 0 || seconds > maxInt32) field.invalid(seconds, rangeText(0, maxInt32));
  else if (oldSeconds !== undefined && oldSeconds < seconds) {
    field.invalid(seconds, 'must be less than or equal to previous value');
  } else return true;
  return false;
}

type Toleration = Unvalidated<core.Toleration>;

/** (validateOnlyAddedTolerations) */
function validateOnlyAddedTolerations(now: readonly Toleration[], old: readonly Toleration[], field: Field): void {
  if (now.length === 0 && old.length === 0) return;
  const keyOf = ({ key = '', operator = '', value = '', effect = '' }: Toleration): string =>
    JSON.stringify([key, operator, value, effect]);
  const keys = new Set(now.map(keyOf));
  if (old.every((toleration) => keys.has(keyOf(toleration)))) validateTolerations(now, field);
  else field.forbidden('existing toleration can not be modified except its tolerationSeconds');
}

type SchedulingGate = Unvalidated<core.PodSchedulingGate>;

/** (validateOnlyDeletedSchedulingGates) */
function validateOnlyDeletedSchedulingGates(now: readonly SchedulingGate[], old: readonly SchedulingGate[], field: Field): void {
  if (now.length === 0) return;
  const added = new Map(now.map(({ name = '' }, index) => [name, index]));
  for (const { name = '' } of old) added.delete(name);
  for (const [name, index] of added) {
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    field.index(index).child('name').forbidden(detail);
  }
}

/** Returns the new spec with the old values of the updatable fields. */
function withOldUpdatableFields(spec: PodSpec, old: PodSpec): PodSpec {
  const munged: PodSpec = { ...spec };
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = munged[list];
    if (!containers) continue;
    munged[list] = containers.map((container, index) => defined({ ...container, image: old[list]?.[index]?.image }));
  }
  for (const name of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'] as const) take(name, old, munged);
  const isNegative = Number(old.terminationGracePeriodSeconds ?? 0) < 0;
  if (isNegative && munged.terminationGracePeriodSeconds === 1) take('terminationGracePeriodSeconds', old, munged);
  return munged;
}

function take<Name extends keyof PodSpec>(name: Name, from: PodSpec, to: PodSpec): void {
  setOrDelete(to, name, from[name]);
}
