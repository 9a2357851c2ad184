import type { Attributes, Operation } from '../../machinery/admission.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { loopbackWriter } from '../../resources/loopback-writer.ts';
import type { RESTStorage } from '../../resources/rest.ts';
import { newForbidden } from '../errors.ts';
import type { Plugin, PluginContext, PluginFactory } from '../plugin.ts';

export const newNamespaceAutoProvision: PluginFactory = ({ stores }) => new NamespaceAutoProvision(stores);

const writer = loopbackWriter();

/** Creates the namespace of a new object if it is missing. (plugin/pkg/admission/namespace/autoprovision) */
class NamespaceAutoProvision implements Plugin {
  readonly #stores: PluginContext['stores'];
  #namespaces: RESTStorage | undefined;

  constructor(stores: PluginContext['stores']) {
    this.#stores = stores;
  }

  handles(operation: Operation, { namespaced }: ResourceDefinition): boolean {
    return operation === 'CREATE' && namespaced && this.#stores.serves('', 'v1', 'namespaces');
  }

  async start(): Promise<void> {
    this.#namespaces = await this.#stores.byResource('', 'v1', 'namespaces');
  }

  admit(attributes: Attributes): void | Promise<void> {
    const { dryRun, namespace } = attributes;
    if (dryRun || namespace === '' || this.#namespaces?.collection.latest().get('', namespace)) return;
    return this.#provision(attributes);
  }

  async #provision(attributes: Attributes): Promise<void> {
    const { namespace } = attributes;
    const { definition } = this.#namespaces as RESTStorage;
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace }, spec: {}, status: {} };
    definition.type.setDefaults(object);
    try {
      await this.#namespaces?.create(definition, object, '', writer);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      if (error.status.reason !== 'AlreadyExists') throw newForbidden(attributes, error.message);
    }
  }
}
