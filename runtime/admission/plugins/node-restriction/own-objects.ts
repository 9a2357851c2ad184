import type { PersistentVolumeClaim } from '../../../../generated/v1.35/core/v1/types.ts';
import type { ResourceSlice } from '../../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import { claimDiff } from '../../../kinds/core/persistent-volume-claim-update.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { equalPruned } from '../../../machinery/json/equality.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { newForbidden } from '../../errors.ts';

const leaseNamespace = 'kube-node-lease';

export function admitLease(node: string, attributes: Attributes): void {
  if (attributes.namespace !== leaseNamespace) {
    throw newForbidden(attributes, `can only access leases in the ${quote(leaseNamespace)} system namespace`);
  }
  if (writtenName(attributes) === node) return;
  throw newForbidden(attributes, 'can only access node lease with the same name as the requesting node');
}

export function admitCSINode(node: string, attributes: Attributes): void {
  if (writtenName(attributes) === node) return;
  throw newForbidden(attributes, 'can only access CSINode with the same name as the requesting node');
}

const writtenName = ({ operation, name, object }: Attributes): string | undefined =>
  operation === 'CREATE' ? object?.metadata.name : name;

/** Checks objects that the node authorizer cannot see: the created one, and each object of a collection's deletion. */
export function admitResourceSlice(node: string, attributes: Attributes): void {
  const { operation, object, oldObject } = attributes;
  if (operation === 'UPDATE') return;
  const slice = (operation === 'CREATE' ? object : oldObject) as Unvalidated<ResourceSlice>;
  if (slice.spec?.nodeName === node) return;
  const verb = operation === 'CREATE' ? 'create' : 'delete';
  throw newForbidden(attributes, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`);
}

/** Lets a node report the size of a volume, and nothing else. */
export function admitPVCStatus(node: string, attributes: Attributes): void {
  const { operation, object, oldObject } = attributes;
  if (operation !== 'UPDATE') throw newForbidden(attributes, `unexpected operation ${quote(operation)}`);
  const [before, after] = [withoutResults(oldObject as KubeObject), withoutResults(object as KubeObject)];
  if (equalPruned(before, after)) return;
  const allowed = 'status.quantity and status.conditions';
  const message = `node ${quote(node)} is not allowed to update fields other than ${allowed}: ${claimDiff(before, after)}`;
  throw newForbidden(attributes, message);
}

/** Returns a claim without the fields that a node may change, and without fields that always differ. */
function withoutResults(object: KubeObject): Unvalidated<PersistentVolumeClaim> {
  const { metadata, spec, status } = object as PersistentVolumeClaim;
  const { resourceVersion: _, managedFields: _fields, ...ownMetadata } = metadata;
  const { capacity: _capacity, conditions: _conditions, allocatedResourceStatuses, allocatedResources, ...ownStatus } = status ?? {};
  return { metadata: ownMetadata, ...(spec && { spec }), status: ownStatus };
}
