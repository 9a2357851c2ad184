import type { Attributes, Operation } from '../../../machinery/admission.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { notFoundOrCorrupt } from '../../../resources/corrupt-objects.ts';
import type { StandardStorage } from '../../../resources/rest.ts';
import { newForbidden } from '../../errors.ts';
import type { Plugin, PluginContext, PluginFactory } from '../../plugin.ts';

export const newNamespaceLifecycle: PluginFactory = ({ stores }) => new NamespaceLifecycle(stores);

/**
 * Refuses to write objects in a namespace that does not exist, and to create them in one that is terminating. A server
 * without the namespaces resource accepts any namespace. (apiserver pkg/admission/plugin/namespace/lifecycle)
 */
class NamespaceLifecycle implements Plugin {
  readonly #stores: PluginContext['stores'];
  #namespaces: StandardStorage | undefined;

  constructor(stores: PluginContext['stores']) {
    this.#stores = stores;
  }

  handles(operation: Operation, { namespaced, group, resource }: ResourceDefinition): boolean {
    if (!namespaced || !['CREATE', 'UPDATE'].includes(operation)) return false;
    // what a review says about a namespace would tell whether it exists
    if (group === 'authorization.k8s.io' && resource === 'localsubjectaccessreviews') return false;
    return this.#stores.serves('', 'v1', 'namespaces');
  }

  async start(): Promise<void> {
    this.#namespaces = await this.#stores.named('', 'v1', 'namespaces');
  }

  admit(attributes: Attributes): void {
    this.#requireNamespace(attributes);
  }

  recheck(attributes: Attributes): void {
    this.#requireNamespace(attributes);
  }

  #requireNamespace(attributes: Attributes): void {
    const { operation, namespace } = attributes;
    const { collection, definition } = this.#namespaces as StandardStorage;
    const stored = collection.latest().get('', namespace);
    if (stored === undefined) throw notFoundOrCorrupt(collection, definition, { namespace: '', name: namespace });
    if (operation !== 'CREATE' || stored.fields['status.phase'] !== 'Terminating') return;
    const message = `unable to create new content in namespace ${namespace} because it is being terminated`;
    throw newForbidden(attributes, message, [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ]);
  }
}
