import { once } from '../../machinery/event-loop/once.ts';
import type { SimulationOptions } from '../../options/simulated-cluster.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { openClusterObjects } from '../cluster-objects.ts';
import { clusterServer } from '../environment/dns-config.ts';
import { ClusterNetwork } from './cluster-network.ts';
import { openNetworkObjects } from './network-objects.ts';
import { podListener } from './pod-listeners.ts';

const ofStores = new WeakMap<ResourceStores, ClusterNetwork>();

/** Returns the network that the kubelets, the containers and the proxies of a server share. */
export function clusterNetworkOf(stores: ResourceStores, { forwardToLocalhost = false }: SimulationOptions): ClusterNetwork {
  let network = ofStores.get(stores);
  if (network === undefined) {
    const objects = once(() => openClusterObjects(stores));
    network = new ClusterNetwork({
      clock: stores.clock,
      objects: () => openNetworkObjects(stores),
      dnsServer: async () => clusterServer(await objects()),
      listenerOf: async (pod, at) => podListener(pod, at, forwardToLocalhost),
    });
    ofStores.set(stores, network);
  }
  return network;
}
