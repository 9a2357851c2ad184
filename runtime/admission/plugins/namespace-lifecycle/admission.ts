import type { Attributes, Operation } from '../../../machinery/admission.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { notFoundOrCorrupt } from '../../../resources/corrupt-objects.ts';
import type { StandardStorage } from '../../../resources/rest.ts';
import type { Plugin, PluginContext, PluginFactory } from '../../plugin.ts';
import { ExternalNamespaceLifecycle } from './external.ts';
import { concernsNamespace, deletesNamespace, refuseImmortal, refuseTerminating } from './rules.ts';

export const newNamespaceLifecycle: PluginFactory = ({ stores, listers, clock }) =>
  listers.external === undefined || stores.serves('', 'v1', 'namespaces')
    ? new NamespaceLifecycle(stores)
    : new ExternalNamespaceLifecycle(listers, listers.external, clock);

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

  handles(operation: Operation, definition: ResourceDefinition): boolean {
    const concerns = concernsNamespace(operation, definition) || deletesNamespace(operation, definition);
    return concerns && this.#stores.serves('', 'v1', 'namespaces');
  }

  async start(): Promise<void> {
    this.#namespaces = await this.#stores.named('', 'v1', 'namespaces');
  }

  admit(attributes: Attributes): void {
    if (attributes.operation === 'DELETE') refuseImmortal(attributes);
    else this.#requireNamespace(attributes);
  }

  recheck(attributes: Attributes): void {
    this.#requireNamespace(attributes);
  }

  #requireNamespace(attributes: Attributes): void {
    const { namespace } = attributes;
    const { collection, definition } = this.#namespaces as StandardStorage;
    const stored = collection.latest().get('', namespace);
    if (stored === undefined) throw notFoundOrCorrupt(collection, definition, { namespace: '', name: namespace });
    if (stored.fields['status.phase'] === 'Terminating') refuseTerminating(attributes);
  }
}
