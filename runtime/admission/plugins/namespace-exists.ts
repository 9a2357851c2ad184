import { notFoundOrCorrupt } from '../../resources/corrupt-objects.ts';
import type { RESTStorage } from '../../resources/rest.ts';
import type { PluginFactory } from '../plugin.ts';

/** Refuses every write in a missing namespace, including deletions. (plugin/pkg/admission/namespace/exists) */
export const newNamespaceExists: PluginFactory = ({ stores }) => {
  let namespaces: RESTStorage;
  return {
    handles: (operation, { namespaced }) => operation !== 'CONNECT' && namespaced && stores.serves('', 'v1', 'namespaces'),
    async start() {
      namespaces = await stores.byResource('', 'v1', 'namespaces');
    },
    validate({ namespace }) {
      const { collection, definition } = namespaces;
      if (namespace === '' || collection.latest().get('', namespace) !== undefined) return;
      throw notFoundOrCorrupt(collection, definition, { namespace: '', name: namespace });
    },
  };
};
