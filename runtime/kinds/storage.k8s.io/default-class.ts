import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';

/** The annotations that make a StorageClass the default. (pkg/apis/storage/util/helpers.go) */
export const defaultClassAnnotations: readonly string[] = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** (IsDefaultAnnotation) @param names of annotations, one of which is enough */
export const isDefaultClass = (
  metadata: Unvalidated<ObjectMeta> | undefined,
  names: readonly string[] = defaultClassAnnotations,
): boolean => names.some((name) => metadata?.annotations?.[name] === 'true');

/** Returns the newest default class; of several, the first by name. (pkg/volume/util GetDefaultClass) */
export function findDefaultClass<T extends KubeObject>(
  classes: Iterable<T>,
  names: readonly string[] = defaultClassAnnotations,
): T | undefined {
  let found: T | undefined;
  for (const one of classes) {
    if (isDefaultClass(one.metadata, names) && (found === undefined || comesBefore(one, found))) found = one;
  }
  return found;
}

function comesBefore({ metadata: one }: KubeObject, { metadata: other }: KubeObject): boolean {
  const [created, otherCreated] = [one.creationTimestamp ?? '', other.creationTimestamp ?? ''];
  return created === otherCreated ? (one.name ?? '') < (other.name ?? '') : created > otherCreated;
}
