import type { Service } from '../../../generated/v1.35/core/v1/types.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { PeriodicSync } from '../../reconcile/periodic-sync.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import { loopbackWriter } from '../../resources/loopback-writer.ts';
import type { ControlPlaneContext } from '../context.ts';
import {
  type EndpointReconciler,
  newLeaseEndpointReconciler,
  newMasterCountEndpointReconciler,
  noneEndpointReconciler,
} from './endpoint-reconciler.ts';
import { EndpointsAdapter } from './endpoints-adapter.ts';
import { apiServerIPInfo, loneMasterLease, StoredMasterLeases } from './master-leases.ts';

const serviceName = 'kubernetes';
const servicePort = 443;
const interval = 10_000;

export type EndpointReconcilerType = 'lease' | 'master-count' | 'none';

export interface KubernetesServiceConfig {
  /** The server's address for clients. Without it, the service has no endpoints. */
  readonly publicIP: string | undefined;
  readonly publicServicePort: number;
  /** The cluster IP of the service. */
  readonly serviceIP: string;
  /** The node port; 0 for none. */
  readonly serviceNodePort: number;
  readonly reconcilerType: EndpointReconcilerType;
  /** The maximum number of endpoints, for `master-count`. */
  readonly masterCount: number;
}

/** Keeps the service `kubernetes` and its endpoints. (pkg/controlplane/controller/kubernetesservice) */
export class KubernetesServiceController implements Controller {
  readonly #context: ControlPlaneContext;
  readonly #config: KubernetesServiceConfig;
  readonly #periodic: PeriodicSync;
  #reconciler: EndpointReconciler = noneEndpointReconciler;
  /** Whether to replace ports that an earlier process has left. */
  #reconcilesPorts = true;
  #services: LoopbackClient<Service> | undefined;

  constructor(context: ControlPlaneContext, config: KubernetesServiceConfig) {
    this.#context = context;
    this.#config = config;
    this.#periodic = new PeriodicSync({
      clock: context.stores.clock,
      interval,
      sync: () => this.#sync(),
      report: (err) => context.logger.error({ err }, 'unable to sync kubernetes service'),
    });
  }

  async start(): Promise<void> {
    const { stores } = this.#context;
    if (!stores.serves('', 'v1', 'services')) return;
    const resource = { group: '', version: 'v1', resource: 'services' };
    const writer = loopbackWriter('kube-apiserver');
    this.#services = await LoopbackClient.open<Service>(stores, resource, writer);
    this.#reconciler = await this.#openReconciler();
    await this.#periodic.start();
  }

  /** Removes this server from the endpoints. */
  async close(): Promise<void> {
    await this.#periodic.close();
    try {
      await this.#reconciler.removeEndpoints();
    } catch (err) {
      this.#context.logger.error({ err }, 'unable to remove endpoints from kubernetes service');
    }
  }

  async #openReconciler(): Promise<EndpointReconciler> {
    const { stores, logger } = this.#context;
    const { publicIP, publicServicePort, reconcilerType, masterCount } = this.#config;
    if (reconcilerType === 'none' || !stores.serves('', 'v1', 'endpoints')) return noneEndpointReconciler;
    if (publicIP === undefined) {
      logger.warn({}, 'the service kubernetes has no endpoints, because --advertise-address is not set and the host has no address');
      return noneEndpointReconciler;
    }
    const adapter = await EndpointsAdapter.open(stores);
    const ports = [{ name: 'https', port: publicServicePort, protocol: 'TCP' }];
    const options = { adapter, serviceName, address: publicIP, ports };
    if (reconcilerType === 'master-count') return newMasterCountEndpointReconciler(options, masterCount);
    const leases = stores.isShared ? new StoredMasterLeases(await stores.internalCollection(apiServerIPInfo)) : loneMasterLease();
    return newLeaseEndpointReconciler(options, leases);
  }

  /** (UpdateKubernetesService) */
  async #sync(): Promise<void> {
    await this.#services?.createIfAbsent(kubernetesService(this.#config));
    try {
      await this.#reconciler.reconcileEndpoints(this.#reconcilesPorts);
    } catch (error) {
      // another write came first: the next sync reads its result
      if (!hasStatusCode(error, 404, 409)) throw error;
    }
    this.#reconcilesPorts = false;
  }
}

function kubernetesService({ serviceIP, publicServicePort, serviceNodePort }: KubernetesServiceConfig): Service {
  const port = { name: 'https', port: servicePort, protocol: 'TCP', targetPort: publicServicePort };
  return {
    metadata: {
      name: serviceName,
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      clusterIP: serviceIP,
      ipFamilyPolicy: 'SingleStack',
      ports: [serviceNodePort > 0 ? { ...port, nodePort: serviceNodePort } : port],
      sessionAffinity: 'None',
      type: serviceNodePort > 0 ? 'NodePort' : 'ClusterIP',
    },
  };
}
