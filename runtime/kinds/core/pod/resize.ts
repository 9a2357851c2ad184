import { equalJson } from '../../../machinery/json/equality.ts';
import type { KubeObject, Part } from '../../../machinery/object.ts';
import { Field } from '../../../machinery/validation/field.ts';
import type { FieldError } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { mirrorAnnotation } from './ephemeral-containers.ts';

/**
 * Only how much cpu and memory containers have may change, not which of them is set, nor what that makes the pod worth
 * when memory runs out. (pkg/apis/core/validation ValidatePodResize)
 *
 * @param qosClass of a pod's spec
 */
export function validatePodResize(
  pod: KubeObject,
  old: KubeObject,
  qosClass: (pod: KubeObject) => string,
  errors: FieldError[],
): void {
  const root = Field.at(FieldPath.root, errors);
  const spec = root.child('spec');
  const unfit = unfitForResize(old);
  if (unfit !== undefined) {
    root.forbidden(unfit);
    return;
  }
  if (!sameContainers(pod, old, spec)) return;
  if ((old.status?.qosClass ?? qosClass(old)) !== qosClass(pod)) {
    spec.invalid(qosClass(pod), 'Pod QOS Class may not change as a result of resizing');
  }
  for (const [index, container] of (pod.spec?.containers ?? []).entries()) {
    const before = old.spec?.containers[index];
    validateResourcesNotRemoved(container, before, spec.child('containers').index(index));
    if (!sameButCompute(container, before)) spec.forbidden('only cpu and memory resources are mutable');
  }
  for (const [index, container] of (pod.spec?.initContainers ?? []).entries()) {
    const before = old.spec?.initContainers[index];
    if (before.restartPolicy === 'Always') {
      validateResourcesNotRemoved(container, before, spec.child('initContainers').index(index));
      if (sameButCompute(container, before)) continue;
      spec.forbidden('only cpu and memory resources for sidecar containers are mutable');
    } else if (!equalJson(container, before)) {
      spec.forbidden('resources for non-sidecar init containers are immutable');
    }
  }
}

function unfitForResize({ metadata, spec: { os } = {} }: KubeObject): string | undefined {
  if (metadata.annotations?.[mirrorAnnotation] !== undefined) return 'static pods cannot be resized';
  return os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

function sameContainers(pod: KubeObject, old: KubeObject, field: Field): boolean {
  const found = field.errors.length;
  for (const list of ['containers', 'initContainers']) {
    const [now, before]: Part[][] = [pod, old].map((one) => one.spec?.[list] ?? []);
    if (now.length !== before.length) {
      field.child(list).forbidden('containers may not be added or removed on resize');
    } else if (now.some(({ name }, index) => name !== before[index].name)) {
      field.child(list).forbidden('containers may not be renamed or reordered on resize');
    }
  }
  return field.errors.length === found;
}

function validateResourcesNotRemoved({ resources }: Part, { resources: before }: Part, field: Field): void {
  for (const list of ['requests', 'limits']) {
    if (Object.keys(before?.[list] ?? {}).every((name) => resources?.[list]?.[name] !== undefined)) continue;
    field.child('resources', list).forbidden(`resource ${list} cannot be removed`);
  }
}

const sameButCompute = (container: Part, before: Part): boolean =>
  equalJson(withoutCompute(container), withoutCompute(before));

function withoutCompute({ resources = {}, ...rest }: Part): Part {
  const others = ['requests', 'limits'].map((list) => {
    const { cpu, memory, ...left } = resources[list] ?? {};
    return left;
  });
  return { ...rest, resources: { ...resources, requests: others[0], limits: others[1] } };
}
