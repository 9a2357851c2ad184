import { commaSeparated, count, file } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: pkg/kubeapiserver/options/admission.go) */
export const admissionFlags: readonly ServeFlag[] = [
  {
    name: 'enable-admission-plugins',
    option: 'enableAdmissionPlugins',
    value: commaSeparated('NAME,...'),
    about: 'Admission plugins to turn on besides those that are on by default.',
  },
  {
    name: 'disable-admission-plugins',
    option: 'disableAdmissionPlugins',
    value: commaSeparated('NAME,...'),
    about: 'Admission plugins to turn off.',
  },
  {
    name: 'admission-control-config-file',
    option: 'admissionControlConfigFile',
    value: file(),
    about: 'AdmissionConfiguration with the configurations of admission plugins.',
  },
  {
    name: 'default-not-ready-toleration-seconds',
    option: 'defaultNotReadyTolerationSeconds',
    value: count(300),
    about: 'Seconds for which pods stay on a node that is not ready, unless they say so themselves.',
  },
  {
    name: 'default-unreachable-toleration-seconds',
    option: 'defaultUnreachableTolerationSeconds',
    value: count(300),
    about: 'Seconds for which pods stay on a node that cannot be reached, unless they say so themselves.',
  },
];
