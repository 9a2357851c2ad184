import { commaSeparated, durationIfSet, file, portIfSet } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: cmd/kube-apiserver/app/options/options.go, those of its KubeletConfig) */
export const kubeletFlags: readonly ServeFlag[] = [
  {
    name: 'kubelet-certificate-authority',
    option: 'kubeletCertificateAuthority',
    value: file(),
    about: 'PEM file of what signs the certificates of kubelets. Default: they are not verified.',
  },
  {
    name: 'kubelet-client-certificate',
    option: 'kubeletClientCertificate',
    value: file(),
    about: 'PEM file of the client certificate for kubelets. Without any of these flags, kubelets are not asked.',
  },
  {
    name: 'kubelet-client-key',
    option: 'kubeletClientKey',
    value: file(),
    about: 'PEM file of its key.',
  },
  {
    name: 'kubelet-port',
    option: 'kubeletPort',
    value: portIfSet(),
    about: 'Port of kubelets whose nodes name none. Default: 10250.',
  },
  {
    name: 'kubelet-preferred-address-types',
    option: 'kubeletPreferredAddressTypes',
    value: commaSeparated('TYPE[,TYPE]'),
    about: 'Types of addresses of nodes, the best first. Default: Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP.',
  },
  {
    name: 'kubelet-timeout',
    option: 'kubeletTimeout',
    value: durationIfSet(),
    about: 'Time until a connection to a kubelet must be there. Default: 30s.',
  },
];
