import { aggregate } from '../machinery/errors/aggregate.ts';
import { quote } from '../machinery/go/quote.ts';

/** The values of --authorization-mode. (kubernetes pkg/kubeapiserver/authorizer/modes) */
export const authorizationModes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'] as const;

export type AuthorizationMode = (typeof authorizationModes)[number];

/** The modes that this server supports. */
const supported: ReadonlySet<string> = new Set<AuthorizationMode>(['AlwaysAllow', 'AlwaysDeny', 'Webhook', 'RBAC', 'Node']);

/**
 * Returns an error for the modes; undefined if they are valid. (BuiltInAuthorizationOptions.Validate)
 *
 * @param webhookConfigFile the kubeconfig of the mode Webhook
 */
export function validateAuthorizationModes(modes: readonly string[], webhookConfigFile?: string): string | undefined {
  const errors: string[] = [];
  if (modes.length === 0) errors.push('at least one authorization-mode must be passed');
  const known: ReadonlySet<string> = new Set(authorizationModes);
  for (const mode of modes) {
    if (!known.has(mode)) errors.push(`authorization-mode ${quote(mode)} is not a valid mode`);
    else if (!supported.has(mode)) errors.push(`authorization-mode ${quote(mode)} is not supported by this server`);
  }
  if (modes.includes('Webhook') && !webhookConfigFile) {
    errors.push("authorization-mode Webhook's authorization config file not passed");
  }
  if (webhookConfigFile && !modes.includes('Webhook')) {
    errors.push('cannot specify --authorization-webhook-config-file without mode Webhook');
  }
  if (new Set(modes).size < modes.length) {
    errors.push(`authorization-mode [${modes.map(quote).join(' ')}] has mode specified more than once`);
  }
  return errors.length === 0 ? undefined : aggregate(errors);
}
