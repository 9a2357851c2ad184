import type { Secret } from '../../../generated/v1.35/core/v1/types.ts';
import { markLegacyToken } from '../../authentication/service-account/legacy-token-use.ts';
import {
  type InheritedTokenKeys,
  openServiceAccounts,
  type ServiceAccounts,
} from '../../authentication/service-account/service-accounts.ts';
import { bootstrapTokens } from '../../authentication/token/bootstrap.ts';
import { audienceAgnostic, type TokenAuthenticator } from '../../authentication/token/token.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { KeySource } from '../../machinery/keys.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { Random } from '../../machinery/random.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { coreObjects } from '../../resources/core-objects.ts';
import type { ResourceStores } from '../../resources/stores.ts';

export interface OwnTokensOptions {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: KeySource;
  readonly logger: Logger;
  /** Called only when a token is verified. */
  readonly stores: () => ResourceStores;
  /** For a fork: the tokens of its origin that it accepts. */
  readonly inherited?: InheritedTokenKeys | undefined;
}

/** The authenticators of tokens that this server issued or stores. */
export interface OwnTokens {
  readonly accounts: ServiceAccounts;
  readonly own: readonly TokenAuthenticator[];
}

/** Opens the authenticators of tokens with an object in this server's store: service account and bootstrap tokens. */
export async function openOwnTokens(given: OwnTokensOptions): Promise<OwnTokens> {
  const { options, clock, random, keys, logger, stores, inherited } = given;
  const getObject = coreObjects(stores);
  const onLegacyTokenUse = markLegacyToken(stores, logger);
  const accounts = await openServiceAccounts({ options, clock, random, keys, getObject, onLegacyTokenUse, inherited });
  if (!options.enableBootstrapTokenAuth) return { accounts, own: accounts.authenticators };
  const getSecret = (name: string): Secret | Promise<Secret | undefined> | undefined => {
    const found = getObject('secrets', 'kube-system', name);
    return found instanceof Promise ? found.then((stored) => stored?.decode()) : found?.decode();
  };
  const bootstrap = audienceAgnostic(accounts.audiences, bootstrapTokens(getSecret, clock));
  return { accounts, own: [...accounts.authenticators, bootstrap] };
}
