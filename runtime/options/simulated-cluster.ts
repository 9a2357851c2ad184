/** The options of a simulated cluster. */
export interface SimulationOptions {
  /** The number of initial nodes, named kubeloom-node-0 and so on; at most 5,000. Default: 1. */
  readonly nodes?: number | undefined;
  /**
   * The capacity of each initial node, as quantities by resource. Default: cpu 32, memory 256Gi, ephemeral-storage 1Ti,
   * pods 110.
   */
  readonly nodeCapacity?: Readonly<Record<string, string>> | undefined;
  /** Files and folders with Stages (kwok.x-k8s.io/v1alpha1), which control objects of their kinds. Default: none. */
  readonly stages?: readonly string[] | undefined;
  /**
   * Whether Stages are also read from the server, if their CustomResourceDefinition is served. They act with the
   * server's rights, not with their author's. Default: false.
   */
  readonly stageObjects?: boolean | undefined;
  /** Whether annotations of pods may name ports of this machine as targets of port-forward. Default: false. */
  readonly forwardToLocalhost?: boolean | undefined;
}

export const defaultNodes = 1;

export const defaultNodeCapacity: Readonly<Record<string, string>> = {
  cpu: '32',
  'ephemeral-storage': '1Ti',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory: '256Gi',
  pods: '110',
};

/** The supported number of nodes in a Kubernetes cluster. */
export const maxNodes = 5000;
