import type { Part } from '../../../machinery/object.ts';
import { duplicate, forbidden, invalid, notFound, required } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { dnsLabel } from '../../../machinery/validation/name-formats.ts';
import { portName } from '../../../structural/formats.ts';
import {
  type Errors,
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
import { validateLocalDescendingPath } from './volumes.ts';

/** What the checks of a container need to know of its pod. */
export interface PodContext {
  readonly volumes: ReadonlyMap<string, Part>;
  readonly claimNames: ReadonlySet<string>;
  readonly graceSeconds: number | undefined;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
}

/** (validateContainers) */
export function validateContainers(
  containers: readonly Part[],
  pod: PodContext,
  path: FieldPath,
  errors: Errors,
): void {
  if (containers.length === 0) {
    errors.push(required(path));
    return;
  }
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const at = path.index(index);
    validateContainerCommon(container, pod, at, errors);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    validateLifecycleAndProbes(container, pod.graceSeconds, at, errors);
  }
  checkHostPortConflicts(containers, path, errors);
}

/** (validateInitContainers) Those that restart always run beside the others. */
export function validateInitContainers(
  containers: readonly Part[],
  regular: readonly Part[],
  pod: PodContext,
  path: FieldPath,
  errors: Errors,
): void {
  const names = new Set<string>(regular.map(({ name }) => name));
  for (const [index, container] of containers.entries()) {
    const at = path.index(index);
    validateContainerCommon(container, pod, at, errors);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    else if (container.name) names.add(container.name);
    checkHostPortConflicts([container], path, errors);
    if (container.restartPolicy === 'Always') validateLifecycleAndProbes(container, pod.graceSeconds, at, errors);
    else forbidLifecycleAndProbes(container, at, errors);
  }
}

const notForEphemeral = [
  'ports',
  'resources',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resizePolicy',
  'restartPolicy',
];

/** (validateEphemeralContainers) */
export function validateEphemeralContainers(
  containers: readonly Part[],
  others: readonly Part[],
  pod: PodContext,
  path: FieldPath,
  errors: Errors,
): void {
  const otherNames = new Set<string>(others.map(({ name }) => name));
  const names = new Set(otherNames);
  const detail = 'cannot be set for an Ephemeral Container';
  for (const [index, container] of containers.entries()) {
    const at = path.index(index);
    validateContainerCommon(container, pod, at, errors);
    validateImageWhitespace(container, at, errors);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    if (container.targetContainerName && !otherNames.has(container.targetContainerName)) {
      errors.push(notFound(at.child('targetContainerName'), container.targetContainerName));
    }
    for (const name of notForEphemeral) if (isSet(container[name])) errors.push(forbidden(at.child(name), detail));
    for (const [place, mount] of (container.volumeMounts ?? []).entries()) {
      for (const name of ['subPath', 'subPathExpr']) {
        if (mount[name]) errors.push(forbidden(at.child('volumeMounts').index(place).child(name), detail));
      }
    }
  }
}

const isSet = (value: Part): boolean =>
  value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0);

/** Pods, unlike templates, may not have blanks around the name of an image. */
export function validateImageWhitespace({ image = '' }: Part, path: FieldPath, errors: Errors): void {
  if (image.trim() !== image) {
    errors.push(invalid(path.child('image'), image, 'must not have leading or trailing whitespace'));
  }
}

function validateContainerCommon(container: Part, pod: PodContext, path: FieldPath, errors: Errors): void {
  validateRequiredFormat(container.name, dnsLabel, path.child('name'), errors);
  if (!container.image) errors.push(required(path.child('image')));
  const messagePolicies = ['File', 'FallbackToLogsOnError'];
  const messagePolicy = path.child('terminationMessagePolicy');
  validateRequiredEnum(container.terminationMessagePolicy, messagePolicies, messagePolicy, errors);
  validateContainerPorts(container.ports ?? [], path.child('ports'), errors);
  validateEnv(container.env ?? [], path.child('env'), errors);
  validateEnvFrom(container.envFrom ?? [], path.child('envFrom'), errors);
  validateVolumeMounts(container, pod, path.child('volumeMounts'), errors);
  validateVolumeDevices(container, pod, path.child('volumeDevices'), errors);
  const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
  validateRequiredEnum(container.imagePullPolicy, pullPolicies, path.child('imagePullPolicy'), errors);
  const { claimNames } = pod;
  validateResourceRequirements(
    container.resources,
    validateContainerResourceName,
    claimNames,
    path.child('resources'),
    errors,
  );
  validateResizePolicy(container.resizePolicy ?? [], pod.restartPolicy, path.child('resizePolicy'), errors);
  validateSecurityContext(container.securityContext, pod.hostUsers, path.child('securityContext'), errors);
}

