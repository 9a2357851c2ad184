import { cborListPieces, cborWatchFrame, encodeCbor } from '../../codec/cbor.ts';
import { prettyJson } from '../../codec/json/pretty.ts';
import { encodeJson } from '../../codec/json.ts';
import { jsonListHead } from '../../codec/json-list.ts';
import { type ListMeta, listMetaObject } from '../../codec/list-meta.ts';
import { type MetaVersion, type PartialObjectMetadata, partialObjectMetadata } from '../../codec/partial-metadata.ts';
import { encodeEnvelope } from '../../codec/protobuf.ts';
import { jsonWatchFrame, protobufWatchFrame, type WatchEventType } from '../../codec/watch-frames.ts';
import { encodeYaml } from '../../codec/yaml.ts';
import { mediaTypes } from '../../http/negotiation.ts';
import { metaType } from '../../machinery/catalog.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { type Bookmark, bookmarkObject } from './bookmark.ts';
import { jsonPieces } from './json.ts';
import type { ListBody } from './list-body.ts';
import { prettyPieces } from './pretty-list.ts';
import { encodeMessage, messageListPieces } from './protobuf.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { metadataSpan } from './stored-text.ts';
import { YamlOnly, yamlListPieces } from './yaml.ts';

export interface PartialMetadataOptions {
  readonly definition: ResourceDefinition;
  readonly version: MetaVersion;
  readonly mediaType: string;
  readonly pretty: boolean;
  /** The types of meta/v1. */
  readonly metaTypes: Readonly<Record<string, TypeDefinition>>;
}

const listKind = 'PartialObjectMetadataList';
const newline = Buffer.from('\n');

/** Encodes the metadata of objects as PartialObjectMetadata and PartialObjectMetadataList of meta.k8s.io. */
export function partialMetadataEncoding(options: PartialMetadataOptions): ResponseEncoding {
  if (options.mediaType === mediaTypes.yaml) return new YamlPartialMetadataEncoding(options);
  return new PartialMetadataEncoding(options, serializerFor(options));
}

/**
 * Writes PartialObjectMetadata in one media type. The results of `item` are cached, and responses are built from them.
 */
interface PartialMetadataSerializer {
  readonly streamType: string;
  readonly isText: boolean;
  item(object: PartialObjectMetadata): Uint8Array;
  /** Makes an item a whole response. */
  whole(item: Uint8Array): Uint8Array;
  list(count: number, item: (index: number) => Uint8Array, meta: ListMeta): ListBody;
  event(type: WatchEventType, item: Uint8Array): Uint8Array;
  error(status: object): Uint8Array;
}

class PartialMetadataEncoding implements ResponseEncoding {
  readonly contentType: string;
  readonly streamType: string;
  readonly isText: boolean;
  readonly #definition: ResourceDefinition;
  readonly #version: MetaVersion;
  readonly #serializer: PartialMetadataSerializer;
  readonly #isJson: boolean;
  readonly #hidden: readonly string[];
  readonly #key: string;

  constructor({ definition, version, mediaType }: PartialMetadataOptions, serializer: PartialMetadataSerializer) {
    this.contentType = mediaType;
    this.streamType = serializer.streamType;
    this.isText = serializer.isText;
    this.#definition = definition;
    this.#version = version;
    this.#serializer = serializer;
    this.#isJson = mediaType === mediaTypes.json;
    this.#hidden = hiddenAnnotations(definition);
    this.#key = `partial ${mediaType} ${version}`;
  }

  encodeStored(stored: StoredObject): Uint8Array {
    return this.#serializer.whole(this.#item(stored));
  }

  encode(object: KubeObject): Uint8Array {
    return this.#serializer.whole(this.#itemOf(object));
  }

  encodeList(items: readonly StoredObject[], meta: ListMeta): ListBody {
    return this.#serializer.list(items.length, (index) => this.#item(elementAt(items, index)), meta);
  }

  encodeEvent(type: WatchEventType, stored: StoredObject): Uint8Array {
    return this.#serializer.event(type, this.#item(stored));
  }

  encodeBookmark(bookmark: Bookmark): Uint8Array {
    return this.#serializer.event('BOOKMARK', this.#itemOf(bookmarkObject(this.#definition, bookmark)));
  }

  encodeError(status: object): Uint8Array {
    return this.#serializer.error(status);
  }

