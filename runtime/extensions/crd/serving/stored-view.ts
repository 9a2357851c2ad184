import { encodeJson } from '../../../codec/json.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { StoredObject } from '../../../storage/object-store/contract.ts';
import { DetachedObject } from '../../../storage/object-store/detached-object.ts';

/** A stored object in another version, or with the defaults and pruning of a newer schema. */
export class StoredView extends DetachedObject {
  readonly #encodings = new Map<string, Uint8Array>();

  /** @param selectable values of the version's own selectable fields */
  constructor(stored: StoredObject, object: KubeObject, selectable: Readonly<Record<string, string>>) {
    const { namespace, name, revision, createRevision } = stored;
    const { kind, apiVersion, metadata, ...rest } = object;
    const { resourceVersion: _, ...others } = metadata;
    super({
      namespace,
      name,
      revision,
      createRevision,
      uid: metadata.uid ?? '',
      // the same order of members as in stored bytes
      json: encodeJson({ kind, apiVersion, metadata: { resourceVersion: String(revision), ...others }, ...rest }),
      labels: metadata.labels ?? {},
      fields: { 'metadata.name': name, 'metadata.namespace': namespace, ...selectable },
      changesWhenRead: false,
    });
  }

  override cacheEncode(key: string, encode: () => Uint8Array): Uint8Array {
    let bytes = this.#encodings.get(key);
    if (bytes === undefined) {
      bytes = encode();
      this.#encodings.set(key, bytes);
    }
    return bytes;
  }
}
