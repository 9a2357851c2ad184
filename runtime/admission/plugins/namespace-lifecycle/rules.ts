import type { Attributes, Operation } from '../../../machinery/admission.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { newForbidden } from '../../errors.ts';

/** Whether such a write must not be in a namespace that does not exist. */
export function concernsNamespace(operation: Operation, { namespaced, group, resource }: ResourceDefinition): boolean {
  if (!namespaced || !['CREATE', 'UPDATE'].includes(operation)) return false;
  // what a review says about a namespace would tell whether it exists
  return group !== 'authorization.k8s.io' || resource !== 'localsubjectaccessreviews';
}

/** @throws StatusError for an object that is created in a namespace that is terminating */
export function refuseTerminating(attributes: Attributes): void {
  const { operation, namespace } = attributes;
  if (operation !== 'CREATE') return;
  const message = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw newForbidden(attributes, message, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}
