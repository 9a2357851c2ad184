import type { StatefulSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { PersistentVolumeClaim, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { KubeObject, OwnerReference } from '../../machinery/object.ts';
import { newControllerRef } from '../controller-ref-manager.ts';
import { isInOrdinalRange, podReference, setReference } from './stateful-set-utils.ts';

/** Who owns claims, as the retention policy of their set wants it. (pkg/controller/statefulset/stateful_set_utils.go) */

interface TypeReference {
  readonly apiVersion: string;
  readonly kind: string;
}

interface RetentionPolicy {
  /** Whether claims are deleted with the set, and with the pods of which there are too many. */
  readonly deletesWithSet: boolean;
  readonly deletesWithPod: boolean;
}

function retentionPolicy({ spec }: StatefulSet): RetentionPolicy {
  const { whenDeleted, whenScaled } = spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return { deletesWithSet: whenDeleted === 'Delete', deletesWithPod: whenScaled === 'Delete' };
}

/** Whether claims outlive the pods of which there are too many. */
export const retainsClaimsWhenScaled = (set: StatefulSet): boolean => !retentionPolicy(set).deletesWithPod;

/**
 * Whether the owners of a claim are those that the policy wants. Claims that an earlier set or pod owns, or another
 * controller, are left alone.
 */
export function isClaimOwnerUpToDate(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  if (hasStaleOwnerRef(claim, set, setReference) || hasStaleOwnerRef(claim, pod, podReference)) return true;
  if (hasUnexpectedController(claim, set, pod)) return !hasOwnerRef(claim, set) && !hasOwnerRef(claim, pod);
  if (hasNonControllerOwner(claim, set, pod)) return false;
  const wanted = wantedOwners(set, pod);
  return hasOwnerRef(claim, set) === wanted.set && hasOwnerRef(claim, pod) === wanted.pod;
}

/** The owners that a claim should have, in its order. (updateClaimOwnerRefForSetAndPod) */
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

/** Whether something else controls a claim that the policy may delete. */
export function hasUnexpectedController(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  const { deletesWithSet, deletesWithPod } = retentionPolicy(set);
  if (!deletesWithSet && !deletesWithPod) return false;
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    if (refersTo(reference, set, setReference)) return reference.uid !== set.metadata.uid;
    if (refersTo(reference, pod, podReference)) return reference.uid !== pod.metadata.uid;
    return reference.controller === true;
  });
}

/** Whether the set or the pod own the claim without controlling it. */
function hasNonControllerOwner({ metadata }: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  const uids = [set.metadata.uid, pod.metadata.uid];
  return (metadata.ownerReferences ?? []).some(({ uid, controller }) => uids.includes(uid) && !controller);
}

const hasOwnerRef = ({ metadata }: PersistentVolumeClaim, owner: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;

/** Whether a claim is owned by an earlier object of the same name; one that has not been created has only earlier ones. */
export function hasStaleOwnerRef({ metadata }: PersistentVolumeClaim, owner: KubeObject, type: TypeReference): boolean {
  const found = metadata.ownerReferences?.find((reference) => refersTo(reference, owner, type));
  return found !== undefined && found.uid !== owner.metadata.uid;
}

const refersTo = (reference: OwnerReference, { metadata }: KubeObject, { apiVersion, kind }: TypeReference): boolean =>
  reference.apiVersion === apiVersion && reference.kind === kind && reference.name === metadata.name;
