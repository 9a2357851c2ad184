import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { isInt32 } from '../../../machinery/scalars/integers.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import type { Labels } from '../../validation/labels.ts';
import { appArmorAnnotation, validateProfileAnnotations } from './profile-annotations.ts';
import { tolerationsAnnotation, validateTolerationsInPodAnnotations } from './tolerations-annotation.ts';
import type { PodValidationOptions } from './validation-options.ts';

/** Annotations of pods and templates with a meaning for the server. (pkg/apis/core/validation) */

type Pod = Unvalidated<core.Pod>;
type PodSpec = Unvalidated<core.PodSpec>;

export const mirrorAnnotation = 'kubernetes.io/config.mirror';
const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';

/** Reports whether the cost is absent or valid. (GetDeletionCostFromPodAnnotations) */
export function isDeletionCost(annotations: Labels | undefined): boolean {
  const cost = annotations?.[deletionCostAnnotation];
  return cost === undefined || (/^(?:0|[1-9]\d*|-\d+)$/.test(cost) && isInt32(Number(cost)));
}

/** Returns the cost; 0 if it is absent or invalid. (GetDeletionCostFromPodAnnotations) */
export function deletionCost(annotations: Labels | undefined): number {
  return isDeletionCost(annotations) ? Number(annotations?.[deletionCostAnnotation] ?? 0) : 0;
}

/** (ValidatePodSpecificAnnotations) */
export function validatePodSpecificAnnotations(
  annotations: Labels | undefined,
  spec: PodSpec,
  field: Field,
  options: PodValidationOptions,
): void {
  if (!annotations) return;
  const mirror = annotations[mirrorAnnotation];
  if (mirror !== undefined && !spec.nodeName) {
    field.key(mirrorAnnotation).invalid(mirror, 'must set spec.nodeName if mirror pod annotation is set');
  }
  const tolerations = annotations[tolerationsAnnotation];
  if (tolerations) validateTolerationsInPodAnnotations(tolerations, field);
  if (!options.allowInvalidPodDeletionCost && !isDeletionCost(annotations)) {
    field.key(deletionCostAnnotation).invalid(annotations[deletionCostAnnotation], 'must be a 32bit integer');
  }
  validateProfileAnnotations(annotations, spec, field);
}

/** (ValidatePodSpecificAnnotationUpdates) */
export function validatePodSpecificAnnotationUpdates(pod: Pod, old: Pod, field: Field, options: PodValidationOptions): void {
  const annotations: Labels = pod.metadata?.annotations ?? {};
  const oldAnnotations: Labels = old.metadata?.annotations ?? {};
  for (const key in oldAnnotations) {
    if (!isFixed(key) || annotations[key] === oldAnnotations[key]) continue;
    const what = key === mirrorAnnotation ? 'mirror pod annotation' : 'AppArmor annotations';
    field.key(key).forbidden(`may not remove or update ${what}`);
  }
  for (const key in annotations) {
    if (!isFixed(key) || Object.hasOwn(oldAnnotations, key)) continue;
    field.key(key).forbidden(`may not add ${key === mirrorAnnotation ? 'mirror pod annotation' : 'AppArmor annotations'}`);
  }
  validatePodSpecificAnnotations(annotations, pod.spec ?? {}, field, options);
}

const isFixed = (key: string): boolean => key === mirrorAnnotation || key.startsWith(appArmorAnnotation);
