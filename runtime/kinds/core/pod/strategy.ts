import type { Container, Pod, PodSpec } from '../../../../generated/v1.35/core/v1/types.ts';
import { elementAt } from '../../../machinery/collections/element-at.ts';
import { defined, setOrDelete } from '../../../machinery/json/defined.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../../resources/rest.ts';
import { podAffinityTerms } from './affinity.ts';
import { applyAppArmorVersionSkew } from './app-armor.ts';
import { bindPod } from './binding.ts';
import { updatePodCondition } from './conditions.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { validatePodEphemeralContainersUpdate } from './ephemeral-containers.ts';
import { evictPod } from './eviction.ts';
import { applyLabelKeys } from './label-keys.ts';
import { podLocation } from './location.ts';
import { podProxyLocation } from './proxy-location.ts';
import { getPodQOS } from './qos.ts';
import { validationOptionsForStatus, validationOptionsFromPod } from './ratcheting.ts';
import { validatePodResize } from './resize.ts';
import { validatePodStatusUpdate } from './status.ts';
import { prepareStatus } from './status-preparation.ts';
import { validatePodUpdate } from './updates.ts';
import { validatePodCreate } from './validation.ts';

/** (pkg/registry/core/pod/strategy.go) */
export const podStrategy: RESTStrategy = {
  returnDeletedObject: true,
  namedCreaters: { binding: bindPod, eviction: evictPod },
  otherVersions: { eviction: ['v1beta1'] },
  resourceLocation: podLocation,
  proxyLocation: podProxyLocation,
  prepareForCreate(pod: Pod, { now, warn }) {
    pod.status = { phase: 'Pending', qosClass: getPodQOS(pod) };
    const { metadata, spec } = pod;
    if (spec) {
      dropDisabledFields(spec);
      if (spec.schedulingGates?.length) updatePodCondition(pod.status, schedulingGated, now);
      mutatePodAffinity(spec, metadata.labels);
      for (const constraint of spec.topologySpreadConstraints ?? []) {
        const { labelSelector, matchLabelKeys } = constraint;
        applyLabelKeys({ labelSelector, matchLabelKeys }, metadata.labels);
      }
    }
    applyAppArmorVersionSkew(pod, warn);
  },
  prepareForUpdate(pod: Pod, old: Pod, { subresource, part }) {
    if (part === 'status') prepareStatus(pod, old);
    else if (part === 'main') dropDisabledFields(specOf(pod), old.spec);
    else if (subresource === 'ephemeralcontainers') {
      replaceSpec(pod, old, defined({ ...specOf(old), ephemeralContainers: pod.spec?.ephemeralContainers }));
    } else if (subresource === 'resize') {
      const resized = withResizedContainers(specOf(old), specOf(pod));
      if (resized !== undefined) replaceSpec(pod, old, resized);
    }
  },
  validateCreate: (pod: Pod, errors) => validatePodCreate(pod, Field.at(FieldPath.root, errors)),
  validateUpdate(pod: Pod, old: Pod, errors, { subresource, part }) {
    const field = Field.at(FieldPath.root, errors);
    if (part === 'status') {
      validatePodStatusUpdate(pod, old, field, validationOptionsForStatus(old));
      return;
    }
    const options = validationOptionsFromPod(old);
    if (subresource === 'ephemeralcontainers') validatePodEphemeralContainersUpdate(pod, old, field, options);
    else if (subresource === 'resize') validatePodResize(pod, old, field, options);
    else if (part === 'main') validatePodUpdate(pod, old, field, options);
  },
  /** Only pods that may still run on a node get a grace period. */
  checkGracefulDelete({ spec, status }: Pod, requested) {
    const isFinished = status?.phase === 'Failed' || status?.phase === 'Succeeded';
    if (!spec?.nodeName || isFinished) return 0;
    const seconds = Number(requested ?? spec.terminationGracePeriodSeconds ?? 0);
    return seconds < 0 ? 1 : seconds;
  },
};

const schedulingGated = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
} as const;

function mutatePodAffinity({ affinity }: PodSpec, labels: ObjectMeta['labels']): void {
  if (affinity && labels) for (const term of podAffinityTerms(affinity)) applyLabelKeys(term, labels);
}

const specOf = ({ spec = { containers: [] } }: Pod): PodSpec => spec;

/** Makes `pod` the old pod with another spec. */
function replaceSpec(pod: Pod, old: Pod, spec: PodSpec): void {
  const { resourceVersion, managedFields } = pod.metadata;
  pod.metadata = defined({ ...old.metadata, resourceVersion });
  if (managedFields !== undefined) pod.metadata.managedFields = managedFields;
  setOrDelete(pod, 'status', old.status);
  pod.spec = spec;
}

/**
 * Returns the old spec with the new resources of its containers. A list with a renamed container is taken over
 * unchanged, and validation refuses it. Returns undefined if the number of containers changed. (dropNonResizeUpdates)
 */
function withResizedContainers(old: PodSpec, spec: PodSpec): PodSpec | undefined {
  const result = { ...old };
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = spec[list] ?? [];
    const oldContainers = old[list] ?? [];
    if (containers.length !== oldContainers.length) return undefined;
    if (containers.length > 0) result[list] = withNewResources(containers, oldContainers);
  }
  return result;
}

/** (dropNonResizeUpdatesForContainers) */
function withNewResources(containers: Container[], old: readonly Container[]): Container[] {
  if (containers.some(({ name }, index) => name !== old[index]?.name)) return containers;
  return containers.map(({ resources, resizePolicy }, index) => {
    const { resizePolicy: _, ...container } = elementAt(old, index);
    return defined({ ...container, resources, resizePolicy });
  });
}
