import type { Change } from '../storage/kv/engine.ts';
import type { ChangeActivity } from './activity.ts';

interface StoredManager {
  readonly manager?: string;
  readonly time?: string;
}

interface StoredObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly namespace?: string; readonly name?: string; readonly managedFields?: readonly StoredManager[] };
}

/** A change in the log. The stored object is read when a page asks for the change. */
export class LoggedChange {
  readonly changed: number;
  /** The bytes that the log keeps in memory. */
  readonly size: number;
  #value: Uint8Array | undefined;
  #facts: ChangeActivity;

  constructor(sequence: number, time: number, { type, revision, current, previous }: Change) {
    this.changed = sequence;
    this.#value = current.value;
    this.size = current.value.length;
    const kind = type === 'delete' ? 'deleted' : previous === undefined ? 'created' : 'changed';
    this.#facts = { time, revision, type: kind, apiVersion: '', kind: '', namespace: '', name: '', manager: '' };
  }

  facts(): ChangeActivity {
    if (this.#value !== undefined) {
      this.#facts = { ...this.#facts, ...readFacts(this.#value) };
      this.#value = undefined;
    }
    return this.#facts;
  }

  /** Forgets the stored object, so that the memory of the log has a limit. */
  forget(): void {
    this.#value = undefined;
  }
}

function readFacts(value: Uint8Array): Partial<ChangeActivity> {
  try {
    const { apiVersion = '', kind = '', metadata = {} } = JSON.parse(Buffer.from(value).toString('utf8')) as StoredObject;
    const { namespace = '', name = '', managedFields = [] } = metadata;
    return { apiVersion, kind, namespace, name, manager: newest(managedFields)?.manager ?? '' };
  } catch {
    // other encodings than JSON, as etcd may have
    return {};
  }
}

/** Returns the entry that was written last. Later entries come first among those of one second. */
function newest(entries: readonly StoredManager[]): StoredManager | undefined {
  return entries.reduce<StoredManager | undefined>((found, entry) => ((entry.time ?? '') > (found?.time ?? '') ? entry : found), undefined);
}
