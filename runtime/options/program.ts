import * as types from '../machinery/options/option-type.ts';
import type { OptionRow } from './option-row.ts';
import { podHandlers } from './option-types.ts';

/** Options without flags: functions and values of the program's process. */
export const programOptions: readonly OptionRow[] = [
  {
    option: 'pods',
    check: podHandlers,
    type: 'PodHandlers',
    doc: 'Handlers of exec, attach, portforward and log of pods. Default: the simulated nodes, or kubelets if a kubelet option is set.',
  },
  {
    option: 'dial',
    check: types.callback,
    type: 'Dial',
    doc: "Opens connections to pods, services, nodes and kubelets, for networks other than the host's. Default: TCP.",
  },
  {
    option: 'flags',
    check: types.mapOf(types.text),
    doc: 'The values of the command-line flags by name, for /flagz. Default: none.',
  },
];
