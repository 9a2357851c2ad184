import { boolean, commaSeparated, file } from './flag-values.ts';
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
    about: 'PEM file of CAs for client certificates, in addition to the CA in --cert-dir. Read again when it changes.',
  },
  {
    name: 'enable-bootstrap-token-auth',
    option: 'enableBootstrapTokenAuth',
    value: boolean(false),
    about: 'Accept the tokens of Secrets of type bootstrap.kubernetes.io/token in kube-system.',
  },
  {
    name: 'requestheader-client-ca-file',
    option: 'requestHeaderClientCaFile',
    value: file(),
    about: 'PEM file of CAs for the certificates of front proxies, whose headers for users are believed.',
  },
  {
    name: 'requestheader-allowed-names',
    option: 'requestHeaderAllowedNames',
    value: commaSeparated('NAMES'),
    about: 'Common names that the certificates of front proxies may have. Default: any.',
  },
  {
    name: 'requestheader-username-headers',
    option: 'requestHeaderUsernameHeaders',
    value: commaSeparated('NAMES'),
    about: 'Headers for the name of the user, as X-Remote-User.',
  },
  {
    name: 'requestheader-uid-headers',
    option: 'requestHeaderUidHeaders',
    value: commaSeparated('NAMES'),
    about: 'Headers for the uid of the user, as X-Remote-Uid.',
  },
  {
    name: 'requestheader-group-headers',
    option: 'requestHeaderGroupHeaders',
    value: commaSeparated('NAMES'),
    about: 'Headers for the groups of the user, as X-Remote-Group.',
  },
  {
    name: 'requestheader-extra-headers-prefix',
    option: 'requestHeaderExtraHeadersPrefix',
    value: commaSeparated('PREFIXES'),
    about: 'Prefixes of the headers for extra of the user, as X-Remote-Extra-.',
  },
  {
    name: 'token-auth-file',
    option: 'tokenAuthFile',
    value: file(),
    about: 'CSV file of static tokens: token,user,uid,"group1,group2".',
  },
];
