/** What a simulated cluster is like. */
export interface SimulationOptions {
  /** How many nodes it has to begin with, which are called kubeloom-node-0 and so on; at most 5,000. Default: 1. */
  readonly nodes?: number | undefined;
  /** What each of these nodes has, as quantities by resource. Default: cpu 32, memory 256Gi, ephemeral-storage 1Ti, pods 110. */
  readonly nodeCapacity?: Readonly<Record<string, string>> | undefined;
  /** Files and folders with Stages (kwok.x-k8s.io/v1alpha1), by which the objects of their kinds fare. Default: none. */
  readonly stages?: readonly string[] | undefined;
  /**
   * Whether Stages are also read from the server, where their CustomResourceDefinition is served. They act with the server's
   * rights, whoever wrote them. Default: false.
   */
  readonly stageObjects?: boolean | undefined;
  /** Whether annotations of pods may name ports of this machine, to which port-forward connects. Default: false. */
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

/** The most nodes that a cluster of Kubernetes is said to have. */
export const maxNodes = 5000;
