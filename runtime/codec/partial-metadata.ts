import type { ObjectMeta } from '../machinery/object.ts';

/** The versions of meta.k8s.io with Table and PartialObjectMetadata. They are identical. */
export type MetaVersion = 'v1' | 'v1beta1';

/** Returns the version of a requested conversion; undefined if it is not supported. */
export function metaVersionOf(target: { readonly group: string; readonly version: string }): MetaVersion | undefined {
  if (target.group !== 'meta.k8s.io') return undefined;
  return target.version === 'v1' || target.version === 'v1beta1' ? target.version : undefined;
}

export interface PartialObjectMetadata {
  readonly kind: 'PartialObjectMetadata';
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

/**
 * Returns an object with only its metadata. (apiserver pkg/endpoints/handlers/response.go asPartialObjectMetadata)
 *
 * @param hidden annotations that it lacks
 */
export function partialObjectMetadata(
  { metadata }: { readonly metadata: ObjectMeta },
  version: MetaVersion = 'v1',
  hidden: readonly string[] = [],
): PartialObjectMetadata {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: withoutAnnotations(metadata, hidden) };
}

function withoutAnnotations(metadata: ObjectMeta, hidden: readonly string[]): ObjectMeta {
  const { annotations = {}, ...others } = metadata;
  if (!hidden.some((name) => Object.hasOwn(annotations, name))) return metadata;
  const left = Object.entries(annotations).filter(([name]) => !hidden.includes(name));
  return left.length === 0 ? others : { ...metadata, annotations: Object.fromEntries(left) };
}
