import { commaSeparated, durationIfSet, file, portIfSet } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

/** (kube-apiserver: cmd/kube-apiserver/app/options/options.go, the flags of its KubeletConfig) */
export const kubeletOptions: readonly OptionRow[] = [
  {
    option: 'kubeletCertificateAuthority',
    flag: 'kubelet-certificate-authority',
    value: file(),
    about: "PEM file of the CA of kubelets' certificates. Default: certificates are not verified.",
    doc: "PEM file of the CA of kubelets' certificates. Read again when it changes. Default: certificates are not verified.",
  },
  {
    option: 'kubeletClientCertificate',
    flag: 'kubelet-client-certificate',
    value: file(),
    about: 'PEM file of the client certificate for kubelets. Without any kubelet flag, the server connects to no kubelets.',
    doc: 'PEM files of the client certificate for kubelets, and of its key. Read again when they change. Default: none.',
  },
  {
    option: 'kubeletClientKey',
    flag: 'kubelet-client-key',
    value: file(),
    about: 'PEM file of the key of --kubelet-client-certificate.',
    doc: 'PEM file of the key of `kubeletClientCertificate`.',
  },
  {
    option: 'kubeletPort',
    flag: 'kubelet-port',
    value: portIfSet(),
    about: 'Port of kubelets whose nodes name none. Default: 10250.',
    doc: 'The port of kubelets whose node states none. Default: 10250.',
  },
  {
    option: 'kubeletPreferredAddressTypes',
    flag: 'kubelet-preferred-address-types',
    value: commaSeparated('TYPE[,TYPE]'),
    about: 'Types of addresses of nodes, the best first. Default: Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP.',
    doc:
      'The types of addresses of nodes, the best first. Default: `Hostname`, `InternalDNS`, `InternalIP`, `ExternalDNS`, ' +
      '`ExternalIP`.',
  },
  {
    option: 'kubeletTimeout',
    flag: 'kubelet-timeout',
    value: durationIfSet(),
    about: 'Timeout of connecting to a kubelet. Default: 30s.',
    doc: 'Milliseconds to connect to a kubelet. Default: 30,000.',
  },
];
