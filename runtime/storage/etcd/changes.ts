import type { Change, KeyValue } from '../kv/engine.ts';
import { StoredValue } from '../mvcc/stored-value.ts';
import type { EtcdKeyValue } from './messages/kv.ts';
import type { EtcdEvent } from './messages/watch.ts';

/** The largest ratio between the memory that a view keeps alive and its size. Above it, the bytes are copied. */
const wasteFactor = 2;

/** Returns a state whose value does not keep a much larger message alive. */
export function storedValue({ key, value, createRevision, modRevision }: EtcdKeyValue): StoredValue {
  const isLarge = value.buffer.byteLength > wasteFactor * value.length;
  return new StoredValue(key, isLarge ? new Uint8Array(value) : value, createRevision, modRevision);
}

/**
 * Converts an event.
 *
 * @param ownValue returns the array of a pending write with the same bytes
 */
export function changeOf({ type, kv, prevKv }: EtcdEvent, ownValue: (key: string, value: Uint8Array) => Uint8Array | undefined): Change {
  const { key, modRevision: revision } = kv;
  const previous: KeyValue | undefined = prevKv && storedValue(prevKv);
  if (type === 'delete') {
    // etcd always has the previous state here: events that a watch still delivers are not compacted
    const current = previous ?? new StoredValue(key, new Uint8Array(), 0, revision - 1);
    return { type, key, revision, current, previous: current };
  }
  const own = ownValue(key, kv.value);
  const current = own === undefined ? storedValue(kv) : new StoredValue(key, own, kv.createRevision, revision);
  return previous === undefined ? { type, key, revision, current } : { type, key, revision, current, previous };
}
