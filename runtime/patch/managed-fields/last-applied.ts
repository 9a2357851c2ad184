import type { KubeObject } from '../../machinery/object.ts';

/** `kubectl apply` stores its last configuration in this annotation. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The manager of `kubectl apply --server-side` by default. */
export const kubectlManager = 'kubectl';

/** The limit for all keys and values of an object's annotations, in bytes. (TotalAnnotationSizeLimitB) */
const totalAnnotationSizeLimit = 256 * 1024;

/** Returns undefined if there is no annotation or an empty one. */
export function lastAppliedOf(object: KubeObject): string | undefined {
  return object.metadata?.annotations?.[lastAppliedAnnotation] || undefined;
}

/** Returns the object without the annotation, and without annotations if it was the only one. */
export function withoutLastApplied(object: KubeObject): KubeObject {
  const { annotations: { [lastAppliedAnnotation]: _removed, ...others } = {}, ...metadata } = object.metadata;
  const remaining = Object.keys(others).length > 0 ? { annotations: others } : {};
  return { ...object, metadata: { ...metadata, ...remaining } };
}

/** Returns the object with the annotation, or without it if it would exceed the limit. */
export function withLastApplied(object: KubeObject, value: string): KubeObject {
  const annotations: Record<string, string> = { ...object.metadata.annotations, [lastAppliedAnnotation]: value };
  let size = 0;
  for (const [key, text] of Object.entries(annotations)) size += Buffer.byteLength(key) + Buffer.byteLength(text);
  if (size > totalAnnotationSizeLimit) delete annotations[lastAppliedAnnotation];
  return { ...object, metadata: { ...object.metadata, annotations } };
}
