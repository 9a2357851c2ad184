import { duration, file } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-controller-manager: cmd/kube-controller-manager/app/options/csrsigningcontroller.go) */
export const csrSigningFlags: readonly ServeFlag[] = [
  {
    name: 'cluster-signing-cert-file',
    option: 'clusterSigningCertFile',
    value: file(),
    about: 'PEM file of the CA that signs approved certificate requests. Default: the CA in --cert-dir.',
  },
  {
    name: 'cluster-signing-key-file',
    option: 'clusterSigningKeyFile',
    value: file(),
    about: 'PEM file of the key of --cluster-signing-cert-file.',
  },
  {
    name: 'cluster-signing-duration',
    option: 'clusterSigningDuration',
    value: duration('8760h', 600_000, Number.POSITIVE_INFINITY),
    about: 'How long signed certificates are valid. Requests may ask for less.',
  },
  {
    name: 'cluster-signing-kubelet-serving-cert-file',
    option: 'clusterSigningKubeletServingCertFile',
    value: file(),
    about: 'PEM file of the CA for kubernetes.io/kubelet-serving. Not with --cluster-signing-{cert,key}-file.',
  },
  {
    name: 'cluster-signing-kubelet-serving-key-file',
    option: 'clusterSigningKubeletServingKeyFile',
    value: file(),
    about: 'PEM file of its key.',
  },
  {
    name: 'cluster-signing-kubelet-client-cert-file',
    option: 'clusterSigningKubeletClientCertFile',
    value: file(),
    about: 'PEM file of the CA for kubernetes.io/kube-apiserver-client-kubelet, likewise.',
  },
  {
    name: 'cluster-signing-kubelet-client-key-file',
    option: 'clusterSigningKubeletClientKeyFile',
    value: file(),
    about: 'PEM file of its key.',
  },
  {
    name: 'cluster-signing-kube-apiserver-client-cert-file',
    option: 'clusterSigningKubeApiserverClientCertFile',
    value: file(),
    about: 'PEM file of the CA for kubernetes.io/kube-apiserver-client, likewise.',
  },
  {
    name: 'cluster-signing-kube-apiserver-client-key-file',
    option: 'clusterSigningKubeApiserverClientKeyFile',
    value: file(),
    about: 'PEM file of its key.',
  },
  {
    name: 'cluster-signing-legacy-unknown-cert-file',
    option: 'clusterSigningLegacyUnknownCertFile',
    value: file(),
    about: 'PEM file of the CA for kubernetes.io/legacy-unknown, likewise.',
  },
  {
    name: 'cluster-signing-legacy-unknown-key-file',
    option: 'clusterSigningLegacyUnknownKeyFile',
    value: file(),
    about: 'PEM file of its key.',
  },
];
