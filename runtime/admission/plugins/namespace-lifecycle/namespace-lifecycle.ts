import type { Attributes, Operation } from '../../../machinery/admission.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { notFoundOrCorrupt } from '../../../resources/corrupt-objects.ts';
import { liveLookup } from '../../../resources/live-lookup.ts';
import type { RESTStorage } from '../../../resources/rest.ts';
import type { StoredObject } from '../../../storage/object-store/contract.ts';
import type { Plugin, PluginContext, PluginFactory } from '../../plugin.ts';
import { ExternalNamespaceLifecycle } from './external.ts';
import { concernsNamespace, deletesNamespace, refuseImmortal, refuseTerminating } from './rules.ts';

export const newNamespaceLifecycle: PluginFactory = ({ stores, listers, clock }) =>
  listers.external === undefined || stores.serves('', 'v1', 'namespaces')
    ? new NamespaceLifecycle(stores)
    : new ExternalNamespaceLifecycle(listers, listers.external, clock);

/**
 * Refuses creations and updates in a missing namespace, and creations in a terminating one. A server without the
 * namespaces resource accepts any namespace. Validation refuses an object without a namespace. (apiserver
 * pkg/admission/plugin/namespace/lifecycle)
 */
class NamespaceLifecycle implements Plugin {
  readonly #stores: PluginContext['stores'];
  #namespaces: RESTStorage | undefined;

  constructor(stores: PluginContext['stores']) {
    this.#stores = stores;
  }

  handles(operation: Operation, definition: ResourceDefinition): boolean {
    const concerns = concernsNamespace(operation, definition) || deletesNamespace(operation, definition);
    return concerns && this.#stores.serves('', 'v1', 'namespaces');
  }

  async start(): Promise<void> {
    this.#namespaces = await this.#stores.byResource('', 'v1', 'namespaces');
  }

  admit(attributes: Attributes): void | Promise<void> {
    if (attributes.operation === 'DELETE') return refuseImmortal(attributes);
    if (attributes.namespace === '') return;
    const { collection } = this.#namespaces as RESTStorage;
    const found = liveLookup(collection, '', attributes.namespace);
    if (found instanceof Promise) return found.then((stored) => this.#require(attributes, stored));
    this.#require(attributes, found);
  }

  recheck(attributes: Attributes): void {
    if (attributes.namespace === '') return;
    const { collection } = this.#namespaces as RESTStorage;
    this.#require(attributes, collection.latest().get('', attributes.namespace));
  }

  #require(attributes: Attributes, stored: StoredObject | undefined): void {
    const { namespace } = attributes;
    const { collection, definition } = this.#namespaces as RESTStorage;
    if (stored === undefined) throw notFoundOrCorrupt(collection, definition, { namespace: '', name: namespace });
    if (stored.fields['status.phase'] === 'Terminating') refuseTerminating(attributes);
  }
}
