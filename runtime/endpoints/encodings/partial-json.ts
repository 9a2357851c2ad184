import type { MetaVersion } from '../../codec/partial-metadata.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { metadataSpan } from './stored-text.ts';

/** What comes before the metadata of a PartialObjectMetadata in JSON; a brace comes behind it. */
export function partialHead(version: MetaVersion): Uint8Array {
  return Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":`);
}

const heads = { v1: partialHead('v1'), v1beta1: partialHead('v1beta1') };
const tail = Buffer.from('}');

/**
 * An object's metadata alone, cut from its bytes, which is cheaper than keeping it. Undefined where the bytes are not
 * laid out as they are stored.
 */
export function partialJson({ json }: StoredObject, version: MetaVersion): Uint8Array | undefined {
  const span = metadataSpan(json);
  return span && Buffer.concat([heads[version], json.subarray(span.start, span.end), tail]);
}
