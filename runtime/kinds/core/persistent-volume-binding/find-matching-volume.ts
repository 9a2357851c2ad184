import type { Node, PersistentVolume, PersistentVolumeClaim } from '../../../../generated/v1.35/core/v1/types.ts';
import { compareQuantities, parseQuantity, type Quantity } from '../../../machinery/scalars/quantity.ts';
import { labelSelectorFromObject } from '../../../machinery/selectors/label-selector.ts';
import { nodeSelectorMatcher } from '../scheduling/node-affinity.ts';
import { storageClassAnnotation } from '../storage-class-annotation.ts';

/** The match between claims and volumes. (component-helpers/storage/volume) */

export const annBindCompleted = 'pv.kubernetes.io/bind-completed';
export const annBoundByController = 'pv.kubernetes.io/bound-by-controller';
export const annSelectedNode = 'volume.kubernetes.io/selected-node';

/** (GetPersistentVolumeClaimClass, GetPersistentVolumeClass) */
export const storageClassOf = ({ metadata, spec }: PersistentVolume | PersistentVolumeClaim): string =>
  metadata.annotations?.[storageClassAnnotation] ?? spec?.storageClassName ?? '';

/** Reports whether the volume names the claim, whether a user or the controller wrote the name. */
export function isVolumeBoundToClaim({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const ref = spec?.claimRef;
  if (!ref || ref.name !== metadata.name || ref.namespace !== metadata.namespace) return false;
  return !ref.uid || ref.uid === metadata.uid;
}

/** Reports whether the claim has a volume, and the binder has completed the binding. (isPVCFullyBound) */
export const isFullyBound = ({ metadata, spec }: PersistentVolumeClaim): boolean =>
  Boolean(spec?.volumeName) && metadata.annotations?.[annBindCompleted] !== undefined;

/** Reports whether a node can use the volume. (CheckNodeAffinity) */
export function isUsableOn({ spec }: PersistentVolume, node: Node): boolean {
  const required = spec?.nodeAffinity?.required;
  return !required || nodeSelectorMatcher(required)(node);
}

/**
 * Returns the volume that is reserved for the claim, otherwise the smallest matching one. (FindMatchingVolume)
 *
 * @param node the node that will use the claim; undefined for any
 * @param waits true to find only a reserved volume, because the claim's node is not known yet
 * @throws SelectorError if the claim's selector is invalid
 */
export function findMatchingVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  node: Node | undefined,
  waits = false,
): PersistentVolume | undefined {
  const { spec } = claim;
  const requested = storageIn(spec?.resources?.requests);
  const selector = spec?.selector ? labelSelectorFromObject(spec.selector) : undefined;
  const wantedClass = storageClassOf(claim);
  let smallest: { readonly volume: PersistentVolume; readonly size: Quantity } | undefined;
  for (const volume of volumes) {
    const isMeant = isVolumeBoundToClaim(volume, claim);
    if (volume.spec?.claimRef && !isMeant) continue;
    const size = storageIn(volume.spec?.capacity);
    if (compareQuantities(size, requested) < 0 || !sameKind(volume, claim)) continue;
    const isUsable = node === undefined || isUsableOn(volume, node);
    if (isMeant) return isUsable ? volume : undefined;
    if (waits || !isUsable || volume.status?.phase !== 'Available') continue;
    if (selector && !selector.matches(volume.metadata.labels)) continue;
    if (storageClassOf(volume) !== wantedClass) continue;
    if (node !== undefined && !hasAccessModes(volume, claim)) continue;
    if (smallest === undefined || compareQuantities(smallest.size, size) > 0) smallest = { volume, size };
  }
  return smallest?.volume;
}

/** Reports whether volume modes and attributes classes agree, and the volume is not being deleted. */
function sameKind({ metadata, spec: volume }: PersistentVolume, { spec: claim }: PersistentVolumeClaim): boolean {
  return (
    !metadata.deletionTimestamp &&
    (claim?.volumeMode ?? 'Filesystem') === (volume?.volumeMode ?? 'Filesystem') &&
    (claim?.volumeAttributesClassName ?? '') === (volume?.volumeAttributesClassName ?? '')
  );
}

/** (CheckAccessModes) */
export const hasAccessModes = ({ spec: volume }: PersistentVolume, { spec: claim }: PersistentVolumeClaim): boolean =>
  (claim?.accessModes ?? []).every((mode) => volume?.accessModes?.includes(mode));

export const storageIn = (list: Readonly<Record<string, string>> | undefined): Quantity => parseQuantity(list?.storage ?? '0');
