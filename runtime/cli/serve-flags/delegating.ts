import { boolean, commaSeparated, text } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

const podByDefault = 'Empty, or absent beside the other two: that of the pod.';

/** (apiserver: pkg/server/options/authentication.go, authorization.go, coreapi.go) */
export const delegatingFlags: readonly ServeFlag[] = [
  {
    name: 'authentication-kubeconfig',
    option: 'authenticationKubeconfig',
    value: text('FILE'),
    about:
      'Kubeconfig of the server that knows the users of tokens, and publishes the CAs of clients and front proxies. ' +
      `Needs --no-builtin. ${podByDefault}`,
  },
  {
    name: 'authentication-skip-lookup',
    option: 'authenticationSkipLookup',
    value: boolean(false),
    about: 'Do not look up the CAs that are not set.',
  },
  {
    name: 'authentication-tolerate-lookup-failure',
    option: 'authenticationTolerateLookupFailure',
    value: boolean(false),
    about: 'Start even if the CAs cannot be looked up. Until they can, all requests may be anonymous.',
  },
  {
    name: 'authorization-kubeconfig',
    option: 'authorizationKubeconfig',
    value: text('FILE'),
    about: `Kubeconfig of the server that decides what users may do. Needs --no-builtin. ${podByDefault}`,
  },
  {
    name: 'authorization-always-allow-paths',
    option: 'authorizationAlwaysAllowPaths',
    value: commaSeparated('PATH,...'),
    about: 'Paths that everybody may request; a * at the end stands for anything. Default: /healthz,/readyz,/livez.',
  },
  {
    name: 'kubeconfig',
    option: 'kubeconfig',
    value: text('FILE'),
    about: `Kubeconfig of the server that has the namespaces. ${podByDefault}`,
  },
];
