import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { semanticDeepEqual } from '../../../machinery/json/equality.ts';
import { maxInt32 } from '../../../machinery/scalars/integers.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { rangeText } from '../../validation/fields.ts';
import { validatePodMetadataAndSpec } from './validation.ts';
import type { PodValidationOptions } from './validation-options.ts';

type Pod = Unvalidated<core.Pod>;
type PodSpec = Unvalidated<core.PodSpec>;

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
  const at = field.child('spec');
  const spec = pod.spec ?? {};
  const oldSpec = old.spec ?? {};
  for (const list of ['containers', 'initContainers'] as const) {
    if ((spec[list] ?? []).length !== (oldSpec[list] ?? []).length) {
      at.child(list).forbidden('pod updates may not add or remove containers');
      return;
    }
  }
  const { activeDeadlineSeconds } = spec;
  const deadline = at.child('activeDeadlineSeconds');
  if (!validateActiveDeadlineSecondsUpdate(activeDeadlineSeconds, oldSpec.activeDeadlineSeconds, deadline)) return;
  validateOnlyAddedTolerations(spec.tolerations ?? [], oldSpec.tolerations ?? [], at.child('tolerations'));
  const gates = new Set((oldSpec.schedulingGates ?? []).map(({ name }) => name));
  for (const [index, { name }] of (spec.schedulingGates ?? []).entries()) {
    if (gates.has(name)) continue;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    at.child('schedulingGates').index(index).child('name').forbidden(detail);
  }
  if (!semanticDeepEqual(withOldUpdatableFields(spec, oldSpec, gates.size > 0), oldSpec)) {
    at.forbidden(`pod updates may not change fields other than ${updatablePodSpecFields.join(',')}\n`);
  }
}

/** Returns false if the change is invalid. */
function validateActiveDeadlineSecondsUpdate(
  seconds: number | undefined,
  oldSeconds: number | undefined,
  field: Field,
): boolean {
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
  const keyOf = ({ key = '', operator = '', value = '', effect = '' }: Toleration): string =>
    JSON.stringify([key, operator, value, effect]);
  const keys = new Set(now.map(keyOf));
  if (old.every((toleration) => keys.has(keyOf(toleration)))) return;
  field.forbidden('existing toleration can not be modified except its tolerationSeconds');
}

/** The new spec with the old values of the fields that may change. Gated pods may change their node selection, too. */
function withOldUpdatableFields(spec: PodSpec, old: PodSpec, isGated: boolean): PodSpec {
  const withOldImages = (list: 'containers' | 'initContainers'): Unvalidated<core.Container>[] =>
    (spec[list] ?? []).map((container, index) => ({ ...container, image: old[list]?.[index].image }));
  const isGracePeriodMended = (old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1;
  return {
    ...spec,
    containers: withOldImages('containers'),
    initContainers: withOldImages('initContainers'),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    tolerations: old.tolerations,
    schedulingGates: old.schedulingGates,
    ...(isGracePeriodMended ? { terminationGracePeriodSeconds: old.terminationGracePeriodSeconds } : {}),
    ...(isGated
      ? {
          nodeSelector: old.nodeSelector,
          affinity: { ...spec.affinity, nodeAffinity: old.affinity?.nodeAffinity },
        }
      : {}),
  };
}
