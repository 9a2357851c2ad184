import type { KubeObject, Part } from '../../../machinery/object.ts';
import { timeText } from '../../../machinery/scalars/time.ts';
import { forbidden } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../../resources/rest.ts';
import { adoptAppArmorAnnotations } from './app-armor.ts';
import { validatePodEphemeralContainersUpdate } from './ephemeral-containers.ts';
import { getPodQOS } from './qos.ts';
import { validatePodResize } from './resize.ts';

/** (pkg/registry/core/pod/strategy.go) */
export const podStrategy: RESTStrategy = {
  returnDeletedObject: true,
  prepareForCreate(pod, { now, warn }) {
    adoptAppArmorAnnotations(pod, warn);
    pod.status = { ...pod.status, phase: 'Pending', qosClass: getPodQOS(pod) };
    if ((pod.spec?.schedulingGates ?? []).length === 0) return;
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
  prepareForUpdate(pod, old, { subresource }) {
    if (subresource === 'status') keepServerStatus(pod, old);
    if (subresource === 'ephemeralcontainers') {
      keepAllBut(pod, old, { ...old.spec, ephemeralContainers: pod.spec?.ephemeralContainers });
    }
    if (subresource === 'resize') keepAllBut(pod, old, resized(pod.spec ?? {}, old.spec ?? {}));
  },
  validateCreate({ spec }, errors) {
    if ((spec?.ephemeralContainers ?? []).length === 0) return;
    errors.push(forbidden(FieldPath.of('spec', 'ephemeralContainers'), 'cannot be set on create'));
  },
  validateUpdate(pod, old, errors, { subresource }) {
    if (subresource === 'ephemeralcontainers') validatePodEphemeralContainersUpdate(pod, old, errors);
    if (subresource === 'resize') validatePodResize(pod, old, getPodQOS, errors);
  },
  /** Only what may still run on a node gets time to stop. */
  checkGracefulDelete(pod, asked) {
    const finished = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
    if (!pod.spec?.nodeName || finished) return 0;
    const period = asked ?? pod.spec.terminationGracePeriodSeconds ?? 0;
    return period < 0 ? 1 : Number(period);
  },
};

function keepServerStatus(pod: KubeObject, old: KubeObject): void {
  pod.status ??= {};
  if (!pod.status.qosClass && old.status?.qosClass) pod.status.qosClass = old.status.qosClass;
  if (!pod.status.observedGeneration && old.status?.observedGeneration) {
    pod.status.observedGeneration = old.status.observedGeneration;
  }
}

/** Takes the pod back to what it was, but for its spec. */
function keepAllBut(pod: KubeObject, old: KubeObject, spec: Part): void {
  const { resourceVersion, managedFields } = pod.metadata;
  pod.metadata = { ...old.metadata, resourceVersion };
  if (managedFields !== undefined) pod.metadata.managedFields = managedFields;
  pod.status = old.status;
  pod.spec = spec;
  if (spec.ephemeralContainers === undefined) delete spec.ephemeralContainers;
}

/** The old spec with the new resources of its containers; the new one where containers came, went or changed places. */
function resized(spec: Part, old: Part): Part {
  const lists = ['containers', 'initContainers'];
  const namesOf = (list: Part[] = []): string => list.map(({ name }) => name).join();
  if (lists.some((list) => namesOf(spec[list]) !== namesOf(old[list]))) return spec;
  const result = { ...old };
  for (const list of lists) {
    if (old[list] === undefined) continue;
    result[list] = old[list].map((container: Part, index: number) => {
      const { resources, resizePolicy } = spec[list][index];
      const { resizePolicy: _, ...rest } = container;
      return { ...rest, resources, ...(resizePolicy === undefined ? {} : { resizePolicy }) };
    });
  }
  return result;
}
