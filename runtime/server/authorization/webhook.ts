import type { Authorizer } from '../../authorization/authorizer.ts';
import type { AuthorizerConfiguration } from '../../authorization/configuration/authorization-configuration.ts';
import { compileMatchCondition, type MatchProgram } from '../../authorization/webhook/match-conditions.ts';
import { webhookAuthorizer } from '../../authorization/webhook/webhook-authorizer.ts';
import { defaultRetryBackoff } from '../../client/webhook/backoff.ts';
import { GenericWebhook } from '../../client/webhook/generic-webhook.ts';
import { loadWebhookKubeconfig } from '../../client/webhook/kubeconfig.ts';
import type { Clock } from '../../machinery/clock.ts';

/** Milliseconds before the first retry of a webhook. (webhook.DefaultRetryBackoff) */
const initialBackoff = 500;

export interface ConfiguredWebhook {
  readonly authorizer: Authorizer;
  close(): void;
}

/**
 * Opens the webhook of a valid configuration.
 *
 * @throws Error if its kubeconfig cannot be used
 */
export async function openWebhookAuthorizer({ name, webhook = {} }: AuthorizerConfiguration, clock: Clock): Promise<ConfiguredWebhook> {
  const { type, kubeConfigFile } = webhook.connectionInfo ?? {};
  if (type !== 'KubeConfigFile' || kubeConfigFile === undefined) {
    throw new Error(`authorizer ${name}: connectionInfo.type ${type} is not supported by this server`);
  }
  const client = new GenericWebhook({
    config: await loadWebhookKubeconfig(kubeConfigFile),
    clock,
    backoff: defaultRetryBackoff(initialBackoff),
    timeout: milliseconds(webhook.timeout),
  });
  const authorizer = webhookAuthorizer({
    webhook: client,
    clock,
    version: webhook.subjectAccessReviewVersion === 'v1' ? 'v1' : 'v1beta1',
    authorizedTTL: webhook.cacheAuthorizedRequests ? milliseconds(webhook.authorizedTTL) : 0,
    unauthorizedTTL: webhook.cacheUnauthorizedRequests ? milliseconds(webhook.unauthorizedTTL) : 0,
    decisionOnError: webhook.failurePolicy === 'Deny' ? 'deny' : 'no-opinion',
    matchConditions: (webhook.matchConditions ?? []).map(({ expression = '' }) => compiled(expression)),
  });
  return { authorizer, close: () => client.close() };
}

const milliseconds = (nanoseconds = 0n): number => Number(nanoseconds) / 1e6;

/** Compiles an expression, which validation has compiled before. */
function compiled(expression: string): MatchProgram {
  const condition = compileMatchCondition(expression);
  if (condition.problem !== undefined) throw new Error(condition.problem);
  return condition;
}
