import { boolean, commaSeparated, text } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

const podByDefault = 'Empty, or absent beside the other two: that of the pod.';

/** (apiserver: pkg/server/options/authentication.go, authorization.go, coreapi.go) */
export const delegatingOptions: readonly OptionRow[] = [
  {
    option: 'authenticationKubeconfig',
    flag: 'authentication-kubeconfig',
    value: text('FILE'),
    about:
      'Kubeconfig of the server that knows the users of tokens, and publishes the CAs of clients and front proxies. ' +
      `Needs --no-builtin. ${podByDefault}`,
    doc:
      'Kubeconfig file for TokenReviews, and for the ConfigMap with the CAs of clients and front proxies; "" for the pod\'s ' +
      'service account. Default: this server authenticates by itself.',
  },
  {
    option: 'authenticationSkipLookup',
    flag: 'authentication-skip-lookup',
    value: boolean(false),
    about: 'Do not look up the CAs that are not set.',
    doc: 'Skips looking up unset CAs at the delegate. Default: false.',
  },
  {
    option: 'authenticationTolerateLookupFailure',
    flag: 'authentication-tolerate-lookup-failure',
    value: boolean(false),
    about: 'Start even if the CAs cannot be looked up. Until they can, all requests may be anonymous.',
    doc: 'Starts the server even if CAs cannot be looked up. Default: false.',
  },
  {
    option: 'authorizationKubeconfig',
    flag: 'authorization-kubeconfig',
    value: text('FILE'),
    about: `Kubeconfig of the server that decides what users may do. Needs --no-builtin. ${podByDefault}`,
    doc: 'Kubeconfig file for SubjectAccessReviews; "" for the pod\'s service account. Default: this server authorizes by itself.',
  },
  {
    option: 'authorizationAlwaysAllowPaths',
    flag: 'authorization-always-allow-paths',
    value: commaSeparated('PATH,...'),
    about: 'Paths that everybody may request; a * at the end stands for anything. Default: /healthz,/readyz,/livez.',
    doc: 'Paths that everybody may request; `*` at the end matches any rest. Default: /healthz, /readyz, /livez.',
  },
  {
    option: 'kubeconfig',
    flag: 'kubeconfig',
    value: text('FILE'),
    about: `Kubeconfig of the server that has the namespaces. ${podByDefault}`,
    doc: "Kubeconfig file for namespaces and other objects of the delegate. Default: the pod's service account.",
  },
];
