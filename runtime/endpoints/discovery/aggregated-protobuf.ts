import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { encodeListMeta } from '../../codec/protobuf.ts';
import type { GroupVersionKind } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { TypeDefinition } from '../../machinery/resource.ts';
import { encodeMessage } from '../encodings/protobuf.ts';

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
    readonly resources: readonly Resource[];
    freshness: string;
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
    nested(writer, 2, () => {
      writer.raw(encodeMessage(metadataType, { metadata }));
      for (const { version, resources, freshness } of versions) {
        nested(writer, 2, () => {
          strings(writer, 1, [version]);
          for (const resource of resources) nested(writer, 2, () => writeResource(writer, resource));
          strings(writer, 3, [freshness]);
        });
      }
    });
  }
  return writer.finish();
}

function writeResource(writer: BinaryWriter, resource: Resource): void {
  strings(writer, 1, [resource.resource]);
  writeKind(writer, resource.responseKind);
  strings(writer, 3, [resource.scope]);
  strings(writer, 4, [resource.singularResource]);
  strings(writer, 5, resource.verbs);
  strings(writer, 6, resource.shortNames);
  strings(writer, 7, resource.categories);
  for (const { subresource, responseKind, verbs } of resource.subresources ?? []) {
    nested(writer, 8, () => {
      strings(writer, 1, [subresource]);
      writeKind(writer, responseKind);
      strings(writer, 4, verbs);
    });
  }
}

function writeKind(writer: BinaryWriter, { group, version, kind }: GroupVersionKind): void {
  nested(writer, 2, () => {
    strings(writer, 1, [group]);
    strings(writer, 2, [version]);
    strings(writer, 3, [kind]);
  });
}

function strings(writer: BinaryWriter, number: number, values: readonly string[] = []): void {
  for (const value of values) writer.uint32(delimited(number)).string(value);
}

function nested(writer: BinaryWriter, number: number, write: () => void): void {
  writer.uint32(delimited(number)).fork();
  write();
  writer.join();
}

/** The tag of a field with a length. */
const delimited = (number: number): number => (number << 3) | 2;
