import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { ListMeta } from '../../codec/list-meta.ts';
import { encodeEnvelope, encodeListMeta, envelopeHead, envelopeTail, itemHead } from '../../codec/protobuf.ts';
import { protobufWatchFrame } from '../../codec/watch-frames.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { Form } from './form.ts';
import { bookmarkObject, objectAt } from './versioned.ts';

const mediaType = 'application/vnd.kubernetes.protobuf';

/** The message of an object, without its envelope. */
export function encodeMessage(type: TypeDefinition, object: unknown): Uint8Array {
  if (type.protobuf === undefined) throw new Error(`${type.kind} has no protobuf form`);
  const writer = new BinaryWriter();
  type.protobuf.encode(object as KubeObject, writer);
  return writer.finish();
}

/** Objects as Kubernetes protobuf: each message is encoded once, and lists are put together from messages. */
export function protobufForm(definition: ResourceDefinition, status: TypeDefinition): Form {
  const apiVersion = formatGroupVersion(definition);
  const { kind, type } = definition;
  const key = `protobuf ${apiVersion}`;
  const message = (stored: StoredObject): Uint8Array =>
    stored.form(key, () => encodeMessage(type, objectAt(definition, stored)));
  const envelope = (stored: StoredObject): Uint8Array => encodeEnvelope(apiVersion, kind, message(stored));
  const envelopeOf = (object: KubeObject): Uint8Array => encodeEnvelope(apiVersion, kind, encodeMessage(type, object));
  return {
    contentType: mediaType,
    streamType: `${mediaType};stream=watch`,
    text: false,
    one: envelope,
    oneObject: envelopeOf,
    list: (items, meta) => ({ pieces: listPieces(apiVersion, definition.listKind, items.map(message), meta) }),
    frame: (event, stored) => protobufWatchFrame(event, envelope(stored)),
    bookmark: (revision, _first, annotations) =>
      protobufWatchFrame('BOOKMARK', envelopeOf(bookmarkObject(definition, revision, annotations))),
    error: (value) => protobufWatchFrame('ERROR', encodeEnvelope('v1', 'Status', encodeMessage(status, value))),
  };
}

function* listPieces(
  apiVersion: string,
  listKind: string,
  messages: readonly Uint8Array[],
  meta: ListMeta,
): Iterable<Uint8Array> {
  const listMeta = encodeListMeta(meta);
  const heads = messages.map((message) => itemHead(message.length));
  let length = listMeta.length;
  for (let index = 0; index < messages.length; index++) length += heads[index].length + messages[index].length;
  yield envelopeHead(apiVersion, listKind, length);
  yield listMeta;
  for (let index = 0; index < messages.length; index++) {
    yield heads[index];
    yield messages[index];
  }
  yield envelopeTail;
}
