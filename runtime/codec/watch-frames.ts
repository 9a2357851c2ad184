import { lengthDelimitedHead } from './protobuf.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const types: readonly WatchEventType[] = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'];

const jsonHeads = headsOf((type) => Buffer.from(`{"type":"${type}","object":`));
const jsonTail = Buffer.from('}\n');
/** Field 1 of metav1.WatchEvent. */
const protobufHeads = headsOf((type) => Buffer.concat([lengthDelimitedHead(0x0a, type.length), Buffer.from(type)]));

function headsOf(make: (type: WatchEventType) => Buffer): Readonly<Record<WatchEventType, Buffer>> {
  return Object.fromEntries(types.map((type) => [type, make(type)])) as Record<WatchEventType, Buffer>;
}

/**
 * Returns one line of a JSON watch: `{"type":"ADDED","object":...}`. `object` is compact JSON. (apimachinery
 * runtime/serializer/json)
 */
export function jsonWatchFrame(type: WatchEventType, object: Uint8Array): Uint8Array {
  return Buffer.concat([jsonHeads[type], object, jsonTail]);
}

/**
 * Returns one event of a protobuf watch: a length of four bytes, big-endian, then metav1.WatchEvent as a bare message,
 * whose object is an envelope. (apimachinery pkg/runtime/serializer/protobuf, pkg/util/framer)
 *
 * @param envelope the object, encoded by encodeEnvelope
 */
export function protobufWatchFrame(type: WatchEventType, envelope: Uint8Array): Uint8Array {
  const rawHead = lengthDelimitedHead(0x0a, envelope.length);
  const objectHead = lengthDelimitedHead(0x12, rawHead.length + envelope.length);
  const head = protobufHeads[type];
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(head.length + objectHead.length + rawHead.length + envelope.length);
  return Buffer.concat([length, head, objectHead, rawHead, envelope]);
}

/**
 * Returns the number of bytes before each event of a stream that state its length. WebSocket messages are delimited, so
 * they omit the length. (apiserver pkg/endpoints/handlers/watch.go HandleWS)
 */
export function frameLengthBytes(streamType: string): number {
  return streamType.startsWith('application/vnd.kubernetes.protobuf') ? 4 : 0;
}
