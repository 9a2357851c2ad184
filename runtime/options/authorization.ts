import type { Authorizer } from '../authorization/authorizer.ts';

/** How a server decides what users may do. (kube-apiserver: pkg/kubeapiserver/options/authorization.go) */
export interface AuthorizationOptions {
  /**
   * AlwaysAllow, AlwaysDeny, Node, RBAC and Webhook, in the order in which they are asked. Default: RBAC. With AlwaysAllow,
   * every user is allowed everything, and requests without credentials get only health and /version.
   */
  readonly authorizationMode?: readonly string[] | undefined;
  /** Path of the kubeconfig of the mode Webhook. */
  readonly authorizationWebhookConfigFile?: string | undefined;
  /** The version of SubjectAccessReview that is sent. Default: v1beta1. */
  readonly authorizationWebhookVersion?: 'v1' | 'v1beta1' | undefined;
  /** Milliseconds for which permissions are cached. Default: five minutes; ten seconds for those of a delegate. */
  readonly authorizationWebhookCacheAuthorizedTTL?: number | undefined;
  /** Milliseconds for which refusals are cached. Default: 30 s; ten seconds for those of a delegate. */
  readonly authorizationWebhookCacheUnauthorizedTTL?: number | undefined;
  /** Path of an AuthorizationConfiguration, in place of the options above. It is read again when it changes. */
  readonly authorizationConfig?: string | undefined;
  /** Decides in place of the modes. */
  readonly authorizer?: Authorizer | undefined;
}
