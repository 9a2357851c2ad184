import { duplicate, forbidden, invalid, notFound, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { checkEnum, checkFormat, checkName, checkPort, checkRequiredEnum, type Errors } from './checks.ts';
import { checkEnvironment, checkEnvironmentFrom } from './environment.ts';
import { checkLifecycleAndProbes, forbidLifecycleAndProbes } from './probes.ts';
import { checkContainerResourceName, checkRequirements } from './resource-lists.ts';
import { checkContainerSecurity } from './security.ts';
import { dnsLabel, portName } from './text-formats.ts';
import { checkLocalPath } from './volumes.ts';

/** What the checks of a container need to know of its pod. */
export interface PodContext {
  readonly volumes: ReadonlyMap<string, Part>;
  readonly claimNames: ReadonlySet<string>;
  readonly graceSeconds: number | undefined;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
}

/** (validateContainers) */
export function checkContainers(containers: readonly Part[], pod: PodContext, path: FieldPath, errors: Errors): void {
  if (containers.length === 0) {
    errors.push(required(path));
    return;
  }
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const at = path.index(index);
    checkContainer(container, pod, at, errors);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    checkLifecycleAndProbes(container, pod.graceSeconds, at, errors);
  }
  checkHostPorts(containers, path, errors);
}

/** (validateInitContainers) Those that restart always run beside the others. */
export function checkInitContainers(
  containers: readonly Part[],
  regular: readonly Part[],
  pod: PodContext,
  path: FieldPath,
  errors: Errors,
): void {
  const names = new Set<string>(regular.map(({ name }) => name));
  for (const [index, container] of containers.entries()) {
    const at = path.index(index);
    checkContainer(container, pod, at, errors);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    else if (container.name) names.add(container.name);
    checkHostPorts([container], path, errors);
    if (container.restartPolicy === 'Always') checkLifecycleAndProbes(container, pod.graceSeconds, at, errors);
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
export function checkEphemeralContainers(
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
    checkContainer(container, pod, at, errors);
    checkImagePadding(container, at, errors);
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
export function checkImagePadding({ image = '' }: Part, path: FieldPath, errors: Errors): void {
  if (image.trim() !== image) {
    errors.push(invalid(path.child('image'), image, 'must not have leading or trailing whitespace'));
  }
}

function checkContainer(container: Part, pod: PodContext, path: FieldPath, errors: Errors): void {
  checkName(container.name, dnsLabel, path.child('name'), errors);
  if (!container.image) errors.push(required(path.child('image')));
  const messagePolicies = ['File', 'FallbackToLogsOnError'];
  const messagePolicy = path.child('terminationMessagePolicy');
  checkRequiredEnum(container.terminationMessagePolicy, messagePolicies, messagePolicy, errors);
  checkPorts(container.ports ?? [], path.child('ports'), errors);
  checkEnvironment(container.env ?? [], path.child('env'), errors);
  checkEnvironmentFrom(container.envFrom ?? [], path.child('envFrom'), errors);
  checkMounts(container, pod, path.child('volumeMounts'), errors);
  checkDevices(container, pod, path.child('volumeDevices'), errors);
  const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
  checkRequiredEnum(container.imagePullPolicy, pullPolicies, path.child('imagePullPolicy'), errors);
  const { claimNames } = pod;
  checkRequirements(container.resources, checkContainerResourceName, claimNames, path.child('resources'), errors);
  checkResizePolicy(container.resizePolicy ?? [], pod.restartPolicy, path.child('resizePolicy'), errors);
  checkContainerSecurity(container.securityContext, pod.hostUsers, path.child('securityContext'), errors);
}

function checkPorts(ports: readonly Part[], path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = path.index(index);
    if (port.name) {
      const before = errors.length;
      checkFormat(port.name, portName, at.child('name'), errors);
      if (errors.length === before && names.has(port.name)) errors.push(duplicate(at.child('name'), port.name));
      names.add(port.name);
    }
    if (!port.containerPort) errors.push(required(at.child('containerPort')));
    else checkPort(port.containerPort, at.child('containerPort'), errors);
    if (port.hostPort) checkPort(port.hostPort, at.child('hostPort'), errors);
    checkRequiredEnum(port.protocol, ['SCTP', 'TCP', 'UDP'], at.child('protocol'), errors);
  }
}

function checkHostPorts(containers: readonly Part[], path: FieldPath, errors: Errors): void {
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

function checkMounts(
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
    if (mount.mountPropagation !== undefined) checkPropagation(mount, securityContext, path, errors);
    if (subPath) checkLocalPath(subPath, path.child('subPath'), errors);
    if (subPathExpr) {
      if (subPath) {
        const detail = 'subPathExpr and subPath are mutually exclusive';
        errors.push(invalid(at.child('subPathExpr'), subPathExpr, detail));
      }
      checkLocalPath(subPathExpr, path.child('subPathExpr'), errors);
    }
  }
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

/** Said of the list of mounts, as upstream does. */
function checkPropagation({ mountPropagation }: Part, securityContext: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('mountPropagation');
  checkEnum(mountPropagation, propagations, at, errors);
  if (mountPropagation === 'Bidirectional' && !securityContext?.privileged) {
    errors.push(forbidden(at, 'Bidirectional mount propagation is available only to privileged containers'));
  }
}

function checkDevices(
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

function checkResizePolicy(policies: readonly Part[], podRestarts: string, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, { resourceName = '', restartPolicy = '' }] of policies.entries()) {
    if (seen.has(resourceName)) errors.push(duplicate(path.index(index), resourceName));
    seen.add(resourceName);
    checkRequiredEnum(resourceName, ['cpu', 'memory'], path, errors);
    checkRequiredEnum(restartPolicy, ['NotRequired', 'RestartContainer'], path, errors);
    if (podRestarts === 'Never' && restartPolicy !== 'NotRequired') {
      errors.push(invalid(path, restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    }
  }
}
