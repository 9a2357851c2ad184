import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { type EtcdKeyValue, readKeyValue } from './kv.ts';
import { endOfMessage, readFields, readHeaderRevision, readInt64, writeBool, writeInt64, writeKey, writeMessage } from './wire.ts';

export interface WatchCreateRequest {
  readonly key: string;
  /** Absent for a single key; NUL for all keys from `key` on. */
  readonly rangeEnd?: string;
  readonly startRevision: number;
  readonly prevKv?: boolean;
  readonly progressNotify?: boolean;
}

/** mvccpb.Event. */
export interface EtcdEvent {
  readonly type: 'put' | 'delete';
  /** For a deletion, only the key and the deletion's revision. */
  readonly kv: EtcdKeyValue;
  readonly prevKv?: EtcdKeyValue;
}

export interface WatchResponse {
  readonly revision: number;
  /** -1 if the response concerns all watches of the stream. */
  readonly watchId: number;
  readonly created: boolean;
  readonly canceled: boolean;
  /** The oldest readable revision, if the watch was canceled because its next revision was compacted. */
  readonly compactRevision: number;
  readonly cancelReason: string;
  readonly events: readonly EtcdEvent[];
}

/**
 * Encodes a watch whose ID the server chooses, as etcd's own client does. Responses about the creation of watches come in
 * the order of the requests. Some servers that speak etcd's protocol, such as kine, refuse IDs from clients.
 */
export function encodeWatchCreate(request: WatchCreateRequest): Uint8Array {
  const writer = new BinaryWriter();
  writeMessage(writer, 1, () => {
    writeKey(writer, 1, request.key);
    writeKey(writer, 2, request.rangeEnd);
    writeInt64(writer, 3, request.startRevision);
    writeBool(writer, 4, request.progressNotify);
    writeBool(writer, 6, request.prevKv);
  });
  return writer.finish();
}

/**
 * Encodes a request for progress: etcd sends an empty response when all watches of the stream have reached its
 * revision.
 */
export function encodeProgressRequest(): Uint8Array {
  const writer = new BinaryWriter();
  writeMessage(writer, 3, () => undefined);
  return writer.finish();
}

export function decodeWatch(message: Uint8Array): WatchResponse {
  const reader = new BinaryReader(message);
  const events: EtcdEvent[] = [];
  const response = {
    revision: 0,
    watchId: 0,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: '',
    events,
  };
  readFields(reader, reader.len, (field) => {
    if (field === 1) response.revision = readHeaderRevision(reader);
    else if (field === 2) response.watchId = readInt64(reader);
    else if (field === 3) response.created = reader.bool();
    else if (field === 4) response.canceled = reader.bool();
    else if (field === 5) response.compactRevision = readInt64(reader);
    else if (field === 6) response.cancelReason = reader.string();
    else if (field === 11) events.push(readEvent(reader));
    else return false;
    return true;
  });
  return response;
}

function readEvent(reader: BinaryReader): EtcdEvent {
  let type: EtcdEvent['type'] = 'put';
  let kv: EtcdKeyValue = { key: '', createRevision: 0, modRevision: 0, version: 0, value: new Uint8Array() };
  let prevKv: EtcdKeyValue | undefined;
  readFields(reader, endOfMessage(reader), (field) => {
    if (field === 1) type = reader.int32() === 1 ? 'delete' : 'put';
    else if (field === 2) kv = readKeyValue(reader);
    else if (field === 3) prevKv = readKeyValue(reader);
    else return false;
    return true;
  });
  return prevKv === undefined ? { type, kv } : { type, kv, prevKv };
}
