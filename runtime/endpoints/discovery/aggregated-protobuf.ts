import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { encodeListMeta } from '../../codec/protobuf.ts';
import type { GroupVersionKind } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { TypeDefinition } from '../../machinery/resource.ts';
import { encodeMessage } from '../encodings/protobuf.ts';
import { nested, repeatedStrings, text } from './openapi-message.ts';

/* The messages of apidiscovery.k8s.io (api/apidiscovery/v2/generated.proto). v2beta1 has the same fields. */

interface Subresource {
  readonly subresource: string;
  readonly responseKind: GroupVersionKind;
  readonly verbs: readonly string[];
}

interface Resource {
  readonly resource: string;
  readonly responseKind: GroupVersionKind;
  readonly scope: string;
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly Subresource[];
}

interface Group {
  readonly metadata: KubeObject['metadata'];
  readonly versions: readonly {
    readonly version: string;
    readonly resources?: readonly Resource[];
    readonly freshness: string;
  }[];
}

/**
 * Encodes an APIGroupDiscoveryList as a message, without an envelope.
 *
 * @param metadataType PartialObjectMetadata: a group begins like one, with its metadata as field 1
 */
export function encodeGroupDiscoveryList(groups: readonly Group[], metadataType: TypeDefinition): Uint8Array {
  const writer = new BinaryWriter();
  writer.raw(encodeListMeta({}));
  for (const { metadata, versions } of groups) {
    nested(2, writer, () => {
      writer.raw(encodeMessage(metadataType, { metadata }));
      for (const { version, resources = [], freshness } of versions) {
        nested(2, writer, () => {
          text(1, version, writer);
          for (const resource of resources) nested(2, writer, () => writeResource(writer, resource));
          text(3, freshness, writer);
        });
      }
    });
  }
  return writer.finish();
}

function writeResource(writer: BinaryWriter, resource: Resource): void {
  text(1, resource.resource, writer);
  writeKind(writer, resource.responseKind);
  text(3, resource.scope, writer);
  text(4, resource.singularResource, writer);
  repeatedStrings(5, resource.verbs, writer);
  repeatedStrings(6, resource.shortNames ?? [], writer);
  repeatedStrings(7, resource.categories ?? [], writer);
  for (const { subresource, responseKind, verbs } of resource.subresources ?? []) {
    nested(8, writer, () => {
      text(1, subresource, writer);
      writeKind(writer, responseKind);
      repeatedStrings(4, verbs, writer);
    });
  }
}

function writeKind(writer: BinaryWriter, { group, version, kind }: GroupVersionKind): void {
  nested(2, writer, () => {
    text(1, group, writer);
    text(2, version, writer);
    text(3, kind, writer);
  });
}
