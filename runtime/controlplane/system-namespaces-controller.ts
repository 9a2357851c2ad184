import type { Namespace } from '../../generated/v1.35/core/v1/types.ts';
import type { Controller } from '../reconcile/controller.ts';
import { PeriodicController } from '../reconcile/periodic-controller.ts';
import { LoopbackClient } from '../resources/loopback-client.ts';
import { loopbackWriter } from '../resources/loopback-writer.ts';
import type { ControlPlaneContext } from './context.ts';

const systemNamespaces = ['kube-system', 'kube-public', 'default', 'kube-node-lease'];
const interval = 60_000;

/** Creates the namespaces of every cluster. (pkg/controlplane/controller/systemnamespaces) */
export const systemNamespacesController = (context: ControlPlaneContext): Controller =>
  new PeriodicController({
    context,
    interval,
    failure: 'unable to create required kubernetes system namespaces',
    open: async () => (context.stores.serves('', 'v1', 'namespaces') ? () => createNamespaces(context) : undefined),
  });

async function createNamespaces({ stores }: ControlPlaneContext): Promise<void> {
  const resource = { group: '', version: 'v1', resource: 'namespaces' };
  const namespaces = await LoopbackClient.open<Namespace>(stores, resource, loopbackWriter('kube-apiserver'));
  await Promise.all(systemNamespaces.map((name) => namespaces.createIfAbsent({ metadata: { name } })));
}
