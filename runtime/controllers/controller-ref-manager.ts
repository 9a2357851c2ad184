import { hasStatusCode } from '../machinery/errors/status.ts';
import { LoopSlice } from '../machinery/event-loop/yield.ts';
import { setOrDelete } from '../machinery/json/defined.ts';
import type { KubeObject, OwnerReference } from '../machinery/object.ts';
import { objectKeyOf } from '../machinery/object-key.ts';
import type { LoopbackClient } from '../resources/loopback-client.ts';

export interface ControllerRefManagerOptions<T extends KubeObject> {
  /** The object that owns others, with its kind. It may be older than the stored one. */
  readonly controller: KubeObject;
  readonly controllerRef: OwnerReference;
  /** Whether the controller's selector matches, and the object is otherwise its own. */
  matches(object: T): boolean;
  readonly objects: LoopbackClient<T>;
  /** Reads the controller as it is now, before anything is adopted. */
  current(): KubeObject | undefined;
  /** Put on objects that are adopted, and removed from those that are released. */
  readonly finalizer?: string;
}

/**
 * Adopts orphans that match, and releases objects that match no longer, unless the controller is being deleted.
 * (pkg/controller/controller_ref_manager.go ClaimObject)
 *
 * @param candidates those that the controller owns, and orphans of its namespace
 * @returns the objects that the controller owns now
 * @throws Error if something could be neither adopted nor released, after all others have been
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
      // it no longer exists
      if (!hasStatusCode(error, 404)) errors.push(error);
    }
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, errors.map(String).join(', '));
  return claimed;
}

/** The owner that controls an object. (metav1.GetControllerOf) */
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
