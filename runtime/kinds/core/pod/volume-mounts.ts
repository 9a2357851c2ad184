import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { validateEnum } from '../../validation/fields.ts';
import { validateLocalDescendingPath } from '../volume-sources.ts';

/** The places of volumes in containers. (pkg/apis/core/validation) */

type Container = Unvalidated<core.Container>;
type VolumeMount = Unvalidated<core.VolumeMount>;
type VolumeDevice = Unvalidated<core.VolumeDevice>;

/** The pod's volumes by name, without invalid ones, which cannot be mounted. */
export type Volumes = ReadonlyMap<string, Unvalidated<core.Volume>>;

/** Paths by the name of their volume. A later path replaces an earlier one. (GetVolumeMountMap, GetVolumeDeviceMap) */
class Paths {
  readonly byName = new Map<string, string>();
  readonly #all: ReadonlySet<string>;

  constructor(entries: readonly { readonly name?: string | undefined; readonly path: string }[]) {
    for (const { name = '', path } of entries) this.byName.set(name, path);
    this.#all = new Set(this.byName.values());
  }

  has(path: string): boolean {
    return this.#all.has(path);
  }
}

const pathsOfDevices = (devices: readonly VolumeDevice[]): Paths =>
  new Paths(devices.map(({ name, devicePath = '' }) => ({ name, path: devicePath })));
const pathsOfMounts = (mounts: readonly VolumeMount[]): Paths =>
  new Paths(mounts.map(({ name, mountPath = '' }) => ({ name, path: mountPath })));

/** Upstream reports errors of sub-paths and of mount modes on the list. (ValidateVolumeMounts) */
export function validateVolumeMounts(container: Container, volumes: Volumes, field: Field): void {
  const { volumeMounts, volumeDevices } = container;
  if (!volumeMounts?.length) return;
  const mountPaths = new Set<string>();
  const devices = volumeDevices?.length ? pathsOfDevices(volumeDevices) : undefined;
  for (const [index, mount] of volumeMounts.entries()) {
    const at = field.index(index);
    const { name = '', mountPath = '' } = mount;
    if (name === '') at.child('name').required();
    if (!volumes.has(name)) at.child('name').notFound(name);
    if (mountPath === '') at.child('mountPath').required();
    if (mountPaths.has(mountPath)) at.child('mountPath').invalid(mountPath, 'must be unique');
    mountPaths.add(mountPath);
    if (devices?.byName.has(name)) at.child('name').invalid(name, 'must not already exist in volumeDevices');
    if (devices?.has(mountPath)) {
      at.child('mountPath').invalid(mountPath, 'must not already exist as a path in volumeDevices');
    }
    validateSubPaths(mount, field, at);
    validateMountPropagation(mount.mountPropagation, container, field.child('mountPropagation'));
    validateMountRecursiveReadOnly(mount, field.child('recursiveReadOnly'));
  }
}

function validateSubPaths({ subPath, subPathExpr }: VolumeMount, list: Field, field: Field): void {
  if (subPath) validateLocalDescendingPath(subPath, list.child('subPath'));
  if (!subPathExpr) return;
  if (subPath) field.child('subPathExpr').invalid(subPathExpr, 'subPathExpr and subPath are mutually exclusive');
  validateLocalDescendingPath(subPathExpr, list.child('subPathExpr'));
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

/** (validateMountPropagation) */
function validateMountPropagation(propagation: string | undefined, { securityContext }: Container, field: Field): void {
  if (propagation === undefined) return;
  validateEnum(propagation, propagations, field);
  if (propagation === 'Bidirectional' && !securityContext?.privileged) {
    field.forbidden('Bidirectional mount propagation is available only to privileged containers');
  }
}

const recursiveReadOnlyModes = ['Disabled', 'Enabled', 'IfPossible'];

/** (validateMountRecursiveReadOnly) */
function validateMountRecursiveReadOnly(mount: VolumeMount, field: Field): void {
  const { recursiveReadOnly, readOnly, mountPropagation = 'None' } = mount;
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return;
  if (!recursiveReadOnlyModes.includes(recursiveReadOnly)) {
    field.notSupported(recursiveReadOnly, recursiveReadOnlyModes);
    return;
  }
  if (!readOnly) field.forbidden('may only be specified when readOnly is true');
  if (mountPropagation !== 'None') {
    field.forbidden('may only be specified when mountPropagation is None or not specified');
  }
}

/** (ValidateVolumeDevices) */
export function validateVolumeDevices(container: Container, volumes: Volumes, field: Field): void {
  const { volumeMounts, volumeDevices } = container;
  if (!volumeDevices?.length) return;
  const names = new Set<string>();
  const devicePaths = new Set<string>();
  const mounts = volumeMounts?.length ? pathsOfMounts(volumeMounts) : undefined;
  for (const [index, { name = '', devicePath = '' }] of volumeDevices.entries()) {
    const at = field.index(index);
    const atName = at.child('name');
    const atPath = at.child('devicePath');
    if (name === '') atName.required();
    if (names.has(name)) atName.invalid(name, 'must be unique');
    validateDeviceSource(name, volumes, atName);
    if (devicePath === '') atPath.required();
    if (devicePaths.has(devicePath)) atPath.invalid(devicePath, 'must be unique');
    if (devicePath.split('/').includes('..')) atPath.invalid(devicePath, "can not contain backsteps ('..')");
    else devicePaths.add(devicePath);
    if (mounts?.byName.has(name)) atName.invalid(name, 'must not already exist in volumeMounts');
    if (mounts?.has(devicePath)) atPath.invalid(devicePath, 'must not already exist as a path in volumeMounts');
    if (name !== '') names.add(name);
  }
}

/** Only a claim can be a device. (isMatchedDevice) */
function validateDeviceSource(name: string, volumes: Volumes, field: Field): void {
  const volume = volumes.get(name);
  if (volume === undefined) field.notFound(name);
  else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
    const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
    field.invalid(name, detail);
  }
}
