import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { ListMeta } from '../../codec/list-meta.ts';
import { encodeEnvelope, encodeListMeta, envelopeHead, envelopeTail, itemHead } from '../../codec/protobuf.ts';
import { protobufWatchFrame } from '../../codec/watch-frames.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { objectToEncode } from './stored-text.ts';
import { bookmarkObject } from './versioned.ts';

const mediaType = 'application/vnd.kubernetes.protobuf';
const noBytes = new Uint8Array();

/** The message of an object, without its envelope. */
export function encodeMessage(type: TypeDefinition, object: unknown): Uint8Array {
  if (type.protobuf === undefined) throw new Error(`${type.kind} has no protobuf form`);
  const writer = new BinaryWriter();
  type.protobuf.encode(object as KubeObject, writer);
  return writer.finish();
}

/** Objects as Kubernetes protobuf: each message is encoded once, and lists are put together from messages. */
export function protobufEncoding(definition: ResourceDefinition, status: TypeDefinition): ResponseEncoding {
  const apiVersion = formatGroupVersion(definition);
  const { kind, type } = definition;
  const key = `protobuf ${apiVersion}`;
  const message = (stored: StoredObject): Uint8Array =>
    stored.cacheEncode(key, () => encodeMessage(type, objectToEncode(definition, stored)));
  const envelope = (stored: StoredObject): Uint8Array => encodeEnvelope(apiVersion, kind, message(stored));
  const envelopeOf = (object: KubeObject): Uint8Array => encodeEnvelope(apiVersion, kind, encodeMessage(type, object));
  return {
    contentType: mediaType,
    streamType: `${mediaType};stream=watch`,
    text: false,
    one: envelope,
    oneObject: envelopeOf,
    list: (items, meta) => ({
      pieces: messageListPieces(apiVersion, definition.listKind, meta, items.length, (index) => message(items[index])),
    }),
    frame: (event, stored) => protobufWatchFrame(event, envelope(stored)),
    bookmark: (revision, _first, annotations) =>
      protobufWatchFrame('BOOKMARK', envelopeOf(bookmarkObject(definition, revision, annotations))),
    error: (value) => protobufWatchFrame('ERROR', encodeEnvelope('v1', 'Status', encodeMessage(status, value))),
  };
}

/**
 * A list as a message in an envelope, whose size comes before its content: messages are asked for twice, first for their
 * sizes, so that no list is ever whole in memory. After every message of the first round comes a piece without bytes.
 */
export function* messageListPieces(
  apiVersion: string,
  listKind: string,
  meta: ListMeta,
  count: number,
  message: (index: number) => Uint8Array,
): Iterable<Uint8Array> {
  const listMeta = encodeListMeta(meta);
  let length = listMeta.length;
  for (let index = 0; index < count; index++) {
    const size = message(index).length;
    length += itemHead(size).length + size;
    yield noBytes;
  }
  yield envelopeHead(apiVersion, listKind, length);
  yield listMeta;
  for (let index = 0; index < count; index++) {
    const bytes = message(index);
    yield itemHead(bytes.length);
    yield bytes;
  }
  yield envelopeTail;
}
