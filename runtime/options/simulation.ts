import type { SimulationOptions as ClusterOptions } from './simulated-cluster.ts';

export { defaultNodes, maxNodes } from './simulated-cluster.ts';

/** Whether workloads move although there are no machines. */
export interface SimulationOptions {
  /**
   * Controllers, a scheduler and nodes that exist in the API only make workloads move as in a cluster. `true` is the same as
   * `{}`. Default: false.
   */
  readonly simulate?: boolean | ClusterOptions | undefined;
}
