import type { Dial } from '../../client/transport/dial.ts';
import type { NewController } from '../../controllers/start-controllers.ts';
import { once } from '../../machinery/event-loop/once.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { SimulationOptions } from '../../options/simulated-cluster.ts';
import type { SimulatedProcess } from '../../reconcile/controller-selection.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { HandledPods } from '../../streaming/handled-pods.ts';
import type { NodeBackend } from '../../streaming/node-backend.ts';

/** Returns the options of the simulated cluster; undefined if nothing is simulated. */
export function simulationOptions({ simulate }: ServerOptions): SimulationOptions | undefined {
  if (!simulate) return undefined;
  return simulate === true ? {} : simulate;
}

/** @throws OptionError for invalid Stages in files */
export async function checkSimulation(options: ServerOptions): Promise<void> {
  const { stages = [] } = simulationOptions(options) ?? {};
  if (stages.length === 0) return;
  const { stagesOfFiles } = await import('../../simulation/stages/stage-files.ts');
  await stagesOfFiles(stages).catch((error: Error) => {
    throw new OptionError(`--simulate-stages: ${error.message}`);
  });
}

/**
 * Returns the simulated processes beside the controllers, by name. They run on the server that runs the controllers.
 */
export function simulatedProcesses(options: ServerOptions): Readonly<Partial<Record<SimulatedProcess, NewController>>> {
  const simulation = simulationOptions(options);
  if (simulation === undefined) return {};
  return {
    kubelets: async (context) => {
      const { SimulatedKubelets } = await import('../../simulation/simulated-kubelets.ts');
      return new SimulatedKubelets(context, simulation);
    },
    'volume-provisioner': async (context) => (await import('../../simulation/volumes/provisioner.ts')).volumeProvisioner(context),
    scheduler: async (context) => new (await import('../../simulation/scheduler/scheduler.ts')).Scheduler(context),
  };
}

/**
 * Returns the network for proxies to pods and services: the program's, or the simulated pods. Undefined for the host's.
 */
export async function proxyDial(options: ServerOptions, stores: ResourceStores): Promise<Dial | undefined> {
  const simulation = simulationOptions(options);
  if (options.dial !== undefined || simulation === undefined) return options.dial;
  const { simulatedDial } = await import('../../simulation/streams/simulated-dial.ts');
  return simulatedDial(stores, simulation);
}

/** Lets webhooks and APIServices reach services of the simulated cluster. */
export async function joinNetwork(options: ServerOptions, stores: ResourceStores): Promise<void> {
  const simulation = simulationOptions(options);
  if (options.dial !== undefined || simulation === undefined) return;
  const { simulatedNetwork } = await import('../../simulation/streams/simulated-dial.ts');
  stores.network = simulatedNetwork(stores, simulation);
}

/**
 * Returns the backend of exec, attach, portforward, log and proxies of nodes: the program's, the simulation, or
 * kubelets.
 */
export function handledNodes(options: ServerOptions, stores: ResourceStores, kubelets: NodeBackend | undefined): NodeBackend | undefined {
  const nodes = simulatedNodes(options, stores, kubelets) ?? kubelets;
  return options.pods === undefined ? nodes : new HandledPods(options.pods, nodes);
}

function simulatedNodes(options: ServerOptions, stores: ResourceStores, kubelets: NodeBackend | undefined): NodeBackend | undefined {
  const simulation = simulationOptions(options);
  if (simulation === undefined) return undefined;
  const load = once(async () => {
    const { simulatedNodeBackend } = await import('../../simulation/simulated-node-backend.ts');
    return simulatedNodeBackend(stores, simulation, kubelets);
  });
  return { connect: async (request) => (await load()).connect(request) };
}
