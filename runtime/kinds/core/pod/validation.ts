import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { equalJson, semanticDeepEqual } from '../../../machinery/json/equality.ts';
import { isInt32, maxInt32 } from '../../../machinery/scalars/integers.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { rangeText } from '../../validation/fields.ts';
import { type Labels, validateAnnotations, validateLabels } from '../../validation/labels.ts';
import { validateImageWhitespace } from './containers.ts';
import { validatePodSpec } from './pod-spec.ts';

/** Pods and pod templates. (pkg/apis/core/validation) */

type Pod = Unvalidated<core.Pod>;
type PodSpec = Unvalidated<core.PodSpec>;
type PodTemplate = Unvalidated<core.PodTemplateSpec>;

export const mirrorAnnotation = 'kubernetes.io/config.mirror';
const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';

/** (ValidatePodSpecificAnnotations) */
function validatePodAnnotations(annotations: Labels | undefined, spec: PodSpec | undefined, field: Field): void {
  const mirror = annotations?.[mirrorAnnotation];
  if (mirror !== undefined && !spec?.nodeName) {
    field.key(mirrorAnnotation).invalid(mirror, 'must set spec.nodeName if mirror pod annotation is set');
  }
  const cost = annotations?.[deletionCostAnnotation];
  if (cost !== undefined && !(/^(0|-?[1-9]\d*)$/.test(cost) && isInt32(Number(cost)))) {
    field.key(deletionCostAnnotation).invalid(cost, 'must be a 32bit integer');
  }
}

/** (validatePodMetadataAndSpec) */
export function validatePod(pod: Pod, field: Field): void {
  const spec = pod.spec ?? {};
  const at = field.child('spec');
  validatePodAnnotations(pod.metadata?.annotations, spec, field.child('metadata', 'annotations'));
  validatePodSpec(spec, at);
  if (!spec.serviceAccountName) forbidServiceAccountTokens(spec, at);
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      validateImageWhitespace(container, at.child(list).index(index));
    }
  }
  if (spec.hostNetwork) validateHostNetworkPorts(spec, at);
}

