import type { KubeObject, OwnerReference } from '../../machinery/object.ts';
import { conflict, isStatusError } from '../../machinery/status.ts';
import { writerFor } from '../controller.ts';
import type { Target } from './ownership.ts';

const writer = writerFor('generic-garbage-collector');

/** @throws StatusError 404, 409 where the object is not, or not any more, the one at that version */
export async function deleteTarget(
  { store, namespace, name, uid }: Target,
  resourceVersion: string,
  propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
): Promise<void> {
  const request = { namespace, name, propagationPolicy, preconditions: { uid, resourceVersion } };
  await store.delete(store.definition, request, writer);
}

export function removeFinalizer(target: Target, finalizer: string): Promise<void> {
  return edit(target, ({ metadata }) => {
    const finalizers = (metadata.finalizers ?? []).filter((one) => one !== finalizer);
    if (finalizers.length === 0) delete metadata.finalizers;
    else metadata.finalizers = finalizers;
  });
}

export function removeOwners(target: Target, uids: ReadonlySet<string>): Promise<void> {
  return editOwners(target, (owners) => owners.filter(({ uid }) => !uids.has(uid)));
}

/** The object does not hold up the deletion of its owners any more. */
export function unblockOwners(target: Target): Promise<void> {
  return editOwners(target, (owners) =>
    owners.map((owner) => (owner.blockOwnerDeletion ? { ...owner, blockOwnerDeletion: false } : owner)),
  );
}

function editOwners(target: Target, change: (owners: OwnerReference[]) => OwnerReference[]): Promise<void> {
  return edit(target, ({ metadata }) => {
    const owners = change(metadata.ownerReferences ?? []);
    if (owners.length === 0) delete metadata.ownerReferences;
    else metadata.ownerReferences = owners;
  });
}

/** Changes the object if it is still that one; one that is gone needs no change. */
async function edit({ store, namespace, name, uid }: Target, change: (object: KubeObject) => void): Promise<void> {
  try {
    await store.update(
      store.definition,
      {
        namespace,
        name,
        part: 'main',
        createIfAbsent: false,
        requireVersion: false,
        change(current) {
          if (current?.metadata.uid !== uid) throw conflict(store.definition, name, 'another object has its name');
          change(current);
          return current;
        },
      },
      writer,
    );
  } catch (error) {
    if (!isStatusError(error) || (error.status.code !== 404 && error.status.code !== 409)) throw error;
  }
}
