import type { KubeObject } from '../../machinery/object.ts';

/** The annotation with the last configuration of `kubectl apply`. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The default manager of `kubectl apply --server-side`. */
export const kubectlManager = 'kubectl';

/** The most bytes of an object's annotations, keys and values together. (TotalAnnotationSizeLimitB) */
const totalAnnotationSizeLimit = 256 * 1024;

/** Returns the annotation; undefined if it is absent or empty. */
export function lastAppliedOf(object: KubeObject): string | undefined {
  return object.metadata?.annotations?.[lastAppliedAnnotation] || undefined;
}

/** Returns the object without the annotation. Removes `annotations` if nothing else is in it. */
export function withoutLastApplied(object: KubeObject): KubeObject {
  const { annotations: { [lastAppliedAnnotation]: _removed, ...others } = {}, ...metadata } = object.metadata;
  const remaining = Object.keys(others).length > 0 ? { annotations: others } : {};
  return { ...object, metadata: { ...metadata, ...remaining } };
}

/** Returns the object with the annotation, or without it if that would exceed the limit. */
export function withLastApplied(object: KubeObject, value: string): KubeObject {
  const annotations: Record<string, string> = { ...object.metadata.annotations, [lastAppliedAnnotation]: value };
  let size = 0;
  for (const [key, text] of Object.entries(annotations)) size += Buffer.byteLength(key) + Buffer.byteLength(text);
  if (size > totalAnnotationSizeLimit) delete annotations[lastAppliedAnnotation];
  return { ...object, metadata: { ...object.metadata, annotations } };
}
