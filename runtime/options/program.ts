import * as types from '../machinery/options/option-type.ts';
import type { OptionRow } from './option-row.ts';
import { podHandlers } from './option-types.ts';

/** What only a program can give: functions and values of its process. */
export const programOptions: readonly OptionRow[] = [
  {
    option: 'pods',
    check: podHandlers,
    type: 'PodHandlers',
    doc: 'What exec, attach, portforward and log of pods do. Default: their kubelets are asked, if there are options for that.',
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
