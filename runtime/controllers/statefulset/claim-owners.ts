import type { StatefulSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { PersistentVolumeClaim, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { KubeObject, OwnerReference } from '../../machinery/object.ts';
import { newControllerRef } from '../controller-ref-manager.ts';
import { isInOrdinalRange, podReference, setReference } from './stateful-set-utils.ts';

/**
 * The owners of claims according to the retention policy of their set.
 * (pkg/controller/statefulset/stateful_set_utils.go)
 */

interface TypeReference {
  readonly apiVersion: string;
  readonly kind: string;
}

interface RetentionPolicy {
  /** Whether claims are deleted with the set, and whether with surplus pods. */
  readonly deletesWithSet: boolean;
  readonly deletesWithPod: boolean;
}

function retentionPolicy({ spec }: StatefulSet): RetentionPolicy {
  const { whenDeleted, whenScaled } = spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return { deletesWithSet: whenDeleted === 'Delete', deletesWithPod: whenScaled === 'Delete' };
}

/** Reports whether claims outlive surplus pods. */
export const retainsClaimsWhenScaled = (set: StatefulSet): boolean => !retentionPolicy(set).deletesWithPod;

/**
 * Reports whether a claim has the owners that the policy demands. Claims of an earlier set or pod, or of another
 * controller, are left alone.
 */
export function isClaimOwnerUpToDate(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  if (hasStaleOwnerRef(claim, set, setReference) || hasStaleOwnerRef(claim, pod, podReference)) return true;
  if (hasUnexpectedController(claim, set, pod)) return !hasOwnerRef(claim, set) && !hasOwnerRef(claim, pod);
  if (hasNonControllerOwner(claim, set, pod)) return false;
  const wanted = wantedOwners(set, pod);
  return hasOwnerRef(claim, set) === wanted.set && hasOwnerRef(claim, pod) === wanted.pod;
}

/** Returns the owners that the claim should have, in the claim's order. (updateClaimOwnerRefForSetAndPod) */
export function updatedClaimOwners(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): OwnerReference[] {
  const references = claim.metadata.ownerReferences ?? [];
  const others = references.filter((ref) => !refersTo(ref, set, setReference) && !refersTo(ref, pod, podReference));
  if (hasUnexpectedController(claim, set, pod)) return others;
  const wanted = wantedOwners(set, pod);
  return [
    ...others,
    ...(wanted.set ? [newControllerRef(set, setReference)] : []),
    ...(wanted.pod ? [newControllerRef(pod, podReference)] : []),
  ];
}

function wantedOwners(set: StatefulSet, pod: Pod): { readonly set: boolean; readonly pod: boolean } {
  const { deletesWithSet, deletesWithPod } = retentionPolicy(set);
  const ownedByPod = deletesWithPod && !isInOrdinalRange(pod, set);
  return { set: deletesWithSet && !ownedByPod, pod: ownedByPod };
}

/** Reports whether another object controls a claim that the policy may delete. */
export function hasUnexpectedController(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  const { deletesWithSet, deletesWithPod } = retentionPolicy(set);
  if (!deletesWithSet && !deletesWithPod) return false;
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    if (refersTo(reference, set, setReference)) return reference.uid !== set.metadata.uid;
    if (refersTo(reference, pod, podReference)) return reference.uid !== pod.metadata.uid;
    return reference.controller === true;
  });
}

/** Reports whether the set or the pod owns the claim without controlling it. */
function hasNonControllerOwner({ metadata }: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  const uids = [set.metadata.uid, pod.metadata.uid];
  return (metadata.ownerReferences ?? []).some(({ uid, controller }) => uids.includes(uid) && !controller);
}

const hasOwnerRef = ({ metadata }: PersistentVolumeClaim, owner: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;

/**
 * Reports whether an earlier object of the same name owns a claim. Every owner of a pod that does not exist yet is an
 * earlier one.
 */
export function hasStaleOwnerRef({ metadata }: PersistentVolumeClaim, owner: KubeObject, type: TypeReference): boolean {
  const found = metadata.ownerReferences?.find((reference) => refersTo(reference, owner, type));
  return found !== undefined && found.uid !== owner.metadata.uid;
}

const refersTo = (reference: OwnerReference, { metadata }: KubeObject, { apiVersion, kind }: TypeReference): boolean =>
  reference.apiVersion === apiVersion && reference.kind === kind && reference.name === metadata.name;
