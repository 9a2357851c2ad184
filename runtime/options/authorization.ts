import { commaSeparated, durationIfSet, file, oneOf } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';
import { authorizer } from './option-types.ts';

/** (kube-apiserver: pkg/kubeapiserver/options/authorization.go) */
export const authorizationOptions: readonly OptionRow[] = [
  {
    option: 'authorizationMode',
    flag: 'authorization-mode',
    value: commaSeparated('MODE,...'),
    about:
      'Authorizers in the order of their decisions: AlwaysAllow, AlwaysDeny, Node, RBAC, Webhook. Default: RBAC. ' +
      'system:masters may always do everything.',
    doc:
      'AlwaysAllow, AlwaysDeny, Node, RBAC and Webhook, in the order of their decisions. Default: RBAC. With AlwaysAllow, ' +
      'every user may do everything, but requests without credentials only get health and /version.',
  },
  {
    option: 'authorizationConfig',
    flag: 'authorization-config',
    value: file(),
    about: 'AuthorizationConfiguration, which replaces the other authorization flags. Read again when it changes.',
    doc: 'Path of an AuthorizationConfiguration, which replaces the options above. Read again when it changes.',
  },
  {
    option: 'authorizationWebhookConfigFile',
    flag: 'authorization-webhook-config-file',
    value: file(),
    about: 'Kubeconfig of the webhook for the mode Webhook.',
    doc: 'Path of the kubeconfig for the mode Webhook.',
  },
  {
    option: 'authorizationWebhookVersion',
    flag: 'authorization-webhook-version',
    value: oneOf(['v1', 'v1beta1'], 'v1beta1'),
    about: 'The version of SubjectAccessReview that is sent to the webhook.',
    doc: 'The version of SubjectAccessReview for the webhook. Default: v1beta1.',
  },
  {
    option: 'authorizationWebhookCacheAuthorizedTTL',
    flag: 'authorization-webhook-cache-authorized-ttl',
    value: durationIfSet(),
    about: "How long to cache the webhook's permissions. Default: 5m, 10s with --authorization-kubeconfig.",
    doc: 'Milliseconds for which permissions are cached. Default: 300,000, or 10,000 for a delegate.',
  },
  {
    option: 'authorizationWebhookCacheUnauthorizedTTL',
    flag: 'authorization-webhook-cache-unauthorized-ttl',
    value: durationIfSet(),
    about: "How long to cache the webhook's refusals. Default: 30s, 10s with --authorization-kubeconfig.",
    doc: 'Milliseconds for which refusals are cached. Default: 30,000, or 10,000 for a delegate.',
  },
  {
    option: 'authorizer',
    check: authorizer,
    type: 'Authorizer',
    doc: 'An authorizer that replaces the modes.',
  },
];
