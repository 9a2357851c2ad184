import type * as authentication from '../../../generated/v1.35/authentication.k8s.io/v1/types.ts';
import { anonymousUser } from '../../authentication/anonymous.ts';
import { isAuthenticationError } from '../../authentication/authenticator.ts';
import { bearerTokenOf } from '../../authentication/token/bearer-token.ts';
import type { TokenAuthenticator, TokenAuthenticatorResponse } from '../../authentication/token/token.ts';
import { badRequest } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { authenticatedGroup } from '../../machinery/user-info.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { toUserInfo } from './user-info.ts';

/** Returns the user of the request. The body does not matter. (pkg/registry/authentication/selfsubjectreview) */
export const selfSubjectReviewStrategy: RESTStrategy = {
  create: ({ kind, apiVersion }, { user, now }) => ({
    ...defined({ kind, apiVersion }),
    metadata: { creationTimestamp: timeText(now) },
    status: { userInfo: toUserInfo(user) },
  }),
};

interface TokenReview extends authentication.TokenReview {
  metadata: ObjectMeta;
}

/** The authentication of reviewed tokens. */
export interface TokenReviewOptions {
  readonly tokens: TokenAuthenticator;
  /** Whether a request without credentials is the anonymous user's. Default: no request. */
  readonly allowsAnonymous?: () => boolean | Promise<boolean>;
  /**
   * The audiences of this server, for tokens and reviews without audiences. An empty list disables the check of
   * audiences.
   */
  readonly audiences: readonly string[];
}

/** Returns the user whom a token authenticates. (pkg/registry/authentication/tokenreview) */
export const newTokenReviewStrategy = (options: TokenReviewOptions): RESTStrategy => ({
  async create(review: TokenReview): Promise<TokenReview> {
    const { token = '', audiences = [] } = review.spec ?? {};
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const status = await authenticateToken(token, audiences.length === 0 ? options.audiences : audiences, options);
    // members that the outcome does not set keep the sent values
    const { authenticated: _, ...sent } = review.status ?? {};
    return { ...review, status: { user: {}, ...sent, ...status } };
  },
});

const unknownToken = 'invalid bearer token';

/** Authenticates a request that has nothing but the token in its header `Authorization`. */
async function authenticateToken(
  sent: string,
  audiences: readonly string[],
  { tokens, allowsAnonymous }: TokenReviewOptions,
): Promise<authentication.TokenReviewStatus> {
  const token = bearerTokenOf(`Bearer ${sent}`);
  if (!token) return (await allowsAnonymous?.()) ? toStatus({ user: anonymousUser, audiences }) : {};
  try {
    const response = await tokens.authenticateToken(token, audiences);
    return response === undefined ? { error: unknownToken } : toStatus(response);
  } catch (error) {
    if (!isAuthenticationError(error)) throw error;
    // Upstream first tries the authenticator of its loopback client, which knows none of these tokens.
    return { error: `[${[unknownToken, error.message.replace(/^\[(.*)\]$/, '$1')].join(', ')}]` };
  }
}

function toStatus({ user, audiences }: TokenAuthenticatorResponse): authentication.TokenReviewStatus {
  const isComplete = user === anonymousUser || user.groups.includes(authenticatedGroup);
  const groups = isComplete ? user.groups : [...user.groups, authenticatedGroup];
  return {
    authenticated: true,
    user: toUserInfo({ ...user, groups }),
    ...(audiences.length === 0 ? {} : { audiences: [...audiences] }),
  };
}
