import type { Service } from '../../generated/v1.35/core/v1/types.ts';
import { isStatusError } from '../machinery/errors/status.ts';
import type { KubeObject } from '../machinery/object.ts';
import { PruneContext } from '../machinery/prune/context.ts';
import type { ResourceStores } from '../resources/stores.ts';
import { loopbackWriter } from './loopback-writer.ts';

/** Namespaces that every cluster has. (pkg/controlplane/controller/systemnamespaces) */
const systemNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * Creates the system namespaces and the service `kubernetes` if they do not exist, as far as the server serves these
 * resources.
 */
export async function bootstrap(stores: ResourceStores): Promise<void> {
  if (stores.registry.lookup('', 'v1', 'namespaces')) {
    for (const name of systemNamespaces) await ensure(stores, 'namespaces', { metadata: { name } });
    if (stores.registry.lookup('', 'v1', 'services')) await ensure(stores, 'services', kubernetesService(), 'default');
  }
}

function kubernetesService(): Service {
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

async function ensure(stores: ResourceStores, resource: string, template: KubeObject, namespace = ''): Promise<void> {
  const definition = await stores.registry.definition({ group: '', version: 'v1', resource });
  const store = await stores.of(definition);
  const { name = '' } = template.metadata;
  if (store.collection.latest().get(namespace, name)) return;
  const input: KubeObject = { apiVersion: 'v1', kind: definition.kind, ...template };
  const object = definition.type.prune(input, new PruneContext());
  definition.type.setDefaults(object);
  try {
    await store.create(definition, object, namespace, loopbackWriter('kube-apiserver'));
  } catch (error) {
    // another server on the same store created it
    if (!isStatusError(error) || error.status.reason !== 'AlreadyExists') throw error;
  }
}
