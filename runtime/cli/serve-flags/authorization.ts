import { commaSeparated } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: pkg/kubeapiserver/options/authorization.go) */
export const authorizationFlags: readonly ServeFlag[] = [
  {
    name: 'authorization-mode',
    option: 'authorizationMode',
    value: commaSeparated('MODE,...'),
    about:
      'Who decides what users may do, in this order: AlwaysAllow, AlwaysDeny, RBAC. Default: RBAC. system:masters may always ' +
      'do everything.',
  },
];
