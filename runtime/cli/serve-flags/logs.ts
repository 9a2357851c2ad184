import { oneOf } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: component-base logs/api/v1/options.go) */
export const logsFlags: readonly ServeFlag[] = [
  {
    name: 'log-level',
    option: 'logLevel',
    value: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    about: 'Minimum level of the JSON log on stderr.',
  },
];
