import { oneOf } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

/** (kube-apiserver: component-base logs/api/v1/options.go) */
export const logsOptions: readonly OptionRow[] = [
  {
    option: 'logLevel',
    flag: 'log-level',
    value: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    about: 'Minimum level of the JSON log on stderr.',
    doc: 'The level of the JSON log on stderr. Default: silent.',
  },
];
