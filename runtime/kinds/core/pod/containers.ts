import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel } from '../../../machinery/validation/name-formats.ts';
import { portName } from '../../../structural/formats.ts';
import {
  validateEnum,
  validateFormat,
  validatePortNum,
  validateRequiredEnum,
  validateRequiredFormat,
} from '../../validation/fields.ts';
import { validateContainerResourceName, validateResourceRequirements } from '../resource-list.ts';
import { validateEnv, validateEnvFrom } from './environment.ts';
import { forbidLifecycleAndProbes, validateLifecycleAndProbes } from './probes.ts';
import { validateSecurityContext } from './security-context.ts';
import type { PodValidationOptions } from './validation-options.ts';
import { validateLocalDescendingPath } from './volumes.ts';

type Container = Unvalidated<core.Container>;
type EphemeralContainer = Unvalidated<core.EphemeralContainer>;

/** What the rules for a container need to know about its pod. */
export interface PodContext {
  /** By name. */
  readonly volumes: ReadonlyMap<string, Unvalidated<core.Volume>>;
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
  const names = new Set<string | undefined>();
  for (const [index, container] of containers.entries()) {
    const at = field.index(index);
    validateContainerCommon(container, pod, at);
    if (names.has(container.name)) at.child('name').duplicate(container.name);
    names.add(container.name);
    validateLifecycleAndProbes(container, pod.gracePeriod, at);
  }
  checkHostPortConflicts(containers, field);
}

/** (validateInitContainers) Init containers that are always restarted run beside the others, as sidecars. */
export function validateInitContainers(
  containers: readonly Container[],
  regular: readonly Container[],
  pod: PodContext,
  field: Field,
): void {
  const names = new Set(regular.map(({ name }) => name));
  for (const [index, container] of containers.entries()) {
    const at = field.index(index);
    validateContainerCommon(container, pod, at);
    if (names.has(container.name)) at.child('name').duplicate(container.name);
    else if (container.name) names.add(container.name);
    checkHostPortConflicts([container], field);
    if (container.restartPolicy === 'Always') validateLifecycleAndProbes(container, pod.gracePeriod, at);
    else forbidLifecycleAndProbes(container, at);
  }
}

const fieldsForbiddenInEphemeral = [
  'ports',
  'resources',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resizePolicy',
  'restartPolicy',
] as const satisfies readonly (keyof core.EphemeralContainer)[];

/** (validateEphemeralContainers) */
export function validateEphemeralContainers(
  containers: readonly EphemeralContainer[],
  others: readonly Container[],
  pod: PodContext,
  field: Field,
): void {
  const otherNames = new Set(others.map(({ name }) => name));
  const names = new Set(otherNames);
  const detail = 'cannot be set for an Ephemeral Container';
  for (const [index, container] of containers.entries()) {
    const at = field.index(index);
    validateContainerCommon(container, pod, at);
    validateImageWhitespace(container, at);
    if (names.has(container.name)) at.child('name').duplicate(container.name);
    names.add(container.name);
    if (container.targetContainerName && !otherNames.has(container.targetContainerName)) {
      at.child('targetContainerName').notFound(container.targetContainerName);
    }
    for (const name of fieldsForbiddenInEphemeral) if (isSet(container[name])) at.child(name).forbidden(detail);
    for (const [mountIndex, mount] of (container.volumeMounts ?? []).entries()) {
      for (const name of ['subPath', 'subPathExpr'] as const) {
        if (mount[name]) at.child('volumeMounts').index(mountIndex).child(name).forbidden(detail);
      }
    }
  }
}

const isSet = (value: unknown): boolean =>
  value !== undefined && (typeof value !== 'object' || Object.keys(value ?? {}).length > 0);

/** In pods, unlike in templates, the image has no leading or trailing whitespace. (validatePodContainers) */
export function validateImageWhitespace({ image = '' }: Container, field: Field): void {
  if (image.trim() !== image) {
    field.child('image').invalid(image, 'must not have leading or trailing whitespace');
  }
}

/** (validateContainerCommon) */
function validateContainerCommon(container: Container, pod: PodContext, field: Field): void {
  validateRequiredFormat(container.name, dnsLabel, field.child('name'));
  if (!container.image) field.child('image').required();
  const messagePolicies = ['File', 'FallbackToLogsOnError'];
  const messagePolicy = field.child('terminationMessagePolicy');
  validateRequiredEnum(container.terminationMessagePolicy, messagePolicies, messagePolicy);
  validateContainerPorts(container.ports ?? [], field.child('ports'));
  validateEnv(container.env ?? [], field.child('env'));
  validateEnvFrom(container.envFrom ?? [], field.child('envFrom'));
  validateVolumeMounts(container, pod.volumes, field.child('volumeMounts'));
  validateVolumeDevices(container, pod.volumes, field.child('volumeDevices'));
  const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
  validateRequiredEnum(container.imagePullPolicy, pullPolicies, field.child('imagePullPolicy'));
  const { claimNames } = pod;
  validateResourceRequirements(
    container.resources,
    validateContainerResourceName,
    claimNames,
    field.child('resources'),
  );
  validateResizePolicy(container.resizePolicy ?? [], pod.restartPolicy, field.child('resizePolicy'));
  validateSecurityContext(container.securityContext, pod.hostUsers, field.child('securityContext'));
}

