import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { mirrorAnnotation } from './annotations.ts';
import { getPodQOS } from './qos.ts';
import { validatePodMetadataAndSpec } from './validation.ts';
import type { PodValidationOptions } from './validation-options.ts';

type Pod = Unvalidated<core.Pod>;
type Container = Unvalidated<core.Container>;

/**
 * A resize changes amounts of cpu and memory. It neither sets nor removes any of them, and keeps the QoS class.
 * (pkg/apis/core/validation, ValidatePodResize)
 */
export function validatePodResize(pod: Pod, old: Pod, field: Field, options: PodValidationOptions): void {
  validatePodMetadataAndSpec(pod, field, options);
  const reason = notResizableReason(old);
  if (reason !== undefined) {
    field.forbidden(reason);
    return;
  }
  const spec = field.child('spec');
  if (!validateSameContainers(pod, old, spec)) return;
  const qosClass = getPodQOS(pod);
  if ((old.status?.qosClass ?? getPodQOS(old)) !== qosClass) {
    spec.invalid(qosClass, 'Pod QOS Class may not change as a result of resizing');
  }
  const oldContainers = old.spec?.containers ?? [];
  for (const [index, container] of (pod.spec?.containers ?? []).entries()) {
    validateResourcesNotRemoved(container, oldContainers[index], spec.child('containers').index(index));
    if (!equalExceptCompute(container, oldContainers[index])) {
      spec.forbidden('only cpu and memory resources are mutable');
    }
  }
  const oldInitContainers = old.spec?.initContainers ?? [];
  for (const [index, container] of (pod.spec?.initContainers ?? []).entries()) {
    const before = oldInitContainers[index];
    if (before.restartPolicy === 'Always') {
      validateResourcesNotRemoved(container, before, spec.child('initContainers').index(index));
      if (equalExceptCompute(container, before)) continue;
      spec.forbidden('only cpu and memory resources for sidecar containers are mutable');
    } else if (!equalJson(container, before)) {
      spec.forbidden('resources for non-sidecar init containers are immutable');
    }
  }
}

function notResizableReason({ metadata, spec }: Pod): string | undefined {
  if (metadata?.annotations?.[mirrorAnnotation] !== undefined) return 'static pods cannot be resized';
  return spec?.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

function validateSameContainers(pod: Pod, old: Pod, field: Field): boolean {
  const errorsBefore = field.errors.length;
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = pod.spec?.[list] ?? [];
    const oldContainers = old.spec?.[list] ?? [];
    if (containers.length !== oldContainers.length) {
      field.child(list).forbidden('containers may not be added or removed on resize');
    } else if (containers.some(({ name }, index) => name !== oldContainers[index].name)) {
      field.child(list).forbidden('containers may not be renamed or reordered on resize');
    }
  }
  return field.errors.length === errorsBefore;
}

function validateResourcesNotRemoved({ resources }: Container, { resources: old }: Container, field: Field): void {
  for (const list of ['requests', 'limits'] as const) {
    if (Object.keys(old?.[list] ?? {}).every((name) => resources?.[list]?.[name] !== undefined)) continue;
    field.child('resources', list).forbidden(`resource ${list} cannot be removed`);
  }
}

const equalExceptCompute = (container: Container, old: Container): boolean =>
  equalJson(withoutCompute(container), withoutCompute(old));

function withoutCompute({ resources, ...rest }: Container): Container {
  const { cpu: _requestedCpu, memory: _requestedMemory, ...requests } = resources?.requests ?? {};
  const { cpu: _cpu, memory: _memory, ...limits } = resources?.limits ?? {};
  return { ...rest, resources: { ...resources, requests, limits } };
}
