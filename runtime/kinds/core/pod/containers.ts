import type { Part } from '../../../machinery/object.ts';
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
export function validateContainers(containers: readonly Part[], pod: PodContext, field: Field): void {
  if (containers.length === 0) {
    field.required();
    return;
  }
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const at = field.index(index);
    validateContainerCommon(container, pod, at);
    if (names.has(container.name)) at.child('name').duplicate(container.name);
    names.add(container.name);
    validateLifecycleAndProbes(container, pod.graceSeconds, at);
  }
  checkHostPortConflicts(containers, field);
}

/** (validateInitContainers) Those that restart always run beside the others. */
export function validateInitContainers(
  containers: readonly Part[],
  regular: readonly Part[],
  pod: PodContext,
  field: Field,
): void {
  const names = new Set<string>(regular.map(({ name }) => name));
  for (const [index, container] of containers.entries()) {
    const at = field.index(index);
    validateContainerCommon(container, pod, at);
    if (names.has(container.name)) at.child('name').duplicate(container.name);
    else if (container.name) names.add(container.name);
    checkHostPortConflicts([container], field);
    if (container.restartPolicy === 'Always') validateLifecycleAndProbes(container, pod.graceSeconds, at);
    else forbidLifecycleAndProbes(container, at);
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
  field: Field,
): void {
  const otherNames = new Set<string>(others.map(({ name }) => name));
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
    for (const name of notForEphemeral) if (isSet(container[name])) at.child(name).forbidden(detail);
    for (const [place, mount] of (container.volumeMounts ?? []).entries()) {
      for (const name of ['subPath', 'subPathExpr']) {
        if (mount[name]) at.child('volumeMounts').index(place).child(name).forbidden(detail);
      }
    }
  }
}

const isSet = (value: Part): boolean =>
  value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0);

/** Pods, unlike templates, may not have blanks around the name of an image. */
export function validateImageWhitespace({ image = '' }: Part, field: Field): void {
  if (image.trim() !== image) {
    field.child('image').invalid(image, 'must not have leading or trailing whitespace');
  }
}

function validateContainerCommon(container: Part, pod: PodContext, field: Field): void {
  validateRequiredFormat(container.name, dnsLabel, field.child('name'));
  if (!container.image) field.child('image').required();
  const messagePolicies = ['File', 'FallbackToLogsOnError'];
  const messagePolicy = field.child('terminationMessagePolicy');
  validateRequiredEnum(container.terminationMessagePolicy, messagePolicies, messagePolicy);
  validateContainerPorts(container.ports ?? [], field.child('ports'));
  validateEnv(container.env ?? [], field.child('env'));
  validateEnvFrom(container.envFrom ?? [], field.child('envFrom'));
  validateVolumeMounts(container, pod, field.child('volumeMounts'));
  validateVolumeDevices(container, pod, field.child('volumeDevices'));
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

function validateContainerPorts(ports: readonly Part[], field: Field): void {
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

function checkHostPortConflicts(containers: readonly Part[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [place, { hostPort, hostIP = '', protocol }] of (container.ports ?? []).entries()) {
      if (!hostPort) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (seen.has(key)) {
        field.index(index).child('ports').index(place).child('hostPort').duplicate(key);
      }
      seen.add(key);
    }
  }
}

function validateVolumeMounts(
  { volumeMounts = [], volumeDevices = [], securityContext }: Part,
  pod: PodContext,
  field: Field,
): void {
  const mountPaths = new Set<string>();
  const devices = new Set(volumeDevices.map(({ name }: Part) => name));
  const devicePaths = new Set(volumeDevices.map(({ devicePath }: Part) => devicePath));
  for (const [index, mount] of volumeMounts.entries()) {
    const at = field.index(index);
    const { name = '', mountPath = '', subPath, subPathExpr } = mount;
    if (name === '') at.child('name').required();
    if (!pod.volumes.has(name)) at.child('name').notFound(name);
    if (mountPath === '') at.child('mountPath').required();
    if (mountPaths.has(mountPath)) at.child('mountPath').invalid(mountPath, 'must be unique');
    mountPaths.add(mountPath);
    if (devices.has(name)) {
      at.child('name').invalid(name, 'must not already exist in volumeDevices');
    }
    if (devicePaths.has(mountPath)) {
      at.child('mountPath').invalid(mountPath, 'must not already exist as a path in volumeDevices');
    }
    if (mount.mountPropagation !== undefined) validateMountPropagation(mount, securityContext, field);
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

/** Said of the list of mounts, as upstream does. */
function validateMountPropagation({ mountPropagation }: Part, securityContext: Part, field: Field): void {
  const at = field.child('mountPropagation');
  validateEnum(mountPropagation, propagations, at);
  if (mountPropagation === 'Bidirectional' && !securityContext?.privileged) {
    at.forbidden('Bidirectional mount propagation is available only to privileged containers');
  }
}

function validateVolumeDevices({ volumeMounts = [], volumeDevices = [] }: Part, pod: PodContext, field: Field): void {
  const names = new Set<string>();
  const devicePaths = new Set<string>();
  const mounts = new Set(volumeMounts.map((mount: Part) => mount.name));
  for (const [index, { name = '', devicePath = '' }] of volumeDevices.entries()) {
    const at = field.index(index);
    const volume = pod.volumes.get(name);
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

function validateResizePolicy(policies: readonly Part[], podRestarts: string, field: Field): void {
  const seen = new Set<string>();
  for (const [index, { resourceName = '', restartPolicy = '' }] of policies.entries()) {
    if (seen.has(resourceName)) field.index(index).duplicate(resourceName);
    seen.add(resourceName);
    validateRequiredEnum(resourceName, ['cpu', 'memory'], field);
    validateRequiredEnum(restartPolicy, ['NotRequired', 'RestartContainer'], field);
    if (podRestarts === 'Never' && restartPolicy !== 'NotRequired') {
      field.invalid(restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'");
    }
  }
}
