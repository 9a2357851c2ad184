import type { Part } from '../../../machinery/object.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { rangeText, semanticDeepEqual } from '../../validation/fields.ts';
import { validateAnnotations, validateLabels } from '../../validation/labels.ts';
import { validateImageWhitespace } from './containers.ts';
import { validatePodSpec } from './pod-spec.ts';

const mirror = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

function validatePodAnnotations(annotations: Part, spec: Part, field: Field): void {
  if (annotations?.[mirror] !== undefined && !spec?.nodeName) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    field.key(mirror).invalid(annotations[mirror], detail);
  }
  const cost = annotations?.[deletionCost];
  if (cost !== undefined && !isInt32(cost)) {
    field.key(deletionCost).invalid(cost, 'must be a 32bit integer');
  }
}

const isInt32 = (text: string): boolean =>
  /^(0|-?[1-9]\d*)$/.test(text) && Number(text) >= -2147483648 && Number(text) <= 2147483647;

/** (validatePodMetadataAndSpec) The spec, and what is said of pods and not of templates. */
export function validatePod(pod: Part, field: Field): void {
  const spec = pod.spec ?? {};
  const at = field.child('spec');
  validatePodAnnotations(pod.metadata?.annotations, spec, field.child('metadata', 'annotations'));
  validatePodSpec(spec, at);
  if (!spec.serviceAccountName) {
    for (const [index, { projected }] of (spec.volumes ?? []).entries()) {
      for (const [place, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
        if (!serviceAccountToken) continue;
        const source = at.child('volumes').index(index).child('projected', 'sources').index(place);
        const detail = 'must not be specified when serviceAccountName is not set';
        source.child('serviceAccountToken').forbidden(detail);
      }
    }
  }
  for (const list of ['containers', 'initContainers']) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      validateImageWhitespace(container, at.child(list).index(index));
    }
  }
  if (!spec.hostNetwork) return;
  for (const [index, { ports = [] }] of (spec.containers ?? []).entries()) {
    for (const [place, { hostPort = 0, containerPort = 0 }] of ports.entries()) {
      if (hostPort === containerPort) continue;
      const port = at.child('containers').index(index).child('ports').index(place);
      const detail = 'must match `containerPort` when `hostNetwork` is true';
      port.child('hostPort').invalid(hostPort, detail);
    }
  }
}

/** Paths of labels and annotations are upstream's: without `metadata`. */
export function validatePodTemplateMetadata(template: Part, field: Field): void {
  const { labels, annotations } = template?.metadata ?? {};
  validateLabels(labels, field.child('labels'));
  validateAnnotations(annotations, field.child('annotations'));
  validatePodAnnotations(annotations, template?.spec, field.child('annotations'));
}

/** (ValidatePodTemplateSpec) */
export function validatePodTemplateSpec(template: Part, field: Field): void {
  validatePodTemplateMetadata(template, field);
  const spec = template?.spec ?? {};
  validatePodSpec(spec, field.child('spec'));
  if (spec.ephemeralContainers?.length) {
    const detail = 'ephemeral containers not allowed in pod template';
    field.child('spec', 'ephemeralContainers').forbidden(detail);
  }
}

const updatable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** (ValidatePodUpdate) */
export function validatePodUpdate(pod: Part, old: Part, field: Field): void {
  const at = field.child('spec');
  const spec = pod.spec ?? {};
  const before = old.spec ?? {};
  for (const list of ['containers', 'initContainers']) {
    if ((spec[list] ?? []).length !== (before[list] ?? []).length) {
      at.child(list).forbidden('pod updates may not add or remove containers');
      return;
    }
  }
  if (!validateActiveDeadlineSecondsUpdate(spec.activeDeadlineSeconds, before.activeDeadlineSeconds, at)) return;
  validateOnlyAddedTolerations(spec.tolerations ?? [], before.tolerations ?? [], at.child('tolerations'));
  const gates = new Set((before.schedulingGates ?? []).map(({ name }: Part) => name));
  for (const [index, { name }] of (spec.schedulingGates ?? []).entries()) {
    if (gates.has(name)) continue;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    at.child('schedulingGates').index(index).child('name').forbidden(detail);
  }
  if (!semanticDeepEqual(withoutUpdatable(spec, before, gates.size > 0), before)) {
    at.forbidden(`pod updates may not change fields other than ${updatable.join(',')}\n`);
  }
}

/** Whether the rest is worth checking. */
function validateActiveDeadlineSecondsUpdate(
  seconds: number | undefined,
  before: number | undefined,
  field: Field,
): boolean {
  const at = field.child('activeDeadlineSeconds');
  if (seconds === undefined) {
    if (before !== undefined) at.invalid(null, 'must not update from a positive integer to nil value');
    return true;
  }
  if (seconds < 0 || seconds > 2147483647) at.invalid(seconds, rangeText(0, 2147483647));
  else if (before !== undefined && before < seconds) {
    at.invalid(seconds, 'must be less than or equal to previous value');
  } else return true;
  return false;
}

function validateOnlyAddedTolerations(now: readonly Part[], before: readonly Part[], field: Field): void {
  const textOf = ({ key = '', operator = '', value = '', effect = '' }: Part): string =>
    JSON.stringify([key, operator, value, effect]);
  const kept = new Set(now.map(textOf));
  if (before.every((old) => kept.has(textOf(old)))) return;
  field.forbidden('existing toleration can not be modified except its tolerationSeconds');
}

/** The new spec with the old one's values where change is allowed; gated pods may also still choose their node. */
function withoutUpdatable(spec: Part, before: Part, gated: boolean): Part {
  const withImages = (list: string): Part =>
    (spec[list] ?? []).map((container: Part, index: number) => ({ ...container, image: before[list][index].image }));
  const shortened = before.terminationGracePeriodSeconds < 0 && spec.terminationGracePeriodSeconds === 1;
  return {
    ...spec,
    containers: withImages('containers'),
    initContainers: withImages('initContainers'),
    activeDeadlineSeconds: before.activeDeadlineSeconds,
    tolerations: before.tolerations,
    schedulingGates: before.schedulingGates,
    ...(shortened ? { terminationGracePeriodSeconds: before.terminationGracePeriodSeconds } : {}),
    ...(gated ? { nodeSelector: before.nodeSelector, affinity: withOldNodeAffinity(spec, before) } : {}),
  };
}

const withOldNodeAffinity = (spec: Part, before: Part): Part => ({
  ...spec.affinity,
  nodeAffinity: before.affinity?.nodeAffinity,
});
