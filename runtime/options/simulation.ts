import { type Flag, type ParsedFlags, UsageError } from '../machinery/options/flags.ts';
import * as types from '../machinery/options/option-type.ts';
import { boolean, count, type FlagValue, file, list } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';
import { podOptions, simulatedCluster } from './option-types.ts';
import type { ServerOptions } from './server-options.ts';
import { defaultNodes, maxNodes } from './simulated-cluster.ts';

const nodes = count(defaultNodes, maxNodes);
const stages = list('FILE|FOLDER');
const stageObjects = boolean(false);
const forwardToLocalhost = boolean(false);

const simulate: FlagValue<ServerOptions['simulate']> = {
  ...boolean(false),
  read(flags: ParsedFlags, name: string) {
    if (!flags.boolean(name)) return requireNoParts(flags);
    return {
      nodes: nodes.read(flags, 'simulate-nodes'),
      stages: stages.read(flags, 'simulate-stages'),
      stageObjects: stageObjects.read(flags, 'simulate-stage-objects'),
      forwardToLocalhost: forwardToLocalhost.read(flags, 'simulate-forward-to-localhost'),
    };
  },
};

const podPrograms: FlagValue<ServerOptions['pods']> = {
  ...file(),
  check: podOptions,
  read(flags: ParsedFlags, name: string) {
    const path = flags.string(name);
    return path === undefined ? undefined : { programs: path };
  },
};

/** @throws UsageError for a flag of a simulated cluster without --simulate */
function requireNoParts(flags: ParsedFlags): false {
  const given = simulatedClusterFlags.find(({ name }) => flags.list(name).length > 0);
  if (given !== undefined) throw new UsageError(`--${given.name} needs --simulate`);
  return false;
}

/** The flags of the simulated cluster: parts of the option `simulate`. */
export const simulatedClusterFlags: readonly Flag[] = [
  {
    name: 'simulate-nodes',
    type: 'string',
    value: 'NUMBER',
    default: String(defaultNodes),
    about: 'With --simulate: the number of initial nodes. Nodes that are created later are simulated, too.',
  },
  {
    name: 'simulate-stages',
    type: 'list',
    value: 'FILE|FOLDER',
    about: 'With --simulate: YAML files with Stages of KWOK, which control the objects of their kinds. May be repeated.',
  },
  {
    name: 'simulate-stage-objects',
    type: 'boolean',
    default: 'false',
    about:
      "With --simulate: also follow Stages that are objects in the server. They act with the server's rights, not with their author's.",
  },
  {
    name: 'simulate-forward-to-localhost',
    type: 'boolean',
    default: 'false',
    about: 'With --simulate: let annotations of pods name ports of this machine, to which port-forward connects.',
  },
];

/** The option of the simulated cluster. */
export const simulationOptions: readonly OptionRow[] = [
  {
    option: 'simulate',
    flag: 'simulate',
    value: simulate,
    check: types.either(types.boolean, simulatedCluster),
    type: 'boolean | SimulationOptions',
    about: 'Simulate a cluster, so that workloads progress: run its controllers, a scheduler and nodes.',
    doc:
      'Simulates a cluster: runs controllers, a scheduler and nodes that only exist in the API, so that workloads progress. ' +
      '`true` means `{}`. Default: false.',
  },
  {
    option: 'pods',
    flag: 'pod-programs',
    value: podPrograms,
    check: podOptions,
    type: 'PodOptions',
    about:
      'With --simulate: a YAML file with the programs of this machine that run in place of images, as the user of the server. ' +
      'docs/pod-programs.md describes it.',
    doc:
      'What implements pods. Handlers of exec, attach, portforward and log; default: the simulated nodes, or kubelets if a kubelet ' +
      'option is set. `programs`, with `simulate`: programs of this machine that run in place of images, or a file with them; ' +
      'default: none.',
  },
];
