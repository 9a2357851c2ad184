import type { KubeObject } from '../../machinery/object.ts';
import type { EncodedObject, StoredObject } from '../../storage/object-store/contract.ts';
import { DetachedObject, dataOf } from '../../storage/object-store/detached-object.ts';
import type { PlannedRevision } from './effects.ts';

/** An object after a planned write. */
export class PlannedObject extends DetachedObject {
  readonly isPlanned = true;

  static stored(encoded: EncodedObject, uid: string, revision: PlannedRevision): PlannedObject {
    const { namespace, name, value: json, labels, selectable, changesWhenRead } = encoded;
    const fields = { ...selectable, 'metadata.name': name, 'metadata.namespace': namespace };
    const noError = { transformError: undefined, decodeError: undefined };
    return new PlannedObject({
      namespace,
      name,
      uid,
      revision,
      createRevision: revision,
      json,
      labels,
      fields,
      changesWhenRead,
      ...noError,
    });
  }

  /** @param last the state before the deletion */
  static deleted(last: StoredObject, revision: PlannedRevision): PlannedObject {
    return new PlannedObject({ ...dataOf(last), revision });
  }

  override decode(): KubeObject {
    const object = super.decode();
    object.metadata.resourceVersion = String(this.revision);
    return object;
  }
}
