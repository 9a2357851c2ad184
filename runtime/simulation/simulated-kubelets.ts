import type { Pod } from '../../generated/v1.35/core/v1/types.ts';
import { defaultNodeCapacity, type SimulationOptions } from '../options/simulated-cluster.ts';
import type { Controller } from '../reconcile/controller.ts';
import { byNode } from '../reconcile/informers/index-by.ts';
import { openClusterObjects } from './cluster-objects.ts';
import type { SimulationContext } from './context.ts';
import { AddressPlan } from './nodes/address-plan.ts';
import { NodeKubelets } from './nodes/node-kubelets.ts';
import { SimulatedNodes } from './nodes/simulated-nodes.ts';
import { PodKubelets, podsResource } from './pods/pod-kubelets.ts';
import { stagesOfFiles } from './stages/stage-files.ts';
import { Stages } from './stages/stages.ts';

/** The kubelets of simulated nodes. They report healthy nodes and running pods. */
export class SimulatedKubelets implements Controller {
  readonly #context: SimulationContext;
  readonly #options: SimulationOptions;
  #nodes: SimulatedNodes | undefined;
  #onKind: () => void = () => undefined;
  #parts: readonly Controller[] = [];

  constructor(context: SimulationContext, options: SimulationOptions) {
    this.#context = context;
    this.#options = options;
  }

  async start(): Promise<void> {
    const context = this.#context;
    const options = this.#options;
    if (!context.stores.serves('', 'v1', 'nodes')) return;
    const pods = await context.informers.of<Pod>(podsResource);
    const onNode = pods.index(byNode);
    const podsPerNode = Number(options.nodeCapacity?.pods ?? defaultNodeCapacity.pods);
    const plan = new AddressPlan(podsPerNode);
    const nodes = await SimulatedNodes.open(context, (name) => onNode.of(name), plan);
    const fromFiles = await stagesOfFiles(options.stages ?? []);
    const given = { fromFiles, followsObjects: options.stageObjects ?? false };
    const stages = new Stages(context, nodes, given, () => this.#onKind());
    const objects = await openClusterObjects(context.stores);
    const podKubelets = new PodKubelets({ context, nodes, pods, objects, hasStages: () => stages.move('v1', 'Pod') });
    const nodeKubelets = new NodeKubelets({ context, nodes, options, hasStages: () => stages.move('v1', 'Node') });
    this.#parts = [podKubelets, nodeKubelets, stages];
    this.#onKind = () => {
      podKubelets.replan();
      nodeKubelets.replan();
    };
    this.#nodes = nodes;
    await podKubelets.start();
    await nodeKubelets.start();
    await stages.start();
    nodes.start();
    await nodeKubelets.run();
  }

  async close(): Promise<void> {
    this.#nodes?.close();
    await Promise.all(this.#parts.map((part) => part.close()));
  }
}
