import { Scheduler } from '../../runtime/simulation/scheduler/scheduler.ts';
import { SimulatedCluster } from './simulation.ts';
import type { TestObject } from './test-object.ts';

type Labels = Record<string, string>;

export interface TestNode {
  readonly cpu?: string;
  readonly pods?: string;
  readonly labels?: Labels;
  /** More fields of spec, such as taints. */
  readonly spec?: object;
  readonly allocatable?: Labels;
}

export interface TestPod {
  readonly cpu?: string;
  readonly memory?: string;
  readonly labels?: Labels;
  readonly ports?: readonly object[];
  readonly requests?: Labels;
  /** More fields of spec. */
  readonly spec?: object;
}

/** A cluster with a scheduler and without kubelets. */
export class ScheduledCluster {
  readonly simulated: SimulatedCluster;

  private constructor(simulated: SimulatedCluster) {
    this.simulated = simulated;
  }

  static async open(seed = 1): Promise<ScheduledCluster> {
    return new ScheduledCluster(await SimulatedCluster.open((context) => [new Scheduler(context, seed)]));
  }

  /** Opens a cluster whose scheduler has not started. */
  static async openIdle(): Promise<ScheduledCluster> {
    return new ScheduledCluster(await SimulatedCluster.open(() => []));
  }

  close(): Promise<void> {
    return this.simulated.close();
  }

  async create(resource: string, object: Partial<TestObject>): Promise<TestObject> {
    return (await this.simulated.stores.of(resource)).create(object);
  }

  /** Creates a node with 4 CPUs, 8 Gi and room for 110 pods. Its name is also its label. */
  async node(name: string, { cpu = '4', pods = '110', labels, spec, allocatable }: TestNode = {}): Promise<void> {
    const nodes = await this.simulated.stores.of('nodes');
    const allLabels = { 'kubernetes.io/hostname': name, ...labels };
    const resources = { cpu, memory: '8Gi', pods, ...allocatable };
    const status = { capacity: resources, allocatable: resources };
    await nodes.create({ metadata: { name, labels: allLabels }, spec, status });
  }

  /** Creates a pod, and returns it after the scheduler's decision. */
  async pod(name: string, given: TestPod = {}): Promise<TestObject> {
    await this.createPod(name, given);
    await this.simulated.settle();
    return this.get(name);
  }

  /** Returns a pod's node, or the reason why it has none. */
  async place(name: string, given: TestPod = {}): Promise<string> {
    return outcomeOf(await this.pod(name, given));
  }

  async createPod(name: string, { cpu, memory, labels, ports, requests, spec }: TestPod = {}): Promise<void> {
    const all = { ...(cpu ? { cpu } : {}), ...(memory ? { memory } : {}), ...requests };
    const container = { name: 'c', image: 'image', ports, resources: { requests: all, limits: requests } };
    await this.create('pods', { metadata: { name, labels }, spec: { containers: [container], ...spec } });
  }

  async get(name: string): Promise<TestObject> {
    const pod = (await this.simulated.stores.of('pods')).get(name);
    if (pod === undefined) throw new Error(`there is no pod ${name}`);
    return pod;
  }

  async outcome(name: string): Promise<string> {
    return outcomeOf(await this.get(name));
  }
}

export function outcomeOf({ spec, status }: TestObject): string {
  if (spec.nodeName) return spec.nodeName;
  const condition = status.conditions?.find(({ type }: { type: string }) => type === 'PodScheduled');
  return condition === undefined ? 'pending' : condition.message;
}
