import type { KubeObject } from '../machinery/object.ts';
import { PruneContext } from '../machinery/prune.ts';
import { isStatusError } from '../machinery/status.ts';
import { privilegedGroup } from '../machinery/user-info.ts';
import type { Writer } from '../resources/rest.ts';
import type { ResourceStores } from '../resources/stores.ts';

/** Namespaces that every cluster has. (kubernetes pkg/controlplane/controller/systemnamespaces) */
const systemNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const self: Writer = {
  user: { name: 'system:apiserver', uid: '', groups: [privilegedGroup], extra: {} },
  dryRun: false,
  internal: true,
  fieldManager: 'kube-apiserver',
  warn: () => {},
};

/**
 * Makes what a client may count on: the system namespaces, and the service `kubernetes` that leads to this server. What
 * is there already is left as it is; what the catalog does not have is left out.
 */
export async function bootstrap(stores: ResourceStores): Promise<void> {
  if (stores.registry.lookup('', 'v1', 'namespaces')) {
    for (const name of systemNamespaces) await ensure(stores, 'namespaces', { metadata: { name } });
    if (stores.registry.lookup('', 'v1', 'services')) await ensure(stores, 'services', kubernetesService(), 'default');
  }
}

function kubernetesService(): KubeObject {
  return {
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.96.0.1',
      clusterIPs: ['10.96.0.1'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
      sessionAffinity: 'None',
    },
  };
}

async function ensure(stores: ResourceStores, resource: string, facts: KubeObject, namespace = ''): Promise<void> {
  const definition = await stores.registry.definition({ group: '', version: 'v1', resource });
  const store = await stores.of(definition);
  const { name = '' } = facts.metadata;
  if (store.collection.latest().get(namespace, name)) return;
  const given: KubeObject = { apiVersion: 'v1', kind: definition.kind, ...facts };
  const object = definition.type.prune(given, new PruneContext());
  definition.type.setDefaults(object);
  try {
    await store.create(definition, object, namespace, self);
  } catch (error) {
    // another server on the same store was faster
    if (!isStatusError(error) || error.status.reason !== 'AlreadyExists') throw error;
  }
}
