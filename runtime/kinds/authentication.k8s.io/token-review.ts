import type * as authentication from '../../../generated/v1.35/authentication.k8s.io/v1/types.ts';
import { isAuthenticationError } from '../../authentication/authenticator.ts';
import type { TokenAuthenticator, TokenAuthenticatorResponse } from '../../authentication/bearer-token.ts';
import { badRequest } from '../../machinery/errors/status.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { authenticatedGroup } from '../../machinery/user-info.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { toUserInfo } from './user-info.ts';

/** Responds with the user of the request, and nothing of its body. (pkg/registry/authentication/selfsubjectreview) */
export const selfSubjectReviewStrategy: RESTStrategy = {
  create: ({ kind, apiVersion }, { user, now }) => ({
    kind,
    apiVersion,
    metadata: { creationTimestamp: timeText(now) },
    status: { userInfo: toUserInfo(user) },
  }),
};

interface TokenReview extends authentication.TokenReview {
  metadata: ObjectMeta;
}

/** What authenticates the tokens of reviews. */
export interface TokenReviewOptions {
  readonly tokens: readonly TokenAuthenticator[];
  /** The audiences of this server: of tokens and of reviews without audiences. If empty, audiences are not checked. */
  readonly audiences: readonly string[];
}

/** Responds with the user that a token authenticates. (pkg/registry/authentication/tokenreview) */
export const newTokenReviewStrategy = (options: TokenReviewOptions): RESTStrategy => ({
  async create(review: TokenReview): Promise<TokenReview> {
    const { token = '', audiences = [] } = review.spec ?? {};
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const status = await authenticateToken(token, audiences.length === 0 ? options.audiences : audiences, options);
    return { ...review, status };
  },
});

const unknownToken = 'invalid bearer token';

async function authenticateToken(
  token: string,
  audiences: readonly string[],
  { tokens, audiences: apiAudiences }: TokenReviewOptions,
): Promise<authentication.TokenReviewStatus> {
  let error: string | undefined;
  for (const authenticator of tokens) {
    try {
      const response = await authenticateFor(authenticator, token, audiences, apiAudiences);
      if (response !== undefined) return toStatus(response);
    } catch (thrown) {
      if (!isAuthenticationError(thrown)) throw thrown;
      error ??= thrown.message;
    }
  }
  // Upstream first asks the authenticator of its loopback client, which knows none of these tokens.
  return { user: {}, error: error === undefined ? unknownToken : `[${unknownToken}, ${error}]` };
}

function toStatus({ user, audiences }: TokenAuthenticatorResponse): authentication.TokenReviewStatus {
  const groups = user.groups.includes(authenticatedGroup) ? user.groups : [...user.groups, authenticatedGroup];
  return {
    authenticated: true,
    user: toUserInfo({ ...user, groups }),
    ...(audiences.length === 0 ? {} : { audiences: [...audiences] }),
  };
}

/** Tokens without an audience are for the audiences of this server. (apiserver authenticator/audagnostic.go) */
async function authenticateFor(
  authenticator: TokenAuthenticator,
  token: string,
  audiences: readonly string[],
  apiAudiences: readonly string[],
): Promise<TokenAuthenticatorResponse | undefined> {
  if (authenticator.authenticateTokenFor !== undefined) return authenticator.authenticateTokenFor(token, audiences);
  const common = apiAudiences.filter((audience) => audiences.includes(audience));
  if (audiences.length > 0 && common.length === 0) return undefined;
  const user = await authenticator.authenticateToken(token);
  return user && { user, audiences: common };
}