function validateContainerPorts(ports: readonly Unvalidated<core.ContainerPort>[], field: Field): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = field.index(index);
    if (port.name) {
      const before = field.errors.length;
      validateFormat(port.name, portName, at.child('name'));
      if (field.errors.length === before && names.has(port.name)) at.child('name').duplicate(port.name);
      names.add(port.name);
    }
    if (!port.containerPort) at.child('containerPort').required();
    else validatePortNum(port.containerPort, at.child('containerPort'));
    if (port.hostPort) validatePortNum(port.hostPort, at.child('hostPort'));
    validateRequiredEnum(port.protocol, ['SCTP', 'TCP', 'UDP'], at.child('protocol'));
  }
}

/** (checkHostPortConflicts) */
function checkHostPortConflicts(containers: readonly Container[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [portIndex, { hostPort, hostIP = '', protocol }] of (container.ports ?? []).entries()) {
      if (!hostPort) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (seen.has(key)) {
        field.index(index).child('ports').index(portIndex).child('hostPort').duplicate(key);
      }
      seen.add(key);
    }
  }
}

function validateVolumeMounts(
  { volumeMounts = [], volumeDevices = [], securityContext }: Container,
  volumes: PodContext['volumes'],
  field: Field,
): void {
  const mountPaths = new Set<string>();
  const devices = new Set(volumeDevices.map(({ name }) => name));
  const devicePaths = new Set(volumeDevices.map(({ devicePath }) => devicePath));
  for (const [index, mount] of volumeMounts.entries()) {
    const at = field.index(index);
    const { name = '', mountPath = '', subPath, subPathExpr, mountPropagation } = mount;
    if (name === '') at.child('name').required();
    if (!volumes.has(name)) at.child('name').notFound(name);
    if (mountPath === '') at.child('mountPath').required();
    if (mountPaths.has(mountPath)) at.child('mountPath').invalid(mountPath, 'must be unique');
    mountPaths.add(mountPath);
    if (devices.has(name)) {
      at.child('name').invalid(name, 'must not already exist in volumeDevices');
    }
    if (devicePaths.has(mountPath)) {
      at.child('mountPath').invalid(mountPath, 'must not already exist as a path in volumeDevices');
    }
    if (mountPropagation !== undefined) {
      validateMountPropagation(mountPropagation, Boolean(securityContext?.privileged), field);
    }
    if (subPath) validateLocalDescendingPath(subPath, field.child('subPath'));
    if (subPathExpr) {
      if (subPath) {
        const detail = 'subPathExpr and subPath are mutually exclusive';
        at.child('subPathExpr').invalid(subPathExpr, detail);
      }
      validateLocalDescendingPath(subPathExpr, field.child('subPathExpr'));
    }
  }
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

/** @param field the list of mounts, which upstream's errors name in place of the mount */
function validateMountPropagation(propagation: string, isPrivileged: boolean, field: Field): void {
  const at = field.child('mountPropagation');
  validateEnum(propagation, propagations, at);
  if (propagation === 'Bidirectional' && !isPrivileged) {
    at.forbidden('Bidirectional mount propagation is available only to privileged containers');
  }
}

function validateVolumeDevices(
  { volumeMounts = [], volumeDevices = [] }: Container,
  volumes: PodContext['volumes'],
  field: Field,
): void {
  const names = new Set<string>();
  const devicePaths = new Set<string>();
  const mounts = new Set(volumeMounts.map(({ name }) => name));
  for (const [index, { name = '', devicePath = '' }] of volumeDevices.entries()) {
    const at = field.index(index);
    const volume = volumes.get(name);
    if (name === '') at.child('name').required();
    if (name && names.has(name)) at.child('name').invalid(name, 'must be unique');
    if (!volume) at.child('name').notFound(name);
    else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      at.child('name').invalid(name, detail);
    }
    if (devicePath === '') at.child('devicePath').required();
    if (devicePaths.has(devicePath)) at.child('devicePath').invalid(devicePath, 'must be unique');
    if (devicePath.split('/').includes('..')) {
      at.child('devicePath').invalid(devicePath, "can not contain backsteps ('..')");
    }
    if (mounts.has(name)) {
      at.child('name').invalid(name, 'must not already exist in volumeMounts');
    }
    names.add(name);
    devicePaths.add(devicePath);
  }
}

function validateResizePolicy(
  policies: readonly Unvalidated<core.ContainerResizePolicy>[],
  podRestartPolicy: string,
  field: Field,
): void {
  const seen = new Set<string>();
  for (const [index, { resourceName = '', restartPolicy = '' }] of policies.entries()) {
    if (seen.has(resourceName)) field.index(index).duplicate(resourceName);
    seen.add(resourceName);
    validateRequiredEnum(resourceName, ['cpu', 'memory'], field);
    validateRequiredEnum(restartPolicy, ['NotRequired', 'RestartContainer'], field);
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      field.invalid(restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'");
    }
  }
}
