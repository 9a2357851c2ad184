import { once } from '../machinery/event-loop/once.ts';
import type { SimulationOptions } from '../options/simulated-cluster.ts';
import type { ResourceStores } from '../resources/stores.ts';
import { HandledPods } from '../streaming/handled-pods.ts';
import type { NodeBackend } from '../streaming/node-backend.ts';
import { openClusterObjects } from './cluster-objects.ts';
import { SimulatedNodeProxy } from './kubelet-server/simulated-node-proxy.ts';
import { simulatedPods } from './streams/simulated-pods.ts';

/**
 * Returns the backend of simulated pods and kubelets.
 *
 * @param others connects to nodes that are not simulated
 */
export function simulatedNodeBackend(stores: ResourceStores, options: SimulationOptions, others: NodeBackend | undefined): NodeBackend {
  const objects = once(() => openClusterObjects(stores));
  const pods = simulatedPods(stores, options, objects);
  return new HandledPods(pods, new SimulatedNodeProxy({ stores, objects, logs: pods.logs, others }));
}
