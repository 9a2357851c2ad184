import type { Attributes, Operation } from '../../../machinery/admission.ts';
import { forbidden } from '../../../machinery/errors/status.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { newForbidden } from '../../errors.ts';
import { isCore } from '../../resources.ts';

/** Whether such a write must not be in a namespace that does not exist. */
export function concernsNamespace(operation: Operation, { namespaced, group, resource }: ResourceDefinition): boolean {
  if (!namespaced || !['CREATE', 'UPDATE'].includes(operation)) return false;
  // what a review says about a namespace would tell whether it exists
  return group !== 'authorization.k8s.io' || resource !== 'localsubjectaccessreviews';
}

/** Whether a write deletes a namespace. */
export const deletesNamespace = (operation: Operation, definition: ResourceDefinition): boolean =>
  operation === 'DELETE' && isCore(definition, 'namespaces');

const immortalNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** @throws StatusError for the namespaces that no cluster can be without */
export function refuseImmortal({ definition, name }: Attributes): void {
  if (immortalNamespaces.has(name)) throw forbidden(definition, name, 'this namespace may not be deleted');
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
