import { commaSeparated, durationIfSet, file, oneOf } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: pkg/kubeapiserver/options/authorization.go) */
export const authorizationFlags: readonly ServeFlag[] = [
  {
    name: 'authorization-mode',
    option: 'authorizationMode',
    value: commaSeparated('MODE,...'),
    about:
      'Who decides what users may do, in this order: AlwaysAllow, AlwaysDeny, Node, RBAC, Webhook. Default: RBAC. ' +
      'system:masters may always do everything.',
  },
  {
    name: 'authorization-config',
    option: 'authorizationConfig',
    value: file(),
    about: 'AuthorizationConfiguration, in place of the other flags of authorization. Read again when it changes.',
  },
  {
    name: 'authorization-webhook-config-file',
    option: 'authorizationWebhookConfigFile',
    value: file(),
    about: 'Kubeconfig of the webhook that the mode Webhook asks.',
  },
  {
    name: 'authorization-webhook-version',
    option: 'authorizationWebhookVersion',
    value: oneOf(['v1', 'v1beta1'], 'v1beta1'),
    about: 'The version of SubjectAccessReview that is sent to the webhook.',
  },
  {
    name: 'authorization-webhook-cache-authorized-ttl',
    option: 'authorizationWebhookCacheAuthorizedTTL',
    value: durationIfSet(),
    about: 'How long to cache what a SubjectAccessReview allows. Default: 5m, 10s with --authorization-kubeconfig.',
  },
  {
    name: 'authorization-webhook-cache-unauthorized-ttl',
    option: 'authorizationWebhookCacheUnauthorizedTTL',
    value: durationIfSet(),
    about: 'How long to cache what a SubjectAccessReview does not allow. Default: 30s, 10s with --authorization-kubeconfig.',
  },
];
