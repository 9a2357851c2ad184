import { once } from '../../machinery/event-loop/once.ts';
import type { SimulationOptions } from '../../options/simulated-cluster.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { ClusterNetwork } from './cluster-network.ts';
import { PodIndex } from './pod-index.ts';
import { podListener } from './pod-listeners.ts';

const ofStores = new WeakMap<ResourceStores, ClusterNetwork>();

/** Returns the network that the kubelets, the containers and the proxies of a server share. */
export function clusterNetworkOf(stores: ResourceStores, { forwardToLocalhost = false }: SimulationOptions): ClusterNetwork {
  let network = ofStores.get(stores);
  if (network === undefined) {
    const pods = once(() => PodIndex.open(stores));
    network = new ClusterNetwork({
      podsAt: async (address) => (await pods()).podsAt(address),
      listenerOf: async (pod, at) => podListener(pod, at, forwardToLocalhost),
    });
    ofStores.set(stores, network);
  }
  return network;
}
