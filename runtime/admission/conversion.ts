import type { Attributes } from '../machinery/admission.ts';
import { messageOf } from '../machinery/errors/message-of.ts';
import { internalError, isStatusError } from '../machinery/errors/status.ts';
import { formatGroupVersion } from '../machinery/gvk.ts';
import { cloneJson } from '../machinery/json/clone.ts';
import type { KubeObject } from '../machinery/object.ts';
import { PruneContext } from '../machinery/prune/context.ts';
import type { ResourceDefinition, TypeDefinition } from '../machinery/resource.ts';
import type { RegistryEntry } from '../resources/registry.ts';

/** The objects of a write at the version that a webhook or a policy needs. Must not be changed. */
export interface VersionedObjects {
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  /** The type of both objects. */
  readonly type: TypeDefinition;
}

/**
 * Returns the objects of a write at the version of a matched resource. The result is a promise only if the resource is
 * not loaded yet, or a webhook converts. (apiserver pkg/admission/conversion.go NewVersionedAttributes)
 *
 * @param equivalent undefined for the version of the request
 * @throws Error, StatusError if an object cannot be converted
 */
export function versionedObjects(
  { definition, subresource, type, object, oldObject }: Attributes,
  equivalent: RegistryEntry | undefined,
): VersionedObjects | Promise<VersionedObjects> {
  if (equivalent === undefined) return { object, oldObject, type };
  const versioned = (to: ResourceDefinition): VersionedObjects | Promise<VersionedObjects> => {
    const toType = typeOf(to, subresource);
    if (toType === undefined || isSameKind(type, toType)) return { object, oldObject, type };
    const change = { from: definition, to, toType };
    const convertedObject = object && convert(object, change);
    const convertedOld = oldObject && convert(oldObject, change);
    if (!isPromise(convertedObject) && !isPromise(convertedOld)) {
      return { object: convertedObject, oldObject: convertedOld, type: toType };
    }
    return Promise.all([convertedObject, convertedOld]).then(([one, old]) => ({
      object: one,
      oldObject: old,
      type: toType,
    }));
  };
  return equivalent.definition === undefined ? equivalent.load().then(versioned) : versioned(equivalent.definition);
}

/** Calls versionedObjects and converts its errors for clients. @throws StatusError */
export async function objectsAt(attributes: Attributes, equivalent: RegistryEntry | undefined): Promise<VersionedObjects> {
  try {
    return await versionedObjects(attributes, equivalent);
  } catch (error) {
    throw isStatusError(error) ? error : internalError(messageOf(error));
  }
}

/** Converts one object back from the version of an equivalent resource to the version of the request. */
export function requestedVersion(
  object: KubeObject,
  { definition, type }: Attributes,
  equivalent: ResourceDefinition,
): KubeObject | Promise<KubeObject> {
  if (object.apiVersion === formatGroupVersion(type)) return object;
  return convert(object, { from: equivalent, to: definition, toType: type });
}

interface VersionChange {
  readonly from: ResourceDefinition;
  readonly to: ResourceDefinition;
  readonly toType: TypeDefinition;
}

/** Returns a new object. Custom resources are pruned by the schema of their new version. */
function convert(object: KubeObject, { from, to, toType }: VersionChange): KubeObject | Promise<KubeObject> {
  const copy = cloneJson(object);
  if (from.decoder === undefined) return to.conversion.fromStorage(from.conversion.toStorage(copy));
  const pruned = (converted: KubeObject): KubeObject => toType.prune(converted, new PruneContext());
  const converted = from.decoder.convert(copy, formatGroupVersion(to));
  return isPromise(converted) ? converted.then(pruned) : pruned(converted);
}

function typeOf(definition: ResourceDefinition, subresource: string): TypeDefinition | undefined {
  if (subresource === '') return definition.type;
  return definition.subresources.find(({ name }) => name === subresource)?.type ?? definition.type;
}

const isSameKind = (a: TypeDefinition, b: TypeDefinition): boolean => a.kind === b.kind && a.version === b.version && a.group === b.group;

const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise;
