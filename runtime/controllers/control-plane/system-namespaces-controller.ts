import type { Namespace } from '../../../generated/v1.35/core/v1/types.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import { loopbackWriter } from '../../resources/loopback-writer.ts';
import type { Controller } from '../controller.ts';
import { PeriodicSync } from '../periodic-sync.ts';
import type { ControlPlaneContext } from './context.ts';

const systemNamespaces = ['kube-system', 'kube-public', 'default', 'kube-node-lease'];
const interval = 60_000;

/** Creates the namespaces that every cluster has. (pkg/controlplane/controller/systemnamespaces) */
export class SystemNamespacesController implements Controller {
  readonly #context: ControlPlaneContext;
  readonly #periodic: PeriodicSync;

  constructor(context: ControlPlaneContext) {
    this.#context = context;
    this.#periodic = new PeriodicSync({
      ...{ clock: context.stores.clock, interval },
      sync: () => this.#sync(),
      report: (err) => context.logger.error({ err }, 'unable to create required kubernetes system namespaces'),
    });
  }

  async start(): Promise<void> {
    if (this.#context.stores.serves('', 'v1', 'namespaces')) await this.#periodic.start();
  }

  close(): Promise<void> {
    return this.#periodic.close();
  }

  async #sync(): Promise<void> {
    const resource = { group: '', version: 'v1', resource: 'namespaces' };
    const writer = loopbackWriter('kube-apiserver');
    const namespaces = await LoopbackClient.open<Namespace>(this.#context.stores, resource, writer);
    await Promise.all(systemNamespaces.map((name) => namespaces.createIfAbsent({ metadata: { name } })));
  }
}
