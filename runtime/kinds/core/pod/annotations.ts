import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { isInt32 } from '../../../machinery/scalars/integers.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import type { Labels } from '../../validation/labels.ts';
import type { PodValidationOptions } from './validation-options.ts';

/** Annotations of pods and templates that mean something. (pkg/apis/core/validation) */

type PodSpec = Unvalidated<core.PodSpec>;

export const mirrorAnnotation = 'kubernetes.io/config.mirror';
const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';

/** Whether there is no cost or a valid one. (GetDeletionCostFromPodAnnotations) */
export function isDeletionCost(annotations: Labels | undefined): boolean {
  const cost = annotations?.[deletionCostAnnotation];
  return cost === undefined || (/^(?:0|[1-9]\d*|-\d+)$/.test(cost) && isInt32(Number(cost)));
}

/** (ValidatePodSpecificAnnotations) */
export function validatePodSpecificAnnotations(
  annotations: Labels | undefined,
  spec: PodSpec,
  field: Field,
  options: PodValidationOptions,
): void {
  if (annotations === undefined) return;
  const mirror = annotations[mirrorAnnotation];
  if (mirror !== undefined && !spec.nodeName) {
    field.key(mirrorAnnotation).invalid(mirror, 'must set spec.nodeName if mirror pod annotation is set');
  }
  if (!options.allowInvalidPodDeletionCost && !isDeletionCost(annotations)) {
    field.key(deletionCostAnnotation).invalid(annotations[deletionCostAnnotation], 'must be a 32bit integer');
  }
}
