import { forbidden, notFound } from '../machinery/status.ts';
import type { WriteContext } from './hooks.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

/**
 * A namespaced object can be made only in a namespace that exists and is not on its way out. A server that has no
 * namespaces resource takes any name for one.
 * (apiserver pkg/admission/plugin/namespace/lifecycle)
 *
 * @param name of the object, or what its name is to begin with: for the refusal
 * @throws StatusError 404, 403
 */
export async function requireNamespace({ definition, namespace, stores }: WriteContext, name: string): Promise<void> {
  if (!definition.namespaced) return;
  const { group, version, resource } = namespaces;
  if (stores.registry.lookup(group, version, resource) === undefined) return;
  const store = await stores.named(group, version, resource);
  const found = store.collection.latest().get('', namespace);
  if (found === undefined) throw notFound(namespaces, namespace);
  if (found.fields['status.phase'] !== 'Terminating') return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw forbidden(definition, name, why, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}
