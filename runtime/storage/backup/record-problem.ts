import { decodeCbor, isCbor } from '../../codec/cbor.ts';
import { decodeEnvelope, isEnvelope } from '../../codec/protobuf.ts';
import { quoteBytes } from '../../machinery/go/quote.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { SnapshotEngine, SnapshotRecord } from '../kv/snapshot.ts';
import { maxKeyBytes } from '../mvcc/keys.ts';
import { isEncrypted } from '../value/encrypt/identity.ts';

/** The source of records. */
export interface RecordSource {
  readonly engine: SnapshotEngine;
  /** The prefix of all keys, for example `/registry`. */
  readonly root: string;
}

type Key = Pick<SnapshotRecord, 'key' | 'rawKey'>;
type KeyAndValue = Key & Pick<SnapshotRecord, 'value'>;

/**
 * Returns the reason why a record is not an object's, with its key; undefined if it is. Encrypted values are not
 * checked.
 */
export function recordProblem(record: KeyAndValue, { engine, root }: RecordSource): string | undefined {
  const problem = keyProblem(record, root) ?? valueProblem(record.value, engine);
  return problem === undefined ? undefined : `${quoteBytes(keyBytes(record))}: ${problem}`;
}

const keyBytes = ({ key, rawKey }: Key): Buffer => Buffer.from(rawKey ?? key);

/** Returns the reason why a key is not an object's. */
export function keyProblem({ key, rawKey }: Key, root: string): string | undefined {
  const bytes = keyBytes({ key, rawKey });
  if (rawKey !== undefined) return 'the key is not UTF-8';
  if (!key.startsWith(`${root}/`) || key.length === root.length + 1) return `the key is not below ${root}/`;
  if (bytes.includes(0)) return 'the key has a zero byte';
  return bytes.length > maxKeyBytes ? `the key has ${bytes.length} bytes, more than ${maxKeyBytes}` : undefined;
}

function valueProblem(value: Uint8Array, engine: SnapshotEngine): string | undefined {
  if (isEncrypted(value)) return undefined;
  if (engine === 'lmdb') return holdsJsonObject(value) ? undefined : 'its value is not a JSON object';
  return holdsObject(value) ? undefined : 'its value is no object, neither in JSON nor in protobuf or CBOR';
}

/** Reports whether kube-apiserver could have written the value. */
function holdsObject(value: Uint8Array): boolean {
  try {
    if (isEnvelope(value)) return decodeEnvelope(value).kind !== '';
    return isCbor(value) ? isJsonObject(decodeCbor(value)) : holdsJsonObject(value);
  } catch {
    return false;
  }
}

function holdsJsonObject(value: Uint8Array): boolean {
  try {
    const { buffer, byteOffset, byteLength } = value;
    return isJsonObject(JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8')));
  } catch {
    return false;
  }
}
