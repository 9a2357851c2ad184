import { forbidden } from '../machinery/errors/status.ts';
import { notFoundOrCorrupt } from './corrupt-objects.ts';
import type { WriteContext } from './rest.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

/**
 * Refuses to create an object in a namespace that does not exist or is terminating. A server without the namespaces
 * resource accepts any namespace. (apiserver pkg/admission/plugin/namespace/lifecycle)
 *
 * @param name name or generateName of the object, for the message
 * @throws StatusError 404, 403, 500 if the namespace cannot be read
 */
export async function requireNamespace({ definition, namespace, stores }: WriteContext, name: string): Promise<void> {
  if (!definition.namespaced) return;
  const { group, version, resource } = namespaces;
  if (!stores.serves(group, version, resource)) return;
  const { collection, definition: kind } = await stores.named(group, version, resource);
  const stored = collection.latest().get('', namespace);
  if (stored === undefined) throw notFoundOrCorrupt(collection, kind, { namespace: '', name: namespace });
  if (stored.fields['status.phase'] !== 'Terminating') return;
  const message = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw forbidden(definition, name, message, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}
