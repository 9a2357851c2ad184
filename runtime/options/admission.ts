import { commaSeparated, count, file } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

/** (kube-apiserver: pkg/kubeapiserver/options/admission.go) */
export const admissionOptions: readonly OptionRow[] = [
  {
    option: 'enableAdmissionPlugins',
    flag: 'enable-admission-plugins',
    value: commaSeparated('NAME,...'),
    about: 'Admission plugins to turn on besides those that are on by default.',
    doc: 'Plugins to enable in addition to the default ones. Default: none.',
  },
  {
    option: 'disableAdmissionPlugins',
    flag: 'disable-admission-plugins',
    value: commaSeparated('NAME,...'),
    about: 'Admission plugins to turn off.',
    doc: 'Plugins to disable. Default: none.',
  },
  {
    option: 'admissionControlConfigFile',
    flag: 'admission-control-config-file',
    value: file(),
    about: 'AdmissionConfiguration with the configurations of admission plugins.',
    doc: 'Path of an AdmissionConfiguration with the configurations of plugins. Default: none.',
  },
  {
    option: 'defaultNotReadyTolerationSeconds',
    flag: 'default-not-ready-toleration-seconds',
    value: count(300),
    about: 'Seconds for which pods stay on a node that is not ready, unless they say so themselves.',
    doc: 'Seconds for which pods without such a toleration tolerate a node that is not ready. Default: 300.',
  },
  {
    option: 'defaultUnreachableTolerationSeconds',
    flag: 'default-unreachable-toleration-seconds',
    value: count(300),
    about: 'Seconds for which pods stay on a node that cannot be reached, unless they say so themselves.',
    doc: 'Seconds for which pods without such a toleration tolerate an unreachable node. Default: 300.',
  },
];
