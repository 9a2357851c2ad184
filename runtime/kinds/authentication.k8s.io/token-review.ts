import { isAuthenticationError } from '../../auth/authenticator.ts';
import type { TokenAuthenticator, TokenAuthenticatorResponse } from '../../auth/bearer-token.ts';
import { badRequest } from '../../machinery/errors/status.ts';
import type { Part } from '../../machinery/object.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { authenticatedGroup, type UserInfo } from '../../machinery/user-info.ts';
import type { RESTStrategy, StorageProvider } from '../../resources/rest.ts';

/** Who am I? (pkg/registry/authentication/selfsubjectreview) */
export const selfSubjectReviewStrategy: RESTStrategy = {
  // nothing of the question comes back
  create: ({ kind, apiVersion }, { user, now }) => ({
    kind,
    apiVersion,
    metadata: { creationTimestamp: timeText(now) },
    status: { userInfo: userInfo(user) },
  }),
};

/** Whose is this token? (pkg/registry/authentication/tokenreview) */
export const tokenReviewStrategy: RESTStrategy = {
  async create(review, { stores }) {
    const token: string = review.spec?.token ?? '';
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const named: string[] = review.spec?.audiences ?? [];
    const { accepted, error } = await authenticateToken(token, named.length === 0 ? stores.audiences : named, stores);
    const status: Part = accepted === undefined ? { user: {} } : { authenticated: true, user: userInfo(accepted.user) };
    if (accepted !== undefined && accepted.audiences.length > 0) status.audiences = [...accepted.audiences];
    if (error !== undefined) status.error = error;
    return { ...review, status };
  },
};

const unknownToken = 'invalid bearer token';

async function authenticateToken(
  token: string,
  audiences: readonly string[],
  stores: StorageProvider,
): Promise<{ readonly accepted?: TokenAuthenticatorResponse; readonly error?: string }> {
  let error: string | undefined;
  for (const authenticator of stores.tokens) {
    try {
      const accepted = await verifyBy(authenticator, token, audiences, stores.audiences);
      if (accepted === undefined) continue;
      const { user } = accepted;
      const groups = user.groups.includes(authenticatedGroup) ? user.groups : [...user.groups, authenticatedGroup];
      return { accepted: { ...accepted, user: { ...user, groups } } };
    } catch (thrown) {
      if (!isAuthenticationError(thrown)) throw thrown;
      error ??= thrown.message;
    }
  }
  // upstream asks the authenticator of its own loopback client first, which knows none of these
  return { error: error === undefined ? unknownToken : `[${unknownToken}, ${error}]` };
}

/** Tokens without an audience are for this server. (apiserver authenticator/audagnostic.go) */
async function verifyBy(
  authenticator: TokenAuthenticator,
  token: string,
  audiences: readonly string[],
  own: readonly string[],
): Promise<TokenAuthenticatorResponse | undefined> {
  if (authenticator.authenticateTokenFor !== undefined) return authenticator.authenticateTokenFor(token, audiences);
  const common = own.filter((audience) => audiences.includes(audience));
  if (audiences.length > 0 && common.length === 0) return undefined;
  const user = await authenticator.authenticateToken(token);
  return user && { user, audiences: common };
}

/** authentication/v1 UserInfo */
function userInfo({ name, uid, groups, extra }: UserInfo): Part {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(extra).length === 0 ? {} : { extra: structuredClone(extra) }),
  };
}
