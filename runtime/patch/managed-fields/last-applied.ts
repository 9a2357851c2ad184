import type { KubeObject } from '../../machinery/object.ts';

/** What `kubectl apply` keeps its last configuration in. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The manager of which the annotation is taken over and kept up: `kubectl apply --server-side` without a name. */
export const kubectlManager = 'kubectl';

/** All annotations of an object together, keys and values. (TotalAnnotationSizeLimitB) */
const annotationsLimit = 256 * 1024;

/** The text; undefined where there is none, or an empty one. */
export function lastAppliedOf(object: KubeObject): string | undefined {
  return object.metadata?.annotations?.[lastAppliedAnnotation] || undefined;
}

/** The object with the annotation set, or without it where it would not fit. */
export function withLastApplied(object: KubeObject, value: string): KubeObject {
  const annotations: Record<string, string> = { ...object.metadata.annotations, [lastAppliedAnnotation]: value };
  let size = 0;
  for (const key of Object.keys(annotations)) size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key]);
  if (size > annotationsLimit) delete annotations[lastAppliedAnnotation];
  return { ...object, metadata: { ...object.metadata, annotations } };
}
