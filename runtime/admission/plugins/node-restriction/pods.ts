import type { PodStatus } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { equalJson, equalPruned } from '../../../machinery/json/equality.ts';
import type { OwnerReference } from '../../../machinery/object.ts';
import { newForbidden } from '../../errors.ts';
import { isMirrorPod, mirrorPodAnnotation, type Pod, podOf } from '../../resources.ts';
import { apiObjectReference } from './api-object-reference.ts';
import type { NodeListers } from './listers.ts';

/** Lets a node create mirror pods, which represent its static pods, and delete its pods. */
export function admitPod(node: string, attributes: Attributes, listers: NodeListers): void {
  const { operation, namespace, name } = attributes;
  if (operation === 'CREATE') admitPodCreate(node, attributes, listers);
  else if (operation !== 'DELETE') {
    const message = `unexpected operation ${quote(operation)}, node ${quote(node)} can only create and delete mirror pods`;
    throw newForbidden(attributes, message);
  } else if (listers.pod(namespace, name).spec?.nodeName !== node) {
    throw newForbidden(attributes, `node ${quote(node)} can only delete pods with spec.nodeName set to itself`);
  }
}

function admitPodCreate(node: string, attributes: Attributes, listers: NodeListers): void {
  const pod = podOf(attributes);
  if (!isMirrorPod(pod)) {
    const message = `pod does not have ${quote(mirrorPodAnnotation)} annotation, node ${quote(node)} can only create mirror pods`;
    throw newForbidden(attributes, message);
  }
  if (pod.spec?.nodeName !== node) {
    throw newForbidden(attributes, `node ${quote(node)} can only create pods with spec.nodeName set to itself`);
  }
  requireNodeAsOwner(node, attributes, listers);
  const reference = apiObjectReference(pod);
  if ('unknown' in reference) {
    throw newForbidden(attributes, `error checking mirror pod for API references: ${reference.unknown}`);
  }
  if (reference.resource === '') return;
  throw newForbidden(attributes, `node ${quote(node)} can not create pods that reference ${reference.resource}`);
}

function requireNodeAsOwner(node: string, attributes: Attributes, listers: NodeListers): void {
  const { ownerReferences = [] } = podOf(attributes).metadata;
  const problem = ownerProblem(node, ownerReferences);
  if (problem !== undefined) throw newForbidden(attributes, `node ${quote(node)} ${problem}`);
  const { uid } = listers.node(node).metadata;
  const [owner] = ownerReferences;
  if (owner?.uid === uid) return;
  throw newForbidden(attributes, `node ${node} UID mismatch: expected ${owner?.uid} got ${uid}`);
}

function ownerProblem(node: string, owners: readonly OwnerReference[]): string | undefined {
  if (owners.length > 1) return 'can only create pods with a single owner reference set to itself';
  const [owner] = owners;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    return 'can only create pods with an owner reference set to itself';
  }
  if (!owner.controller) return 'can only create pods with a controller owner reference set to itself';
  return owner.blockOwnerDeletion ? 'must not set blockOwnerDeletion on an owner reference' : undefined;
}

/** Lets a node update the status of its pods, except for the scheduler's fields. */
export function admitPodStatus(node: string, attributes: Attributes): void {
  const { operation, oldObject } = attributes;
  if (operation !== 'UPDATE') throw newForbidden(attributes, `unexpected operation ${quote(operation)}`);
  const [old, pod] = [oldObject as Pod, podOf(attributes)];
  const refuse = (what: string): never => {
    throw newForbidden(attributes, `node ${quote(node)} ${what}`);
  };
  if (old.spec?.nodeName !== node) refuse('can only update pod status for pods with spec.nodeName set to itself');
  if (!equalJson(old.metadata.labels ?? {}, pod.metadata.labels ?? {})) {
    refuse('cannot update labels through pod status');
  }
  const [before, after] = [old.status as PodStatus | undefined, pod.status as PodStatus | undefined];
  if (!equalJson(claimStatuses(before), claimStatuses(after))) refuse('cannot update resource claim statues');
  if (!equalPruned(before?.extendedResourceClaimStatus, after?.extendedResourceClaimStatus)) {
    refuse('cannot update extended resource claim status');
  }
}

const claimStatuses = (status: PodStatus | undefined): unknown => status?.resourceClaimStatuses ?? [];

export function admitPodEviction(node: string, attributes: Attributes, listers: NodeListers): void {
  const { operation, namespace, name } = attributes;
  if (operation !== 'CREATE') throw newForbidden(attributes, `unexpected operation ${operation}`);
  if (name === '') throw newForbidden(attributes, 'could not determine pod from request data');
  if (listers.pod(namespace, name).spec?.nodeName === node) return;
  throw newForbidden(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
}
