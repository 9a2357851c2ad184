import { badRequest } from '../machinery/errors/status.ts';
import { alphanums } from '../machinery/go/safe-encode.ts';
import type { KubeObject, ObjectMeta } from '../machinery/object.ts';
import type { Random } from '../machinery/random.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import { timeText } from '../machinery/scalars/time.ts';

const randomLength = 5;
const maxGeneratedNameBase = 63 - randomLength;

/**
 * Returns `base` with a random suffix. `base` is cut to keep the name within 63 characters. (apiserver
 * pkg/storage/names)
 *
 * @param scope in which the name is unique, such as a resource and a namespace
 */
export function generateName(random: Random, base: string, scope = ''): string {
  let suffix = '';
  for (const byte of random.bytes(randomLength, 'generateName', scope, base)) suffix += alphanums[byte % alphanums.length];
  return base.slice(0, maxGeneratedNameBase) + suffix;
}

/**
 * Removes the metadata that only the server sets, so that no manager owns it.
 * (apiserver pkg/registry/rest/meta.go WipeObjectMetaSystemFields)
 */
export function wipeObjectMetaSystemFields({ metadata }: KubeObject): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/**
 * Sets the metadata that only the server sets. As upstream, an update that creates the object may set deletionTimestamp.
 * (apiserver pkg/registry/rest/meta.go FillObjectMetaSystemFields)
 */
export function fillObjectMetaSystemFields(
  { metadata }: KubeObject,
  { resourcePrefix }: Pick<ResourceDefinition, 'resourcePrefix'>,
  { now, random }: { readonly now: number; readonly random: Random },
): void {
  metadata.uid = random.uuid(resourcePrefix, metadata.namespace, metadata.name);
  metadata.creationTimestamp = timeText(now);
}

/**
 * Sets the object's namespace to the namespace of the request. Cluster-scoped objects have none, nor have objects of a request
 * whose namespace is empty.
 * (EnsureObjectNamespaceMatchesRequestNamespace)
 *
 * @throws StatusError 400 if the object has another namespace
 */
export function ensureNamespace({ metadata }: KubeObject, namespaced: boolean, namespace: string): void {
  if (!namespaced || namespace === '') delete metadata.namespace;
  else if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  } else metadata.namespace = namespace;
}

/**
 * Removes the fields that storage drops. A dry run does not get here, and its response keeps these fields. (apiserver
 * pkg/storage/api_object_versioner.go PrepareObjectForStorage)
 */
export function prepareForStorage({ metadata }: KubeObject): void {
  delete metadata.resourceVersion;
  delete metadata.selfLink;
}

/** Restores the metadata that an update must not change. (apiserver pkg/registry/rest/update.go) */
export function keepSystemFields(metadata: ObjectMeta, old: ObjectMeta): void {
  // a wrong uid stays, and validation refuses it
  if (!metadata.uid) keep(metadata, old, 'uid');
  keep(metadata, old, 'creationTimestamp');
  keep(metadata, old, 'generation');
  // an existing deletionTimestamp stays, and validation refuses a new one
  if (old.deletionTimestamp) keep(metadata, old, 'deletionTimestamp');
  if (old.deletionGracePeriodSeconds !== undefined) metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
}

function keep<K extends keyof ObjectMeta>(metadata: ObjectMeta, old: ObjectMeta, name: K): void {
  if (old[name] === undefined) delete metadata[name];
  else metadata[name] = old[name];
}
