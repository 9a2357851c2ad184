import { decodeJson, encodeJson } from '../../../codec/json.ts';
import type { KubeObject, ObjectMeta } from '../../../machinery/object.ts';
import type { StoredObject } from '../../../storage/object-store/contract.ts';

type Fields = Readonly<Record<string, string>>;

/** A stored object as another version or a newer schema shows it: everything that reads stored objects reads these. */
export class StoredView implements StoredObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly createRevision: number;
  readonly json: Uint8Array;
  readonly labels: Fields;
  readonly fields: Fields;
  readonly #forms = new Map<string, Uint8Array>();

  /** @param selectable values of the version's own selectable fields */
  constructor(stored: StoredObject, object: KubeObject, selectable: Fields) {
    const { namespace, name, revision } = stored;
    this.namespace = namespace;
    this.name = name;
    this.uid = object.metadata.uid ?? '';
    this.revision = revision;
    this.createRevision = stored.createRevision;
    const { kind, apiVersion, metadata, ...rest } = object;
    const { resourceVersion: _, ...others } = metadata;
    // the layout of what is stored
    this.json = encodeJson({ kind, apiVersion, metadata: { resourceVersion: String(revision), ...others }, ...rest });
    this.labels = metadata.labels ?? {};
    this.fields = { 'metadata.name': name, 'metadata.namespace': namespace, ...selectable };
  }

  get jsonLength(): number {
    return this.json.length;
  }

  writeJson(target: Uint8Array, offset: number): number {
    target.set(this.json, offset);
    return offset + this.json.length;
  }

  /** Items of lists of custom resources say what they are, as each by itself. */
  get itemLength(): number {
    return this.json.length;
  }

  writeItem(target: Uint8Array, offset: number): number {
    return this.writeJson(target, offset);
  }

  decode(): KubeObject {
    return decodeJson(this.json) as unknown as KubeObject;
  }

  metadata(): ObjectMeta {
    return this.decode().metadata;
  }

  mentions(text: Uint8Array): boolean {
    return Buffer.prototype.includes.call(this.json, text);
  }

  form(key: string, make: () => Uint8Array): Uint8Array {
    let bytes = this.#forms.get(key);
    if (bytes === undefined) {
      bytes = make();
      this.#forms.set(key, bytes);
    }
    return bytes;
  }
}
