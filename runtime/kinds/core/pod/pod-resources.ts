import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { memberOrDropped } from '../../../machinery/prune/dropped-values.ts';
import { canonicalQuantity, compareQuantities, formatQuantity } from '../../../machinery/scalars/quantity.ts';
import { amountsOf } from '../../../machinery/scalars/resource-amounts.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { isHugePageResourceName, quantityOf } from '../resource-list.ts';
import { type ResourceContext, validatePodResourceRequirements } from './resource-requirements.ts';
import { sumOfContainers } from './resources.ts';

/**
 * The requests and limits of a pod as a whole, besides those of its containers. (KEP-2837; pkg/apis/core/validation)
 */

type PodSpec = Unvalidated<core.PodSpec>;
type Requirements = Unvalidated<core.ResourceRequirements>;

/** (validatePodResources) */
export function validatePodResources(spec: PodSpec, pod: ResourceContext, field: Field): void {
  const { resources } = spec;
  if (!resources) return;
  const at = field.child('resources');
  if (spec.os?.name === 'windows') {
    at.forbidden('may not be set for a windows pod');
    return;
  }
  if (memberOrDropped(resources, 'claims') !== undefined) {
    at.child('claims').forbidden('claims may not be set for Resources at pod-level');
  }
  validatePodResourceRequirements(resources, pod, at);
  validatePodResourceConsistency(spec, resources, at);
}

/** The amounts of the pod must hold those of its containers. (validatePodResourceConsistency) */
function validatePodResourceConsistency(spec: PodSpec, { requests, limits }: Requirements, field: Field): void {
  validateSums(spec, 'requests', requests, field);
  if (!limits) return;
  validateSums(spec, 'limits', limits, field);
  for (const [index, { resources }] of (spec.containers ?? []).entries()) {
    for (const [name, limit] of Object.entries(resources?.limits ?? {})) {
      if (!Object.hasOwn(limits, name) || compareQuantities(quantityOf(limit), quantityOf(limits[name])) <= 0) continue;
      const at = field.child('containers').index(index).key(name).child('limits');
      const detail = `must be less than or equal to pod limits of ${canonicalQuantity(String(limits[name]))}`;
      at.invalid(canonicalQuantity(String(limit)), detail);
    }
  }
}

/**
 * Requests must hold the sum of the containers. Among limits, only those of huge pages must, since huge pages cannot be
 * overcommitted.
 */
function validateSums(spec: PodSpec, list: 'requests' | 'limits', ofPod: Requirements['requests'], field: Field): void {
  if (!ofPod) return;
  for (const [name, sum] of sumOfContainers(spec, ({ resources }) => amountsOf(resources?.[list]))) {
    if (!Object.hasOwn(ofPod, name) || (list === 'limits' && !isHugePageResourceName(name))) continue;
    if (compareQuantities(sum, quantityOf(ofPod[name])) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container ${list} of ${formatQuantity(sum)}`;
    field
      .child(list)
      .key(name)
      .invalid(canonicalQuantity(String(ofPod[name])), detail);
  }
}
