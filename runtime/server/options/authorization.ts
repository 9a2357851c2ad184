import type { Authorizer } from '../../authorization/authorizer.ts';

/** How a server decides what users may do. (kube-apiserver: pkg/kubeapiserver/options/authorization.go) */
export interface AuthorizationOptions {
  /** Default: every user is allowed everything. */
  readonly authorizer?: Authorizer;
}
