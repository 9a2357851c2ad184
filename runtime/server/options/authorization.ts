import type { Authorizer } from '../../authorization/authorizer.ts';

/** How a server decides what users may do. (kube-apiserver: pkg/kubeapiserver/options/authorization.go) */
export interface AuthorizationOptions {
  /**
   * AlwaysAllow, AlwaysDeny and RBAC, in the order in which they are asked. Default: RBAC. With AlwaysAllow, every user is
   * allowed everything, and requests without credentials get only health and /version.
   */
  readonly authorizationMode?: readonly string[];
  /** Decides in place of the modes. */
  readonly authorizer?: Authorizer;
}