function forbidServiceAccountTokens(spec: PodSpec, field: Field): void {
  for (const [index, { projected }] of (spec.volumes ?? []).entries()) {
    for (const [sourceIndex, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
      if (!serviceAccountToken) continue;
      const source = field.child('volumes').index(index).child('projected', 'sources').index(sourceIndex);
      source.child('serviceAccountToken').forbidden('must not be specified when serviceAccountName is not set');
    }
  }
}

function validateHostNetworkPorts(spec: PodSpec, field: Field): void {
  for (const [index, { ports = [] }] of (spec.containers ?? []).entries()) {
    for (const [portIndex, { hostPort = 0, containerPort = 0 }] of ports.entries()) {
      if (hostPort === containerPort) continue;
      const port = field.child('containers').index(index).child('ports').index(portIndex);
      port.child('hostPort').invalid(hostPort, 'must match `containerPort` when `hostNetwork` is true');
    }
  }
}

/** Errors name labels and annotations without `metadata`, as upstream's. */
export function validatePodTemplateMetadata(template: PodTemplate | undefined, field: Field): void {
  const { labels, annotations } = template?.metadata ?? {};
  validateLabels(labels, field.child('labels'));
  validateAnnotations(annotations, field.child('annotations'));
  validatePodAnnotations(annotations, template?.spec, field.child('annotations'));
}

/** (ValidatePodTemplateSpec) */
export function validatePodTemplateSpec(template: PodTemplate | undefined, field: Field): void {
  validatePodTemplateMetadata(template, field);
  const spec = template?.spec ?? {};
  validatePodSpec(spec, field.child('spec'));
  if (spec.ephemeralContainers?.length) {
    field.child('spec', 'ephemeralContainers').forbidden('ephemeral containers not allowed in pod template');
  }
}

const updatablePodSpecFields = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** (ValidatePodUpdate) */
export function validatePodUpdate(pod: Pod, old: Pod, field: Field): void {
  const at = field.child('spec');
  const spec = pod.spec ?? {};
  const oldSpec = old.spec ?? {};
  for (const list of ['containers', 'initContainers'] as const) {
    if ((spec[list] ?? []).length !== (oldSpec[list] ?? []).length) {
      at.child(list).forbidden('pod updates may not add or remove containers');
      return;
    }
  }
  const { activeDeadlineSeconds } = spec;
  const deadline = at.child('activeDeadlineSeconds');
  if (!validateActiveDeadlineSecondsUpdate(activeDeadlineSeconds, oldSpec.activeDeadlineSeconds, deadline)) return;
  validateOnlyAddedTolerations(spec.tolerations ?? [], oldSpec.tolerations ?? [], at.child('tolerations'));
  const gates = new Set((oldSpec.schedulingGates ?? []).map(({ name }) => name));
  for (const [index, { name }] of (spec.schedulingGates ?? []).entries()) {
    if (gates.has(name)) continue;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    at.child('schedulingGates').index(index).child('name').forbidden(detail);
  }
  if (!semanticDeepEqual(withOldUpdatableFields(spec, oldSpec, gates.size > 0), oldSpec)) {
    at.forbidden(`pod updates may not change fields other than ${updatablePodSpecFields.join(',')}\n`);
  }
}

/** Returns false if the change is invalid. */
function validateActiveDeadlineSecondsUpdate(
  seconds: number | undefined,
  oldSeconds: number | undefined,
  field: Field,
): boolean {
  if (seconds === undefined) {
    if (oldSeconds !== undefined) field.invalid(null, 'must not update from a positive integer to nil value');
    return true;
  }
  if (seconds < 0 || seconds > maxInt32) field.invalid(seconds, rangeText(0, maxInt32));
  else if (oldSeconds !== undefined && oldSeconds < seconds) {
    field.invalid(seconds, 'must be less than or equal to previous value');
  } else return true;
  return false;
}

type Toleration = Unvalidated<core.Toleration>;

/** (validateOnlyAddedTolerations) */
function validateOnlyAddedTolerations(now: readonly Toleration[], old: readonly Toleration[], field: Field): void {
  const keyOf = ({ key = '', operator = '', value = '', effect = '' }: Toleration): string =>
    JSON.stringify([key, operator, value, effect]);
  const keys = new Set(now.map(keyOf));
  if (old.every((toleration) => keys.has(keyOf(toleration)))) return;
  field.forbidden('existing toleration can not be modified except its tolerationSeconds');
}

/** The new spec with the old values of the fields that may change. Gated pods may change their node selection, too. */
function withOldUpdatableFields(spec: PodSpec, old: PodSpec, isGated: boolean): PodSpec {
  const withOldImages = (list: 'containers' | 'initContainers'): Unvalidated<core.Container>[] =>
    (spec[list] ?? []).map((container, index) => ({ ...container, image: old[list]?.[index].image }));
  const isGracePeriodMended = (old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1;
  return {
    ...spec,
    containers: withOldImages('containers'),
    initContainers: withOldImages('initContainers'),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    tolerations: old.tolerations,
    schedulingGates: old.schedulingGates,
    ...(isGracePeriodMended ? { terminationGracePeriodSeconds: old.terminationGracePeriodSeconds } : {}),
    ...(isGated
      ? {
          nodeSelector: old.nodeSelector,
          affinity: { ...spec.affinity, nodeAffinity: old.affinity?.nodeAffinity },
        }
      : {}),
  };
}

/** Existing ephemeral containers are neither changed nor removed. (ValidatePodEphemeralContainersUpdate) */
export function validatePodEphemeralContainersUpdate(pod: Pod, old: Pod, field: Field): void {
  if (old.metadata?.annotations?.[mirrorAnnotation] !== undefined) {
    field.forbidden('static pods do not support ephemeral containers');
    return;
  }
  const at = field.child('spec', 'ephemeralContainers');
  // of two containers with one name, the first counts
  const byName = new Map([...(pod.spec?.ephemeralContainers ?? [])].reverse().map((each) => [each.name, each]));
  for (const container of old.spec?.ephemeralContainers ?? []) {
    const now = byName.get(container.name);
    const subject = `existing ephemeral containers ${JSON.stringify(container.name)} may not be`;
    if (now === undefined) at.forbidden(`${subject} removed\n`);
    else if (!equalJson(now, container)) at.forbidden(`${subject} changed\n`);
  }
}
