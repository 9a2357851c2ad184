import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { mirrorAnnotation } from './annotations.ts';
import { getPodQOS } from './qos.ts';
import { isRestartable } from './resources.ts';
import { validatePodMetadataAndSpec } from './validation.ts';
import type { PodValidationOptions } from './validation-options.ts';

/** A resize changes the cpu and memory requests and limits of containers. (pkg/apis/core/validation) */

type Pod = Unvalidated<core.Pod>;
type Container = Unvalidated<core.Container>;
type Resources = Unvalidated<core.ResourceRequirements>;

const onlyCompute = 'only cpu and memory resources are mutable';
const noPodLevel =
  'resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled';

/** (ValidatePodResize) */
export function validatePodResize(pod: Pod, old: Pod, field: Field, options: PodValidationOptions): void {
  const unnamed = Field.at(FieldPath.unnamed, field.errors);
  const reason = notResizableReason(old);
  if (reason !== undefined) {
    unnamed.forbidden(reason);
    return;
  }
  const errorsBefore = field.errors.length;
  validatePodMetadataAndSpec(pod, field, options);
  const at = field.child('spec');
  const qosClass = pod.status?.qosClass ?? '';
  if ((old.status?.qosClass || getPodQOS(old)) !== getPodQOS(pod)) {
    at.invalid(qosClass, 'Pod QOS Class may not change as a result of resizing');
  }
  if (!isPodResizeRequestSupported(old)) at.forbidden('Pod running on node without support for resize');
  if (statesAmounts(old) || statesAmounts(pod)) {
    unnamed.forbidden(noPodLevel);
    return;
  }
  if (!validateOrdering(pod, old, at)) return;
  for (const list of ['initContainers', 'containers'] as const) {
    for (const [index, container] of (old.spec?.[list] ?? []).entries()) {
      if (list === 'initContainers' && !isRestartable(container)) continue;
      const now = pod.spec?.[list]?.[index];
      validateContainerResize(now?.resources, container.resources, at.child(list).index(index).child('resources'));
    }
  }
  const oldContainers = old.spec?.containers ?? [];
  for (const [index, container] of (pod.spec?.containers ?? []).entries()) {
    const before = oldContainers[index];
    if (before && !equalExceptCompute(container, before)) at.forbidden(onlyCompute);
  }
  const oldInitContainers = old.spec?.initContainers ?? [];
  for (const [index, container] of (pod.spec?.initContainers ?? []).entries()) {
    const before = oldInitContainers[index];
    if (before) validateInitContainer(container, before, at);
  }
  if (field.errors.length === errorsBefore && !isSameOtherwise(pod, old)) at.forbidden(onlyCompute);
}

function notResizableReason({ metadata, spec }: Pod): string | undefined {
  if (metadata?.annotations?.[mirrorAnnotation] !== undefined) return 'static pods cannot be resized';
  return spec?.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

/**
 * Reports whether the node of the first running container reports resources. True if no container runs.
 * (isPodResizeRequestSupported)
 */
function isPodResizeRequestSupported({ status }: Pod): boolean {
  const running = status?.containerStatuses?.find(({ state }) => state?.running);
  return running === undefined || running.resources !== undefined;
}

function statesAmounts({ spec }: Pod): boolean {
  const { requests, limits } = spec?.resources ?? {};
  return [requests, limits].some((amounts) => Object.keys(amounts ?? {}).length > 0);
}

/** Returns false if containers were added, removed, renamed or moved. (validatePodResizeContainerOrdering) */
function validateOrdering(pod: Pod, old: Pod, field: Field): boolean {
  const errorsBefore = field.errors.length;
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = pod.spec?.[list] ?? [];
    const oldContainers = old.spec?.[list] ?? [];
    if (containers.length !== oldContainers.length) {
      field.child(list).forbidden(`${list} may not be added or removed on resize`);
      continue;
    }
    for (const [index, { name }] of oldContainers.entries()) {
      if (containers[index]?.name === name) continue;
      const at = field.child(list).index(index).child('name');
      at.forbidden(`${list} may not be renamed or reordered on resize`);
    }
  }
  return field.errors.length === errorsBefore;
}

/** (validateContainerResize) */
function validateContainerResize(now: Resources | undefined, old: Resources | undefined, field: Field): void {
  for (const list of ['requests', 'limits'] as const) {
    if (Object.keys(old?.[list] ?? {}).every((name) => now?.[list]?.[name] !== undefined)) continue;
    field.child(list).forbidden(`resource ${list} cannot be removed`);
  }
}

function validateInitContainer(container: Container, old: Container, field: Field): void {
  if (isRestartable(container)) {
    if (equalExceptCompute(container, old)) return;
    field.forbidden('only cpu and memory resources for sidecar containers are mutable');
  } else if (!equalJson(container, old)) field.forbidden('resources for non-sidecar init containers are immutable');
}

/**
 * Reports whether only cpu and memory differ. False for a container with claims, which cannot be resized.
 * (dropCPUMemoryResourcesFromContainer)
 */
const equalExceptCompute = (container: Container, old: Container): boolean =>
  !old.resources?.claims?.length && equalJson(withoutCompute(container), withoutCompute(old));

function withoutCompute({ resources, ...rest }: Container): Container {
  const { cpu: _requestedCpu, memory: _requestedMemory, ...requests } = resources?.requests ?? {};
  const { cpu: _cpu, memory: _memory, ...limits } = resources?.limits ?? {};
  return { ...rest, resources: { requests, limits } };
}

/**
 * Reports whether all but the containers is equal. The strategy keeps the rest of the spec unless the number of
 * containers changed.
 */
function isSameOtherwise({ spec }: Pod, { spec: old }: Pod): boolean {
  const { containers: _containers, initContainers: _initContainers, ...rest } = spec ?? {};
  const { containers: _old, initContainers: _oldInit, ...oldRest } = old ?? {};
  return equalJson(rest, oldRest);
}
