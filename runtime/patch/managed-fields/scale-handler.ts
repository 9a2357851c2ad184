import type { ManagedFieldsEntry } from '../../machinery/object.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import type { VersionedSet } from '../fieldpath/managers.ts';
import { fieldElement, type Path } from '../fieldpath/path-element.ts';
import { decodeManagedFields, encodeManagedFields } from './managed-fields.ts';
import { noManagedFields } from './manager.ts';

const scaleVersion = 'autoscaling/v1';
const replicasOfScale: Path = [fieldElement('spec'), fieldElement('replicas')];

/** The path of the replicas in a resource by version, such as `apps/v1`; undefined for versions without replicas. */
export type ResourcePathMappings = ReadonlyMap<string, Path | undefined>;

/**
 * Returns the managed fields of a Scale: managers of the resource's replicas own the replicas of the Scale.
 * (apimachinery managedfields/scalehandler.go ToSubresource)
 *
 * @throws ManagedFieldsError
 */
export function toScaleManagedFields(
  parent: readonly ManagedFieldsEntry[] | undefined,
  paths: ResourcePathMappings,
): ManagedFieldsEntry[] | undefined {
  const { fields, times } = decodeManagedFields(parent);
  const scale = noManagedFields();
  for (const [manager, { apiVersion, set, applied }] of fields) {
    const path = paths.get(apiVersion);
    if (path === undefined || !set.has(path)) continue;
    scale.fields.set(manager, { set: FieldSet.of(replicasOfScale), apiVersion: scaleVersion, applied });
    const time = times.get(manager);
    if (time !== undefined) scale.times.set(manager, time);
  }
  return encodeManagedFields(scale);
}

/**
 * Returns the managed fields of the resource after a write to its Scale: a manager that lost the replicas of the Scale
 * loses the replicas of the resource. (apimachinery managedfields/scalehandler.go ToParent)
 *
 * @param apiVersion of the resource
 * @throws ManagedFieldsError
 */
export function toParentManagedFields(
  scaleEntries: readonly ManagedFieldsEntry[] | undefined,
  parent: readonly ManagedFieldsEntry[] | undefined,
  apiVersion: string,
  paths: ResourcePathMappings,
): ManagedFieldsEntry[] | undefined {
  const before = decodeManagedFields(parent);
  const scale = decodeManagedFields(scaleEntries);
  const after = noManagedFields();
  const add = (manager: string, versioned: VersionedSet, time: string | undefined): void => {
    after.fields.set(manager, versioned);
    if (time !== undefined) after.times.set(manager, time);
  };
  for (const [manager, versioned] of before.fields) {
    if (!paths.has(versioned.apiVersion)) continue;
    const path = paths.get(versioned.apiVersion);
    const time = before.times.get(manager);
    if (path === undefined || !versioned.set.has(path) || scale.fields.delete(manager)) add(manager, versioned, time);
    else {
      const set = versioned.set.difference(FieldSet.of(path));
      if (!set.isEmpty) add(manager, { ...versioned, set }, time);
    }
  }
  const path = paths.get(apiVersion) ?? [];
  for (const [manager, { set, applied }] of scale.fields) {
    if (!set.has(replicasOfScale)) continue;
    add(manager, { set: FieldSet.of(path), apiVersion, applied }, before.times.get(manager));
  }
  return encodeManagedFields(after);
}
