import { once } from '../../machinery/event-loop/once.ts';
import type { SimulationOptions } from '../../options/simulated-cluster.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { openClusterObjects } from '../cluster-objects.ts';
import { clusterServer } from '../environment/dns-config.ts';
import { containerRunsOf } from '../programs/container-runs.ts';
import { ClusterNetwork } from './cluster-network.ts';
import { openNetworkObjects } from './network-objects.ts';
import { podListener } from './pod-listeners.ts';

interface Opened {
  readonly network: ClusterNetwork;
  allowsLocalhost: boolean;
}

const ofStores = new WeakMap<ResourceStores, Opened>();

/**
 * Returns the network that the kubelets, the containers and the proxies of a server share.
 *
 * @param options Default: those of the other callers
 */
export function clusterNetworkOf(stores: ResourceStores, options?: SimulationOptions): ClusterNetwork {
  let opened = ofStores.get(stores);
  if (opened === undefined) {
    const own: Opened = { network: openNetwork(stores, () => own.allowsLocalhost), allowsLocalhost: false };
    ofStores.set(stores, own);
    opened = own;
  }
  if (options !== undefined) opened.allowsLocalhost = options.forwardToLocalhost ?? false;
  return opened.network;
}

function openNetwork(stores: ResourceStores, allowsLocalhost: () => boolean): ClusterNetwork {
  const objects = once(() => openClusterObjects(stores));
  const runs = containerRunsOf(stores);
  return new ClusterNetwork({
    clock: stores.clock,
    objects: () => openNetworkObjects(stores),
    dnsServer: async () => clusterServer(await objects()),
    listenerOf: (pod, at) => podListener(pod, at, { runs, allowsLocalhost: allowsLocalhost() }),
  });
}
