import type { InheritedTokenKeys } from '../../authentication/service-account/service-accounts.ts';
import type { Policy } from '../../authorization/rbac/policy.ts';
import { type Opened, part } from '../assembly/part.ts';
import { ServerAuthentication } from '../authentication/authentication.ts';
import { ServerAuthorization } from '../authorization/authorization.ts';
import type { ForkMoment } from './fork-moment.ts';
import { config } from './inputs.ts';
import { loopback, metrics } from './shared-state.ts';

const authenticationNeeds = { config, metrics, loopback };
const authorizationNeeds = { config, metrics };

/** The authenticators. A fork accepts the tokens that its origin issued earlier. */
export const authentication = part('authentication', {
  needs: authenticationNeeds,
  open: (needs) => openAuthentication(needs),
  close: (opened) => opened.close(),
  fork: {
    take: ({ accounts }) => accounts.fork(),
    open: async (keys, needs) => openAuthentication(needs, await keys),
  },
});

/** The authorizers. A fork of the current state copies the roles and bindings that its origin has read. */
export const authorization = part('authorization', {
  needs: authorizationNeeds,
  open: (needs) => openAuthorization(needs),
  close: (opened) => opened.close(),
  fork: {
    take: ({ policy }, { isCurrent }: ForkMoment) => (isCurrent ? policy.copy() : undefined),
    open: (policy, needs) => openAuthorization(needs, policy),
  },
});

function openAuthentication(
  { config, metrics, loopback }: Opened<typeof authenticationNeeds>,
  inherited?: InheritedTokenKeys,
): Promise<ServerAuthentication> {
  const { options, clock, random, keys, logger, features } = config;
  return ServerAuthentication.open({
    options,
    clock,
    random,
    keys,
    logger,
    features,
    inherited,
    stores: loopback.stores,
    metrics: metrics.delegated.authentication,
  });
}

function openAuthorization(
  { config: { options, clock, logger, minor, features }, metrics }: Opened<typeof authorizationNeeds>,
  policy?: Policy,
): Promise<ServerAuthorization> {
  return ServerAuthorization.open({ options, clock, logger, minor, features, policy, metrics: metrics.delegated.authorization });
}
