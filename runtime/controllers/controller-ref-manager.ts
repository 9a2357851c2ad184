import { hasStatusCode } from '../machinery/errors/status.ts';
import { LoopSlice } from '../machinery/event-loop/yield.ts';
import { setOrDelete } from '../machinery/json/defined.ts';
import type { KubeObject, OwnerReference } from '../machinery/object.ts';
import { objectKeyOf } from '../machinery/object-key.ts';
import type { LoopbackClient } from '../resources/loopback-client.ts';

export interface ControllerRefManagerOptions<T extends KubeObject> {
  /** The controller with its kind. It may be older than the stored object. */
  readonly controller: KubeObject;
  readonly controllerRef: OwnerReference;
  /** Reports whether the controller's selector and other criteria match the object. */
  matches(object: T): boolean;
  readonly objects: LoopbackClient<T>;
  /** Reads the current controller before an adoption. */
  current(): KubeObject | undefined;
  /** A finalizer that is added to adopted objects, and removed from released ones. */
  readonly finalizer?: string;
}

/**
 * Adopts matching orphans, and releases owned objects that no longer match, unless the controller is being deleted.
 * (pkg/controller/controller_ref_manager.go ClaimObject)
 *
 * @param candidates the objects that the controller owns, and orphans in its namespace
 * @returns the objects that the controller owns now
 * @throws Error after all attempts, if an object could be neither adopted nor released
 */
export async function claimObjects<T extends KubeObject>(candidates: Iterable<T>, options: ControllerRefManagerOptions<T>): Promise<T[]> {
  const { controller } = options;
  const claimed: T[] = [];
  const errors: unknown[] = [];
  const slice = new LoopSlice();
  for (const object of candidates) {
    if (slice.isOver()) await slice.next();
    try {
      const owner = controllerOf(object);
      if (owner !== undefined && owner.uid !== controller.metadata.uid) continue;
      const matches = options.matches(object);
      if (owner !== undefined && matches) claimed.push(object);
      else if (controller.metadata.deletionTimestamp) continue;
      else if (owner !== undefined) await release(object, options);
      else if (matches && !object.metadata.deletionTimestamp) claimed.push(await adopt(object, options));
    } catch (error) {
      // the object no longer exists
      if (!hasStatusCode(error, 404)) errors.push(error);
    }
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, errors.map(String).join(', '));
  return claimed;
}

/** Returns the owner reference with `controller: true`. (metav1.GetControllerOf) */
export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller);
}

/** (metav1.NewControllerRef) */
export function newControllerRef(
  { metadata: { name = '', uid = '' } }: KubeObject,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

async function adopt<T extends KubeObject>(object: T, options: ControllerRefManagerOptions<T>): Promise<T> {
  const { controller, controllerRef, finalizer, objects } = options;
  const current = options.current();
  const { namespace = '', name = '', uid } = controller.metadata;
  if (current?.metadata.uid !== uid)
    throw new Error(`original ${controllerRef.kind} ${namespace}/${name} is gone: got uid ${current?.metadata.uid ?? ''}, wanted ${uid}`);
  if (current?.metadata.deletionTimestamp)
    throw new Error(`${namespace}/${name} has just been deleted at ${current.metadata.deletionTimestamp}`);
  return objects.change(objectKeyOf(object), (stored) => {
    requireSame(object, stored);
    const { ownerReferences = [], finalizers = [] } = stored.metadata;
    stored.metadata.ownerReferences = [...ownerReferences.filter((owner) => owner.uid !== controllerRef.uid), controllerRef];
    if (finalizer !== undefined && !finalizers.includes(finalizer)) stored.metadata.finalizers = [...finalizers, finalizer];
    return stored;
  });
}

async function release<T extends KubeObject>(object: T, options: ControllerRefManagerOptions<T>): Promise<void> {
  const { controllerRef, finalizer, objects } = options;
  await objects.change(objectKeyOf(object), (stored) => {
    requireSame(object, stored);
    const { ownerReferences, finalizers } = stored.metadata;
    setOrDelete(
      stored.metadata,
      'ownerReferences',
      ownerReferences?.filter(({ uid }) => uid !== controllerRef.uid),
    );
    if (finalizer !== undefined) {
      setOrDelete(
        stored.metadata,
        'finalizers',
        finalizers?.filter((one) => one !== finalizer),
      );
    }
    return stored;
  });
}

function requireSame(expected: KubeObject, { metadata }: KubeObject): void {
  if (metadata.uid !== expected.metadata.uid) throw new Error(`another object has the name ${metadata.name} now`);
}
