import type { Attributes, Operation } from '../../../machinery/admission.ts';
import { forbidden } from '../../../machinery/errors/status.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { newForbidden } from '../../errors.ts';
import { isCore } from '../../resources.ts';

/** Reports whether such a write needs an existing namespace. */
export function concernsNamespace(operation: Operation, { namespaced, group, resource }: ResourceDefinition): boolean {
  if (!namespaced || !['CREATE', 'UPDATE'].includes(operation)) return false;
  // a refused review would reveal whether a namespace exists
  return group !== 'authorization.k8s.io' || resource !== 'localsubjectaccessreviews';
}

/** Reports whether a write deletes a namespace. */
export const deletesNamespace = (operation: Operation, definition: ResourceDefinition): boolean =>
  operation === 'DELETE' && isCore(definition, 'namespaces');

const immortalNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** @throws StatusError for a deletion of a namespace that every cluster needs */
export function refuseImmortal({ definition, name }: Attributes): void {
  if (immortalNamespaces.has(name)) throw forbidden(definition, name, 'this namespace may not be deleted');
}

/** @throws StatusError for a creation in a terminating namespace */
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
