import * as types from '../machinery/options/option-type.ts';
import type { OptionRow } from './option-row.ts';

/** Options without flags: functions and values of the program's process. */
export const programOptions: readonly OptionRow[] = [
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
