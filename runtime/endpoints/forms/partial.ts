import { encodeJson } from '../../codec/json.ts';
import { jsonListHead } from '../../codec/json-list.ts';
import { listMetaObject } from '../../codec/list-meta.ts';
import { type MetaVersion, partialObjectMetadata } from '../../codec/partial-metadata.ts';
import { encodeEnvelope, encodeList } from '../../codec/protobuf.ts';
import { jsonWatchFrame, protobufWatchFrame } from '../../codec/watch-frames.ts';
import { encodeYaml } from '../../codec/yaml.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { Form } from './form.ts';
import { jsonPieces } from './json.ts';
import { encodeMessage } from './protobuf.ts';
import { bookmarkObject, objectAt } from './versioned.ts';

export interface PartialFormParts {
  readonly definition: ResourceDefinition;
  readonly version: MetaVersion;
  readonly mediaType: string;
  /** Types of meta/v1. */
  readonly meta: Readonly<Record<string, TypeDefinition>>;
}

/** Objects with their metadata alone: PartialObjectMetadata and PartialObjectMetadataList of meta.k8s.io. */
export function partialForm({ definition, version, mediaType, meta }: PartialFormParts): Form {
  const apiVersion = `meta.k8s.io/${version}`;
  const kind = 'PartialObjectMetadata';
  const listKind = 'PartialObjectMetadataList';
  const parameters = (as: string): string => `${mediaType};as=${as};g=meta.k8s.io;v=${version}`;
  const partial = (object: KubeObject) => partialObjectMetadata(object, version);
  const contentType = mediaType;
  const bookmark = (revision: number, annotations?: Record<string, string>) =>
    partial(bookmarkObject(definition, revision, annotations));

  if (mediaType === 'application/vnd.kubernetes.protobuf') {
    const type = meta.PartialObjectMetadata;
    const key = `partial protobuf ${version}`;
    const message = (stored: StoredObject): Uint8Array =>
      stored.form(key, () => encodeMessage(type, partial(objectAt(definition, stored))));
    const envelopeOf = (object: unknown): Uint8Array => encodeEnvelope(apiVersion, kind, encodeMessage(type, object));
    return {
      contentType,
      streamType: `${mediaType};stream=watch`,
      text: false,
      one: (stored) => encodeEnvelope(apiVersion, kind, message(stored)),
      oneObject: (object) => envelopeOf(partial(object)),
      list: (items, listMeta) => ({
        pieces: [encodeEnvelope(apiVersion, listKind, encodeList(listMeta, items.map(message)))],
      }),
      frame: (event, stored) => protobufWatchFrame(event, encodeEnvelope(apiVersion, kind, message(stored))),
      bookmark: (revision, annotations) => protobufWatchFrame('BOOKMARK', envelopeOf(bookmark(revision, annotations))),
      error: (status) =>
        protobufWatchFrame('ERROR', encodeEnvelope('v1', 'Status', encodeMessage(meta.Status, status))),
    };
  }

  const key = `partial json ${version}`;
  const json = (stored: StoredObject): Uint8Array =>
    stored.form(key, () => encodeJson(partial(objectAt(definition, stored))));
  if (mediaType === 'application/yaml') {
    const noStream = (): never => {
      throw new Error(`there is no ${parameters(kind)} watch`);
    };
    return {
      contentType,
      text: true,
      one: (stored) => encodeYaml(partial(objectAt(definition, stored))),
      oneObject: (object) => encodeYaml(partial(object)),
      list: (items, listMeta) => ({
        pieces: [
          encodeYaml({
            kind: listKind,
            apiVersion,
            metadata: listMetaObject(listMeta),
            items: items.map((stored) => partial(objectAt(definition, stored))),
          }),
        ],
      }),
      frame: noStream,
      bookmark: noStream,
      error: noStream,
    };
  }
  return {
    contentType,
    streamType: 'application/json',
    text: true,
    one: (stored) => Buffer.concat([json(stored), newline]),
    oneObject: (object) => Buffer.concat([encodeJson(partial(object)), newline]),
    list: (items, listMeta) => ({
      pieces: jsonPieces(jsonListHead(apiVersion, listKind, listMeta), items.length, (index) => json(items[index])),
    }),
    frame: (event, stored) => jsonWatchFrame(event, json(stored)),
    bookmark: (revision, annotations) => jsonWatchFrame('BOOKMARK', encodeJson(bookmark(revision, annotations))),
    error: (status) => jsonWatchFrame('ERROR', encodeJson(status)),
  };
}

const newline = Buffer.from('\n');
