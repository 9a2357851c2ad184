import * as types from '../machinery/options/option-type.ts';
import { duration, file } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

/** (kube-controller-manager: cmd/kube-controller-manager/app/options/csrsigningcontroller.go) */
export const csrSigningOptions: readonly OptionRow[] = [
  {
    option: 'clusterSigningCertFile',
    flag: 'cluster-signing-cert-file',
    value: file(),
    about: 'PEM file of the CA that signs approved certificate requests. Default: the CA in --cert-dir.',
    doc: 'PEM files of the CA for all signers, and of its key.',
  },
  {
    option: 'clusterSigningKeyFile',
    flag: 'cluster-signing-key-file',
    value: file(),
    about: 'PEM file of the key of --cluster-signing-cert-file.',
    doc: 'PEM file of the key of `clusterSigningCertFile`.',
  },
  {
    option: 'clusterSigningDuration',
    flag: 'cluster-signing-duration',
    value: duration('8760h', 600_000, Number.POSITIVE_INFINITY),
    check: types.milliseconds(600_000, Number.MAX_SAFE_INTEGER),
    about: 'How long signed certificates are valid. Requests may ask for less.',
    doc: 'Milliseconds for which certificates are valid. Requests may ask for less. Default: 365 days.',
  },
  {
    option: 'clusterSigningKubeletServingCertFile',
    flag: 'cluster-signing-kubelet-serving-cert-file',
    value: file(),
    about: 'PEM file of the CA for kubernetes.io/kubelet-serving. Not with --cluster-signing-{cert,key}-file.',
    doc: 'PEM files for one signer. If any is set, signers without files do not sign.',
  },
  {
    option: 'clusterSigningKubeletServingKeyFile',
    flag: 'cluster-signing-kubelet-serving-key-file',
    value: file(),
    about: 'PEM file of its key.',
  },
  {
    option: 'clusterSigningKubeletClientCertFile',
    flag: 'cluster-signing-kubelet-client-cert-file',
    value: file(),
    about: 'PEM file of the CA for kubernetes.io/kube-apiserver-client-kubelet, likewise.',
  },
  {
    option: 'clusterSigningKubeletClientKeyFile',
    flag: 'cluster-signing-kubelet-client-key-file',
    value: file(),
    about: 'PEM file of its key.',
  },
  {
    option: 'clusterSigningKubeApiserverClientCertFile',
    flag: 'cluster-signing-kube-apiserver-client-cert-file',
    value: file(),
    about: 'PEM file of the CA for kubernetes.io/kube-apiserver-client, likewise.',
  },
  {
    option: 'clusterSigningKubeApiserverClientKeyFile',
    flag: 'cluster-signing-kube-apiserver-client-key-file',
    value: file(),
    about: 'PEM file of its key.',
  },
  {
    option: 'clusterSigningLegacyUnknownCertFile',
    flag: 'cluster-signing-legacy-unknown-cert-file',
    value: file(),
    about: 'PEM file of the CA for kubernetes.io/legacy-unknown, likewise.',
  },
  {
    option: 'clusterSigningLegacyUnknownKeyFile',
    flag: 'cluster-signing-legacy-unknown-key-file',
    value: file(),
    about: 'PEM file of its key.',
  },
];