function validateContainerPorts(ports: readonly Part[], path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = path.index(index);
    if (port.name) {
      const before = errors.length;
      validateFormat(port.name, portName, at.child('name'), errors);
      if (errors.length === before && names.has(port.name)) errors.push(duplicate(at.child('name'), port.name));
      names.add(port.name);
    }
    if (!port.containerPort) errors.push(required(at.child('containerPort')));
    else validatePortNum(port.containerPort, at.child('containerPort'), errors);
    if (port.hostPort) validatePortNum(port.hostPort, at.child('hostPort'), errors);
    validateRequiredEnum(port.protocol, ['SCTP', 'TCP', 'UDP'], at.child('protocol'), errors);
  }
}

function checkHostPortConflicts(containers: readonly Part[], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [place, { hostPort, hostIP = '', protocol }] of (container.ports ?? []).entries()) {
      if (!hostPort) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (seen.has(key)) {
        errors.push(duplicate(path.index(index).child('ports').index(place).child('hostPort'), key));
      }
      seen.add(key);
    }
  }
}

function validateVolumeMounts(
  { volumeMounts = [], volumeDevices = [], securityContext }: Part,
  pod: PodContext,
  path: FieldPath,
  errors: Errors,
): void {
  const mountPaths = new Set<string>();
  const devices = new Set(volumeDevices.map(({ name }: Part) => name));
  const devicePaths = new Set(volumeDevices.map(({ devicePath }: Part) => devicePath));
  for (const [index, mount] of volumeMounts.entries()) {
    const at = path.index(index);
    const { name = '', mountPath = '', subPath, subPathExpr } = mount;
    if (name === '') errors.push(required(at.child('name')));
    if (!pod.volumes.has(name)) errors.push(notFound(at.child('name'), name));
    if (mountPath === '') errors.push(required(at.child('mountPath')));
    if (mountPaths.has(mountPath)) errors.push(invalid(at.child('mountPath'), mountPath, 'must be unique'));
    mountPaths.add(mountPath);
    if (devices.has(name)) {
      errors.push(invalid(at.child('name'), name, 'must not already exist in volumeDevices'));
    }
    if (devicePaths.has(mountPath)) {
      errors.push(invalid(at.child('mountPath'), mountPath, 'must not already exist as a path in volumeDevices'));
    }
    if (mount.mountPropagation !== undefined) validateMountPropagation(mount, securityContext, path, errors);
    if (subPath) validateLocalDescendingPath(subPath, path.child('subPath'), errors);
    if (subPathExpr) {
      if (subPath) {
        const detail = 'subPathExpr and subPath are mutually exclusive';
        errors.push(invalid(at.child('subPathExpr'), subPathExpr, detail));
      }
      validateLocalDescendingPath(subPathExpr, path.child('subPathExpr'), errors);
    }
  }
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

/** Said of the list of mounts, as upstream does. */
function validateMountPropagation(
  { mountPropagation }: Part,
  securityContext: Part,
  path: FieldPath,
  errors: Errors,
): void {
  const at = path.child('mountPropagation');
  validateEnum(mountPropagation, propagations, at, errors);
  if (mountPropagation === 'Bidirectional' && !securityContext?.privileged) {
    errors.push(forbidden(at, 'Bidirectional mount propagation is available only to privileged containers'));
  }
}

function validateVolumeDevices(
  { volumeMounts = [], volumeDevices = [] }: Part,
  pod: PodContext,
  path: FieldPath,
  errors: Errors,
): void {
  const names = new Set<string>();
  const devicePaths = new Set<string>();
  const mounts = new Set(volumeMounts.map((mount: Part) => mount.name));
  for (const [index, { name = '', devicePath = '' }] of volumeDevices.entries()) {
    const at = path.index(index);
    const volume = pod.volumes.get(name);
    if (name === '') errors.push(required(at.child('name')));
    if (name && names.has(name)) errors.push(invalid(at.child('name'), name, 'must be unique'));
    if (!volume) errors.push(notFound(at.child('name'), name));
    else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(invalid(at.child('name'), name, detail));
    }
    if (devicePath === '') errors.push(required(at.child('devicePath')));
    if (devicePaths.has(devicePath)) errors.push(invalid(at.child('devicePath'), devicePath, 'must be unique'));
    if (devicePath.split('/').includes('..')) {
      errors.push(invalid(at.child('devicePath'), devicePath, "can not contain backsteps ('..')"));
    }
    if (mounts.has(name)) {
      errors.push(invalid(at.child('name'), name, 'must not already exist in volumeMounts'));
    }
    names.add(name);
    devicePaths.add(devicePath);
  }
}

function validateResizePolicy(policies: readonly Part[], podRestarts: string, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, { resourceName = '', restartPolicy = '' }] of policies.entries()) {
    if (seen.has(resourceName)) errors.push(duplicate(path.index(index), resourceName));
    seen.add(resourceName);
    validateRequiredEnum(resourceName, ['cpu', 'memory'], path, errors);
    validateRequiredEnum(restartPolicy, ['NotRequired', 'RestartContainer'], path, errors);
    if (podRestarts === 'Never' && restartPolicy !== 'NotRequired') {
      errors.push(invalid(path, restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    }
  }
}
