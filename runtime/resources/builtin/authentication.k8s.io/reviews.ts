import { isAuthenticationError } from '../../../auth/authenticator.ts';
import type { TokenVerifier } from '../../../auth/bearer-token.ts';
import type { Part } from '../../../machinery/object.ts';
import { badRequest } from '../../../machinery/status.ts';
import { authenticatedGroup, type UserInfo } from '../../../machinery/user-info.ts';
import type { ResourceHooks } from '../../hooks.ts';

/** Who am I? (pkg/registry/authentication/selfsubjectreview) */
export const selfSubjectReviews: ResourceHooks = {
  answer: (review, { user }) => ({ ...review, status: { userInfo: userInfo(user) } }),
};

/** Whose is this token? (pkg/registry/authentication/tokenreview) */
export const tokenReviews: ResourceHooks = {
  async answer(review, { stores }) {
    const token: string = review.spec?.token ?? '';
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const { user, error } = await verify(token, stores.tokens);
    const status: Part = user === undefined ? { user: {} } : { authenticated: true, user: userInfo(user) };
    if (error !== undefined) status.error = error;
    return { ...review, status };
  },
};

async function verify(
  token: string,
  verifiers: readonly TokenVerifier[],
): Promise<{ readonly user?: UserInfo; readonly error?: string }> {
  let error: string | undefined;
  for (const verifier of verifiers) {
    try {
      const user = await verifier.verify(token);
      if (user === undefined) continue;
      const groups = user.groups.includes(authenticatedGroup) ? user.groups : [...user.groups, authenticatedGroup];
      return { user: { ...user, groups } };
    } catch (thrown) {
      if (!isAuthenticationError(thrown)) throw thrown;
      error ??= thrown.message;
    }
  }
  return { error: error ?? 'invalid bearer token' };
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
