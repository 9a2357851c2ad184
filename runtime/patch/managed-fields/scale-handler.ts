import type { ManagedFieldsEntry } from '../../machinery/object.ts';
import type { VersionedSet } from '../apply/managers.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { fieldElement, type Path } from '../field-set/path-element.ts';
import { decodeEntries, encodeEntries } from './entries.ts';
import { noManagers } from './manager.ts';

const scaleVersion = 'autoscaling/v1';
const replicasOfScale: Path = [fieldElement('spec'), fieldElement('replicas')];

/** Where the replicas are in a resource, by its versions, as `apps/v1`; undefined at a version without them. */
export type ReplicasPaths = ReadonlyMap<string, Path | undefined>;

/**
 * Who owns the replicas of a Scale, from who owns them in the resource.
 * (apimachinery managedfields/scalehandler.go ToSubresource) @throws ManagedFieldsError
 */
export function toScaleEntries(
  parent: readonly ManagedFieldsEntry[] | undefined,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const { fields, times } = decodeEntries(parent);
  const scale = noManagers();
  for (const [manager, { apiVersion, set, applied }] of fields) {
    const path = paths.get(apiVersion);
    if (path === undefined || !set.has(path)) continue;
    scale.fields.set(manager, { set: FieldSet.of(replicasOfScale), apiVersion: scaleVersion, applied });
    const time = times.get(manager);
    if (time !== undefined) scale.times.set(manager, time);
  }
  return encodeEntries(scale);
}

/**
 * The resource's entries after its replicas were written through the Scale: managers that lost them there lose them
 * here. `apiVersion` is that of the resource. (ToParent) @throws ManagedFieldsError
 */
export function fromScaleEntries(
  scaleEntries: readonly ManagedFieldsEntry[] | undefined,
  parent: readonly ManagedFieldsEntry[] | undefined,
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const before = decodeEntries(parent);
  const scale = decodeEntries(scaleEntries);
  const after = noManagers();
  const keep = (manager: string, versioned: VersionedSet, time: string | undefined): void => {
    after.fields.set(manager, versioned);
    if (time !== undefined) after.times.set(manager, time);
  };
  for (const [manager, versioned] of before.fields) {
    if (!paths.has(versioned.apiVersion)) continue;
    const path = paths.get(versioned.apiVersion);
    const time = before.times.get(manager);
    if (path === undefined || !versioned.set.has(path) || scale.fields.delete(manager)) keep(manager, versioned, time);
    else {
      const set = versioned.set.difference(FieldSet.of(path));
      if (!set.isEmpty) keep(manager, { ...versioned, set }, time);
    }
  }
  const path = paths.get(apiVersion) ?? [];
  for (const [manager, { set, applied }] of scale.fields) {
    if (!set.has(replicasOfScale)) continue;
    keep(manager, { set: FieldSet.of(path), apiVersion, applied }, before.times.get(manager));
  }
  return encodeEntries(after);
}
