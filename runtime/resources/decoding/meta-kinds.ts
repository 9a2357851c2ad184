import { formatGroupVersion, type GroupVersionKind } from '../../machinery/gvk.ts';

/** Kinds of meta/v1 that schemes have at every version, even at unknown ones. (runtime.Scheme.AddUnversionedTypes) */
const unversioned: ReadonlySet<string> = new Set(['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList']);

/** Kinds of meta/v1 that every group-version has. (apimachinery pkg/apis/meta/v1/register.go AddToGroupVersion) */
const ofEveryVersion: ReadonlySet<string> = new Set([
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'WatchEvent',
]);

/** Further kinds of meta.k8s.io/v1 and v1beta1. */
const tables: ReadonlySet<string> = new Set(['Table', 'TableOptions', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/** Reports whether every group-version has the kind, such as DeleteOptions. */
export const isKindOfEveryVersion = (kind: string): boolean => ofEveryVersion.has(kind);

export const isUnversioned = (kind: string): boolean => unversioned.has(kind);

export const isMetaKind = (kind: string): boolean => unversioned.has(kind) || ofEveryVersion.has(kind);

/**
 * Reports whether the scheme that decodes DeleteOptions has the kind. (apimachinery
 * pkg/apis/meta/internalversion/scheme)
 */
export function hasOptionsScheme(sent: GroupVersionKind): boolean {
  const { kind } = sent;
  if (unversioned.has(kind) || kind === 'CreateOptions' || kind === 'UpdateOptions') return true;
  const isMeta = formatGroupVersion(sent) === 'meta.k8s.io/v1';
  return (isMeta && ofEveryVersion.has(kind)) || ((isMeta || formatGroupVersion(sent) === 'meta.k8s.io/v1beta1') && tables.has(kind));
}
