import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { isPadded } from '../../../machinery/go/spaces.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import { memberOrDropped } from '../../../machinery/prune/dropped-values.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { isEnough } from '../../../machinery/validation/field-error.ts';
import { dnsLabel } from '../../../machinery/validation/name-formats.ts';
import { validateRequiredEnum, validateRequiredFormat } from '../../validation/fields.ts';
import { checkHostPortConflicts, validateContainerPorts } from './container-ports.ts';
import { validateContainerRestartPolicy, validateInitContainerRestartPolicy, validateResizePolicy } from './container-restart.ts';
import { validateEnv, validateEnvFrom } from './environment.ts';
import { forbidLifecycleAndProbes, validateLifecycleAndProbes } from './probes.ts';
import { validateContainerResourceRequirements } from './resource-requirements.ts';
import { validateSecurityContext } from './security-context.ts';
import type { PodValidationOptions } from './validation-options.ts';
import { type Volumes, validateVolumeDevices, validateVolumeMounts } from './volume-mounts.ts';

type Container = Unvalidated<core.Container>;
type EphemeralContainer = Unvalidated<core.EphemeralContainer>;

/** The facts about a pod that the rules for its containers need. */
export interface PodContext {
  readonly volumes: Volumes;
  /** Names of the pod's resource claims. */
  readonly claimNames: ReadonlySet<string>;
  readonly gracePeriod: number | undefined;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
  /** Absent for templates. */
  readonly metadata: ObjectMeta | undefined;
  readonly options: PodValidationOptions;
}

/** Containers of pods and templates. (pkg/apis/core/validation) */

/** (validateContainers) */
export function validateContainers(containers: readonly Container[], pod: PodContext, field: Field): void {
  if (containers.length === 0) {
    field.required();
    return;
  }
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    if (isEnough(field.errors)) break;
    const at = field.index(index);
    const { name = '' } = container;
    validateContainerCommon(container, pod, at);
    if (names.has(name)) at.child('name').duplicate(name);
    names.add(name);
    validateLifecycleAndProbes(container, pod.gracePeriod, at);
    validateContainerRestartPolicy(container, at);
  }
  checkHostPortConflicts(containers, field);
}

/** Init containers that always restart are sidecars and run beside the others. (validateInitContainers) */
export function validateInitContainers(
  containers: readonly Container[],
  regular: readonly Container[],
  pod: PodContext,
  field: Field,
): void {
  if (containers.length === 0) return;
  const names = new Set(regular.map(({ name = '' }) => name));
  for (const [index, container] of containers.entries()) {
    if (isEnough(field.errors)) break;
    const at = field.index(index);
    const { name = '' } = container;
    validateContainerCommon(container, pod, at);
    validateInitContainerRestartPolicy(container, at);
    if (names.has(name)) at.child('name').duplicate(name);
    else if (name !== '') names.add(name);
    checkHostPortConflicts([container], field);
    if (container.restartPolicy === 'Always') validateLifecycleAndProbes(container, pod.gracePeriod, at);
    else forbidLifecycleAndProbes(container, at);
  }
}

const fieldsForbiddenInEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const satisfies readonly (keyof core.EphemeralContainer)[];

const notForEphemeral = 'cannot be set for an Ephemeral Container';

/** (validateEphemeralContainers) */
export function validateEphemeralContainers(
  containers: readonly EphemeralContainer[],
  others: readonly Container[],
  pod: PodContext,
  field: Field,
): void {
  if (containers.length === 0) return;
  const otherNames = new Set(others.map(({ name = '' }) => name));
  const names = new Set(otherNames);
  for (const [index, container] of containers.entries()) {
    if (isEnough(field.errors)) break;
    const at = field.index(index);
    const { name = '', targetContainerName, volumeMounts } = container;
    validateContainerCommon(container, pod, at);
    validateContainerOnlyForPod(container, at);
    if (names.has(name)) at.child('name').duplicate(name);
    names.add(name);
    if (targetContainerName && !otherNames.has(targetContainerName)) {
      at.child('targetContainerName').notFound(targetContainerName);
    }
    validateFieldAllowList(container, at);
    for (const [mountIndex, { subPath, subPathExpr }] of (volumeMounts ?? []).entries()) {
      const mount = at.child('volumeMounts').index(mountIndex);
      if (subPath) mount.child('subPath').forbidden(notForEphemeral);
      if (subPathExpr) mount.child('subPathExpr').forbidden(notForEphemeral);
    }
  }
}

/** An empty list or map is set, too. (validateFieldAllowList) */
function validateFieldAllowList(container: EphemeralContainer, field: Field): void {
  const { resources = {} } = container;
  const isSet = (name: (typeof fieldsForbiddenInEphemeral)[number]): boolean =>
    name === 'resources'
      ? ['limits', 'requests', 'claims'].some((member) => memberOrDropped(resources, member) !== undefined)
      : memberOrDropped(container, name) !== undefined;
  for (const name of fieldsForbiddenInEphemeral) if (isSet(name)) field.child(name).forbidden(notForEphemeral);
}

/** In pods, unlike in templates, the image has no leading or trailing whitespace. (validateContainerOnlyForPod) */
export function validateContainerOnlyForPod({ image = '' }: Container, field: Field): void {
  if (isPadded(image)) {
    field.child('image').invalid(image, 'must not have leading or trailing whitespace');
  }
}

const messagePolicies = ['File', 'FallbackToLogsOnError'];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

/** (validateContainerCommon) */
function validateContainerCommon(container: Container, pod: PodContext, field: Field): void {
  validateRequiredFormat(container.name, dnsLabel, field.child('name'));
  if (!container.image) field.child('image').required();
  const messagePolicy = field.child('terminationMessagePolicy');
  validateRequiredEnum(container.terminationMessagePolicy, messagePolicies, messagePolicy);
  validateContainerPorts(container.ports, field.child('ports'));
  validateEnv(container.env ?? [], field.child('env'));
  validateEnvFrom(container.envFrom ?? [], field.child('envFrom'));
  validateVolumeMounts(container, pod.volumes, field.child('volumeMounts'));
  validateVolumeDevices(container, pod.volumes, field.child('volumeDevices'));
  validateRequiredEnum(container.imagePullPolicy, pullPolicies, field.child('imagePullPolicy'));
  validateContainerResourceRequirements(container.resources, pod, field.child('resources'));
  validateResizePolicy(container.resizePolicy, pod.restartPolicy, field.child('resizePolicy'));
  validateSecurityContext(container.securityContext, pod.hostUsers, field.child('securityContext'));
}
