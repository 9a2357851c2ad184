import { cborListPieces, cborWatchFrame, encodeCbor } from '../../codec/cbor.ts';
import { prettyJson } from '../../codec/json/pretty.ts';
import { encodeJson } from '../../codec/json.ts';
import { jsonListHead } from '../../codec/json-list.ts';
import type { ListMeta } from '../../codec/list-meta.ts';
import { type MetaVersion, type PartialObjectMetadata, partialObjectMetadata } from '../../codec/partial-metadata.ts';
import { encodeEnvelope } from '../../codec/protobuf.ts';
import { jsonWatchFrame, protobufWatchFrame, type WatchEventType } from '../../codec/watch-frames.ts';
import { encodeYaml } from '../../codec/yaml.ts';
import { mediaTypes } from '../../http/negotiation.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { jsonPieces } from './json.ts';
import type { ListBody } from './list-body.ts';
import { partialJson } from './partial-json.ts';
import { prettyPieces } from './pretty-list.ts';
import { encodeMessage, messageListPieces } from './protobuf.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { bookmarkObject } from './versioned.ts';
import { yamlListPieces } from './yaml.ts';

export interface PartialMetadataEncodingOptions {
  readonly definition: ResourceDefinition;
  readonly version: MetaVersion;
  readonly mediaType: string;
  readonly pretty: boolean;
  /** Types of meta/v1. */
  readonly meta: Readonly<Record<string, TypeDefinition>>;
}

const listKind = 'PartialObjectMetadataList';
const newline = Buffer.from('\n');

/** How one media type writes metadata. `item` is what is kept with objects, and what the rest is made of. */
interface Wire {
  readonly streamType?: string;
  readonly text: boolean;
  item(object: PartialObjectMetadata): Uint8Array;
  whole(item: Uint8Array): Uint8Array;
  list(count: number, item: (index: number) => Uint8Array, meta: ListMeta): ListBody;
  frame(type: WatchEventType, item: Uint8Array): Uint8Array;
  error(status: object): Uint8Array;
}

/** Objects with their metadata alone: PartialObjectMetadata and PartialObjectMetadataList of meta.k8s.io. */
export function partialMetadataEncoding(parts: PartialMetadataEncodingOptions): ResponseEncoding {
  const { definition, version, mediaType } = parts;
  if (mediaType === mediaTypes.yaml) return yamlPartialMetadataEncoding(parts);
  const wire = wireOf(parts);
  const { item } = wire;
  const key = `partial ${mediaType} ${version}`;
  const make = (stored: StoredObject): Uint8Array =>
    item(partialObjectMetadata({ metadata: stored.metadata() }, version));
  const kept =
    mediaType === mediaTypes.json
      ? (stored: StoredObject): Uint8Array => partialJson(stored, version) ?? make(stored)
      : (stored: StoredObject): Uint8Array => stored.cacheEncode(key, () => make(stored));
  return {
    contentType: mediaType,
    ...(wire.streamType === undefined ? {} : { streamType: wire.streamType }),
    text: wire.text,
    one: (stored) => wire.whole(kept(stored)),
    oneObject: (object) => wire.whole(item(partialObjectMetadata(object, version))),
    list: (items, meta) => wire.list(items.length, (index) => kept(items[index]), meta),
    frame: (type, stored) => wire.frame(type, kept(stored)),
    bookmark: (revision, _first, annotations) =>
      wire.frame('BOOKMARK', item(partialObjectMetadata(bookmarkObject(definition, revision, annotations), version))),
    error: wire.error,
  };
}

function wireOf({ mediaType, version, meta, pretty }: PartialMetadataEncodingOptions): Wire {
  const apiVersion = `meta.k8s.io/${version}`;
  switch (mediaType) {
    case mediaTypes.protobuf: {
      const envelope = (item: Uint8Array): Uint8Array => encodeEnvelope(apiVersion, 'PartialObjectMetadata', item);
      return {
        streamType: `${mediaType};stream=watch`,
        text: false,
        item: (object) => encodeMessage(meta.PartialObjectMetadata, object),
        whole: envelope,
        list: (count, item, listMeta) => ({
          pieces: messageListPieces(apiVersion, listKind, listMeta, count, item),
        }),
        frame: (type, item) => protobufWatchFrame(type, envelope(item)),
        error: (status) =>
          protobufWatchFrame('ERROR', encodeEnvelope('v1', 'Status', encodeMessage(meta.Status, status))),
      };
    }
    case mediaTypes.cbor:
      return {
        streamType: mediaTypes.cborSequence,
        text: false,
        item: encodeCbor,
        whole: (item) => item,
        list: (count, item, listMeta) => ({ pieces: cborListPieces(apiVersion, listKind, listMeta, count, item) }),
        frame: cborWatchFrame,
        error: (status) => cborWatchFrame('ERROR', encodeCbor(status)),
      };
    default: {
      const whole = (item: Uint8Array): Uint8Array => (pretty ? prettyJson(item) : Buffer.concat([item, newline]));
      return {
        streamType: mediaTypes.json,
        text: true,
        item: encodeJson,
        whole,
        list: (count, item, listMeta) => {
          const head = jsonListHead(apiVersion, listKind, listMeta);
          return { pieces: pretty ? prettyPieces(head, count, item) : jsonPieces(head, count, item) };
        },
        frame: jsonWatchFrame,
        error: (status) => jsonWatchFrame('ERROR', encodeJson(status)),
      };
    }
  }
}

/** For people: nothing is kept, and there are no watches. */
function yamlPartialMetadataEncoding({ version, mediaType }: PartialMetadataEncodingOptions): ResponseEncoding {
  const noStream = (): never => {
    throw new Error('there are no YAML watches');
  };
  const partial = (stored: StoredObject) => partialObjectMetadata({ metadata: stored.metadata() }, version);
  return {
    contentType: mediaType,
    text: true,
    one: (stored) => encodeYaml(partial(stored)),
    oneObject: (object) => encodeYaml(partialObjectMetadata(object, version)),
    list: (items, meta) => ({
      pieces: yamlListPieces(`meta.k8s.io/${version}`, listKind, meta, items.length, (index) => partial(items[index])),
    }),
    frame: noStream,
    bookmark: noStream,
    error: noStream,
  };
}
