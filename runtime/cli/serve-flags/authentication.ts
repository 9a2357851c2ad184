import { boolean, file } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: pkg/kubeapiserver/options/authentication.go) */
export const authenticationFlags: readonly ServeFlag[] = [
  {
    name: 'anonymous-auth',
    option: 'anonymousAuth',
    value: boolean(true),
    about:
      'Serve requests without credentials as system:anonymous, but only for /healthz, /livez, /readyz and /version, ' +
      'since every authenticated user is allowed everything. false: reject all of them.',
  },
  {
    name: 'client-ca-file',
    option: 'clientCaFile',
    value: file(),
    about: 'PEM file of CAs for client certificates, in addition to the CA in --cert-dir.',
  },
  {
    name: 'token-auth-file',
    option: 'tokenAuthFile',
    value: file(),
    about: 'CSV file of static tokens: token,user,uid,"group1,group2".',
  },
];
