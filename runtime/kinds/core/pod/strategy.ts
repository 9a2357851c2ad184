import type { Container, Pod, PodSpec } from '../../../../generated/v1.35/core/v1/types.ts';
import { badRequest } from '../../../machinery/errors/status.ts';
import { timeText } from '../../../machinery/scalars/time.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../../resources/rest.ts';
import { applyAppArmorVersionSkew } from './app-armor.ts';
import { bindPod } from './binding.ts';
import { validatePodEphemeralContainersUpdate } from './ephemeral-containers.ts';
import { evictPod } from './eviction.ts';
import { getPodQOS } from './qos.ts';
import { validationOptionsFromPod } from './ratcheting.ts';
import { validatePodResize } from './resize.ts';
import { validatePodUpdate } from './updates.ts';
import { validatePodCreate } from './validation.ts';

/** (pkg/registry/core/pod/strategy.go) */
export const podStrategy: RESTStrategy = {
  returnDeletedObject: true,
  namedCreaters: { binding: bindPod, eviction: evictPod },
  resourceLocation({ metadata, spec }: Pod, subresource) {
    if (spec?.nodeName) return spec.nodeName;
    if (subresource === 'proxy') throw badRequest('address not allowed');
    throw badRequest(`pod ${metadata?.name} does not have a host assigned`);
  },
  prepareForCreate(pod: Pod, { now, warn }) {
    applyAppArmorVersionSkew(pod, warn);
    pod.status = { ...pod.status, phase: 'Pending', qosClass: getPodQOS(pod) };
    if (!pod.spec?.schedulingGates?.length) return;
    pod.status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: timeText(now),
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
        observedGeneration: 1,
      },
    ];
  },
  prepareForUpdate(pod: Pod, old: Pod, { subresource }) {
    if (subresource === 'status') keepServerStatus(pod, old);
    else if (subresource === 'ephemeralcontainers') {
      replaceSpec(pod, old, { ...specOf(old), ephemeralContainers: pod.spec?.ephemeralContainers });
    } else if (subresource === 'resize') replaceSpec(pod, old, withResizedContainers(specOf(old), specOf(pod)));
  },
  validateCreate: (pod: Pod, errors) => validatePodCreate(pod, Field.at(FieldPath.root, errors)),
  validateUpdate(pod: Pod, old: Pod, errors, { subresource, part }) {
    const field = Field.at(FieldPath.root, errors);
    const options = validationOptionsFromPod(old);
    if (subresource === 'ephemeralcontainers') validatePodEphemeralContainersUpdate(pod, old, field, options);
    else if (subresource === 'resize') validatePodResize(pod, old, field, options);
    else if (part === 'main') validatePodUpdate(pod, old, field, options);
  },
  /** Only pods that may still run on a node get time to stop. */
  checkGracefulDelete({ spec, status }: Pod, requested) {
    const isFinished = status?.phase === 'Failed' || status?.phase === 'Succeeded';
    if (!spec?.nodeName || isFinished) return 0;
    const seconds = Number(requested ?? spec.terminationGracePeriodSeconds ?? 0);
    return seconds < 0 ? 1 : seconds;
  },
};

const specOf = ({ spec = { containers: [] } }: Pod): PodSpec => spec;

function keepServerStatus(pod: Pod, old: Pod): void {
  pod.status ??= {};
  if (!pod.status.qosClass && old.status?.qosClass) pod.status.qosClass = old.status.qosClass;
  if (!pod.status.observedGeneration && old.status?.observedGeneration) {
    pod.status.observedGeneration = old.status.observedGeneration;
  }
}

/** Makes `pod` the old pod with another spec. */
function replaceSpec(pod: Pod, old: Pod, spec: PodSpec): void {
  const { resourceVersion, managedFields } = pod.metadata;
  pod.metadata = { ...old.metadata, resourceVersion };
  if (managedFields !== undefined) pod.metadata.managedFields = managedFields;
  pod.status = old.status;
  pod.spec = spec;
  if (spec.ephemeralContainers === undefined) delete spec.ephemeralContainers;
}

/** The old spec with the new resources of its containers, or the new spec if it has other containers. */
function withResizedContainers(old: PodSpec, spec: PodSpec): PodSpec {
  const namesOf = (containers: readonly Container[] | null | undefined): string =>
    (containers ?? []).map(({ name }) => name).join();
  const lists = ['containers', 'initContainers'] as const;
  if (lists.some((list) => namesOf(spec[list]) !== namesOf(old[list]))) return spec;
  const result = { ...old };
  for (const list of lists) {
    const containers = old[list];
    if (containers === undefined) continue;
    result[list] = containers.map(({ resizePolicy: _, ...container }, index) => {
      const { resources, resizePolicy } = (spec[list] ?? [])[index];
      return { ...container, resources, ...(resizePolicy === undefined ? {} : { resizePolicy }) };
    });
  }
  return result;
}
