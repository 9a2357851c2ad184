import { aggregate } from '../machinery/errors/aggregate.ts';
import { quote } from '../machinery/go/quote.ts';

/** The values of --authorization-mode. (kubernetes pkg/kubeapiserver/authorizer/modes) */
export const authorizationModes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'] as const;

export type AuthorizationMode = (typeof authorizationModes)[number];

/** The modes that this server has. */
const supported: ReadonlySet<string> = new Set<AuthorizationMode>(['AlwaysAllow', 'AlwaysDeny', 'RBAC']);

/** Returns what is wrong with the modes; undefined if nothing is. (BuiltInAuthorizationOptions.Validate) */
export function validateAuthorizationModes(modes: readonly string[]): string | undefined {
  const errors: string[] = [];
  if (modes.length === 0) errors.push('at least one authorization-mode must be passed');
  const known: ReadonlySet<string> = new Set(authorizationModes);
  for (const mode of modes) {
    if (!known.has(mode)) errors.push(`authorization-mode ${quote(mode)} is not a valid mode`);
    else if (!supported.has(mode)) errors.push(`authorization-mode ${quote(mode)} is not supported by this server`);
  }
  if (new Set(modes).size < modes.length) {
    errors.push(`authorization-mode [${modes.map(quote).join(' ')}] has mode specified more than once`);
  }
  return errors.length === 0 ? undefined : aggregate(errors);
}
