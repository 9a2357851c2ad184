import type { Clock } from '../../machinery/clock.ts';
import type { Logger } from '../../machinery/logger.ts';
import { orOptionError } from '../../machinery/options/or-option-error.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { delegatesAuthorization } from '../delegated/config.ts';
import type { DelegatedRequests } from '../delegated/delegated-metrics.ts';
import { AuthorizersFile } from './authorizers-file.ts';
import { configurationFromFlags, usesConfigurationFile } from './configuration.ts';
import type { AuthorizerBuilder, ConfiguredAuthorizers } from './configured-authorizers.ts';

export interface AuthorizersOptions {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Metrics of requests to a delegate. Default: not measured. */
  readonly metrics?: DelegatedRequests;
}

export interface OpenAuthorizers extends ConfiguredAuthorizers {
  /** Reads the file again if it may have changed. Absent without a file. */
  refresh?(): Promise<void>;
}

/**
 * Opens the authorizers that the options select: the delegate's, those of a file, or those of flags.
 *
 * @throws OptionError for an invalid option or file
 */
export async function openAuthorizers(given: AuthorizersOptions, builder: AuthorizerBuilder): Promise<OpenAuthorizers> {
  const { options } = given;
  if (delegatesAuthorization(options)) {
    const { openDelegatedAuthorizer } = await import('../delegated/authorizer.ts');
    return { ...(await orOptionError('', () => openDelegatedAuthorizer(given))), types: [] };
  }
  if (usesConfigurationFile(options)) return AuthorizersFile.open(options.authorizationConfig ?? '', builder, given);
  return orOptionError('', () => builder.build(configurationFromFlags(options)));
}
