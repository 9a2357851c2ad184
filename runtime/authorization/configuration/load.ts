import { aggregate } from '../../machinery/errors/aggregate.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { fieldErrorMessage } from '../../machinery/validation/field-error.ts';
import { type AuthorizationConfiguration, decodeAuthorizationConfiguration } from './authorization-configuration.ts';
import { validateAuthorizationConfiguration } from './validation.ts';

/** An invalid AuthorizationConfiguration. The message is for its author. */
export class AuthorizationConfigurationError extends Error {}

/** Returns the name of a mode's authorizer. (GetNameForAuthorizerMode) */
export const authorizerName = (mode: string): string => mode.toLowerCase();

/**
 * Reads the file of --authorization-config.
 *
 * @param required authorizer types that the file must have
 * @throws AuthorizationConfigurationError (kubernetes pkg/kubeapiserver/authorizer LoadAndValidateData)
 */
export function loadAuthorizationConfiguration(text: string, required: readonly string[] = []): AuthorizationConfiguration {
  const configuration = decode(text);
  refuse(validateAuthorizationConfiguration(configuration).map(fieldErrorMessage));
  const own = (configuration.authorizers ?? []).filter(({ type }) => type !== 'Webhook');
  const misnamed = own.flatMap(({ type = '', name }) =>
    name === authorizerName(type) ? [] : [`expected name ${authorizerName(type)} for authorizer ${type} instead of ${name}`],
  );
  const missing = required.filter((type) => !own.some((authorizer) => authorizer.type === type)).sort();
  refuse([...misnamed, ...(missing.length === 0 ? [] : [`missing required types: [${missing.join(' ')}]`])]);
  return configuration;
}

function decode(text: string): AuthorizationConfiguration {
  try {
    return decodeAuthorizationConfiguration(Buffer.from(text));
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw new AuthorizationConfigurationError(`failed to load AuthorizationConfiguration from file: ${error.message}`);
  }
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new AuthorizationConfigurationError(aggregate(problems));
}
