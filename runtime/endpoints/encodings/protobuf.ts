import type { ListMeta } from '../../codec/list-meta.ts';
import { encodeEnvelope, encodeListMeta, envelopeHead, envelopeTail, itemHead } from '../../codec/protobuf.ts';
import { transcode } from '../../codec/transcode/transcode.ts';
import { protobufWatchFrame, type WatchEventType } from '../../codec/watch-frames.ts';
import { mediaTypes } from '../../http/negotiation.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { writeMessage } from '../../machinery/protobuf/message-writer.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import { isStorageVersion } from '../../resources/views.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { type Bookmark, bookmarkObject } from './bookmark.ts';
import type { ListBody, ListHeader } from './list-body.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { borrowJson, objectToEncode } from './stored-text.ts';

const noBytes = new Uint8Array();

/** Encodes an object as the message of its type, without an envelope. @throws Error if the type has no message */
export function encodeMessage(type: TypeDefinition, object: unknown): Uint8Array {
  const { protobuf } = type;
  if (protobuf === undefined) throw new Error(`${type.kind} has no protobuf form`);
  return writeMessage((writer) => protobuf.encode(object as KubeObject, writer));
}

/** Encodes objects as Kubernetes protobuf, each message once: lists are assembled from encoded messages. */
export class ProtobufEncoding implements ResponseEncoding {
  readonly contentType = mediaTypes.protobuf;
  readonly streamType = `${mediaTypes.protobuf};stream=watch`;
  readonly isText = false;
  readonly #definition: ResourceDefinition;
  readonly #statusType: TypeDefinition;
  readonly #apiVersion: string;
  readonly #key: string;
  /** Whether stored JSON is that of this version. */
  readonly #isStored: boolean;

  constructor(definition: ResourceDefinition, statusType: TypeDefinition) {
    this.#definition = definition;
    this.#statusType = statusType;
    this.#apiVersion = formatGroupVersion(definition);
    this.#key = `protobuf ${this.#apiVersion}`;
    this.#isStored = definition.decoder === undefined && isStorageVersion(definition);
  }

  encodeStored(stored: StoredObject): Uint8Array {
    return this.#envelope(this.#message(stored));
  }

  encode(object: KubeObject): Uint8Array {
    return this.#envelope(encodeMessage(this.#definition.type, object));
  }

  encodeList(items: readonly StoredObject[], meta: ListMeta): ListBody {
    const header = { apiVersion: this.#apiVersion, kind: this.#definition.listKind, meta };
    return { pieces: messageListPieces(header, items.length, (index) => this.#message(elementAt(items, index))) };
  }

  encodeEvent(type: WatchEventType, stored: StoredObject): Uint8Array {
    return protobufWatchFrame(type, this.encodeStored(stored));
  }

  encodeBookmark(bookmark: Bookmark): Uint8Array {
    return protobufWatchFrame('BOOKMARK', this.encode(bookmarkObject(this.#definition, bookmark)));
  }

  encodeError(status: object): Uint8Array {
    return protobufWatchFrame('ERROR', encodeEnvelope('v1', 'Status', encodeMessage(this.#statusType, status)));
  }

  #message(stored: StoredObject): Uint8Array {
    return stored.cacheEncode(this.#key, () => this.#makeMessage(stored));
  }

  #makeMessage(stored: StoredObject): Uint8Array {
    const definition = this.#definition;
    const { message } = definition.type.protobuf ?? {};
    const made = message !== undefined && this.#isStored ? transcode(message, borrowJson(stored)) : undefined;
    return made ?? encodeMessage(definition.type, objectToEncode(definition, stored));
  }

  #envelope(message: Uint8Array): Uint8Array {
    return encodeEnvelope(this.#apiVersion, this.#definition.kind, message);
  }
}

/**
 * Yields a list as a message in an envelope. The size of the content comes first, so every message is requested twice, first
 * for its size; then the list is never in memory as a whole. In the first round, an empty piece follows each message, so
 * that the caller can yield to other requests.
 */
export function* messageListPieces(
  { apiVersion, kind, meta }: ListHeader,
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
  yield envelopeHead(apiVersion, kind, length);
  yield listMeta;
  for (let index = 0; index < count; index++) {
    const bytes = message(index);
    yield itemHead(bytes.length);
    yield bytes;
  }
  yield envelopeTail;
}