  #item(stored: StoredObject): Uint8Array {
    // Copying JSON out of the stored bytes is cheaper than caching it.
    if (this.#isJson && this.#hidden.length === 0)
      return partialJson(stored, this.#version) ?? this.#itemOf({ metadata: stored.metadata() });
    return stored.cacheEncode(this.#key, () => this.#itemOf({ metadata: stored.metadata() }));
  }

  #itemOf(object: KubeObject): Uint8Array {
    return this.#serializer.item(partialObjectMetadata(object, this.#version, this.#hidden));
  }
}

function serializerFor({ mediaType, version, metaTypes, pretty }: PartialMetadataOptions): PartialMetadataSerializer {
  const apiVersion = `meta.k8s.io/${version}`;
  switch (mediaType) {
    case mediaTypes.protobuf:
      return protobufSerializer(apiVersion, metaTypes);
    case mediaTypes.cbor:
      return {
        streamType: mediaTypes.cborSequence,
        isText: false,
        item: encodeCbor,
        whole: (item) => item,
        list: (count, item, meta) => ({
          pieces:
            count === 0 ? [encodeCbor(emptyList(apiVersion, meta))] : cborListPieces({ apiVersion, kind: listKind }, meta, count, item),
        }),
        event: cborWatchFrame,
        error: (status) => cborWatchFrame('ERROR', encodeCbor(status)),
      };
    default:
      return jsonSerializer(apiVersion, pretty);
  }
}

function protobufSerializer(apiVersion: string, metaTypes: Readonly<Record<string, TypeDefinition>>): PartialMetadataSerializer {
  const envelope = (item: Uint8Array): Uint8Array => encodeEnvelope(apiVersion, 'PartialObjectMetadata', item);
  return {
    streamType: `${mediaTypes.protobuf};stream=watch`,
    isText: false,
    item: (object) => encodeMessage(metaType(metaTypes, 'PartialObjectMetadata'), object),
    whole: envelope,
    list: (count, item, meta) => ({ pieces: messageListPieces({ apiVersion, kind: listKind, meta }, count, item) }),
    event: (type, item) => protobufWatchFrame(type, envelope(item)),
    error: (status) => protobufWatchFrame('ERROR', encodeEnvelope('v1', 'Status', encodeMessage(metaType(metaTypes, 'Status'), status))),
  };
}

function jsonSerializer(apiVersion: string, pretty: boolean): PartialMetadataSerializer {
  const whole = (json: Uint8Array): Uint8Array => (pretty ? prettyJson(json) : Buffer.concat([json, newline]));
  return {
    streamType: mediaTypes.json,
    isText: true,
    item: encodeJson,
    whole,
    list: (count, item, meta) => {
      if (count === 0) return { pieces: [whole(encodeJson(emptyList(apiVersion, meta)))] };
      const head = jsonListHead(apiVersion, listKind, meta);
      return { pieces: pretty ? prettyPieces(head, count, item) : jsonPieces(head, count, item) };
    },
    event: jsonWatchFrame,
    error: (status) => jsonWatchFrame('ERROR', encodeJson(status)),
  };
}

/** Go leaves the items of an empty list nil. (apiserver pkg/endpoints/handlers/response.go asPartialObjectMetadataList) */
const emptyList = (apiVersion: string, meta: ListMeta) => ({
  kind: listKind,
  apiVersion,
  metadata: listMetaObject(meta),
  items: null,
});

/** For human readers. Nothing is cached. */
class YamlPartialMetadataEncoding extends YamlOnly implements ResponseEncoding {
  readonly #version: MetaVersion;
  readonly #hidden: readonly string[];

  constructor({ definition, version }: PartialMetadataOptions) {
    super();
    this.#version = version;
    this.#hidden = hiddenAnnotations(definition);
  }

  encodeStored(stored: StoredObject): Uint8Array {
    return encodeYaml(this.#partial(stored));
  }

  encode(object: KubeObject): Uint8Array {
    return encodeYaml(partialObjectMetadata(object, this.#version, this.#hidden));
  }

  encodeList(items: readonly StoredObject[], meta: ListMeta): ListBody {
    const apiVersion = `meta.k8s.io/${this.#version}`;
    if (items.length === 0) return { pieces: [encodeYaml(emptyList(apiVersion, meta))] };
    const header = { apiVersion, kind: listKind, meta };
    return { pieces: yamlListPieces(header, items.length, (index) => this.#partial(elementAt(items, index))) };
  }

  #partial(stored: StoredObject): PartialObjectMetadata {
    return partialObjectMetadata({ metadata: stored.metadata() }, this.#version, this.#hidden);
  }
}

const hiddenAnnotations = ({ writeRules }: ResourceDefinition): readonly string[] => writeRules.hiddenAnnotations ?? [];

/** The JSON of a PartialObjectMetadata before its metadata; a brace follows the metadata. */
export function partialHead(version: MetaVersion): Uint8Array {
  return Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":`);
}

const heads = { v1: partialHead('v1'), v1beta1: partialHead('v1beta1') };
const tail = Buffer.from('}');

/** Copies an object's metadata out of its stored bytes. Returns undefined if the bytes do not have the stored layout. */
export function partialJson({ json }: StoredObject, version: MetaVersion): Uint8Array | undefined {
  const span = metadataSpan(json);
  return span && Buffer.concat([heads[version], json.subarray(span.start, span.end), tail]);
}
