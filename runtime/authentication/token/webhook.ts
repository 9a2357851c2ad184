import type { TokenReviewStatus, UserInfo as TokenReviewUser } from '../../../generated/v1.35/authentication.k8s.io/v1/types.ts';
import { isNetworkError } from '../../client/transport/network-error.ts';
import { isResponseError } from '../../client/transport/rest-error.ts';
import type { GenericWebhook } from '../../client/webhook/generic-webhook.ts';
import { requireReview } from '../../client/webhook/review.ts';
import { listOf, mapOf, type Reader, struct } from '../../codec/configuration.ts';
import { encodeJson } from '../../codec/json.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import { bool, string } from '../../machinery/prune/values.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { AuthenticationError } from '../authenticator.ts';
import type { TokenAuthenticator, TokenResult } from './token.ts';

/** The TokenReview versions that webhooks may use. */
export const tokenReviewVersions = ['v1', 'v1beta1'] as const;
export type TokenReviewVersion = (typeof tokenReviewVersions)[number];

export interface WebhookTokenOptions {
  readonly webhook: Pick<GenericWebhook, 'post'>;
  readonly version: TokenReviewVersion;
  /** The audiences of this server, which a token has if the webhook names none. */
  readonly implicitAudiences: readonly string[];
}

/**
 * Authenticates tokens with a webhook's TokenReview. If the webhook does not respond, the token is unknown. (apiserver
 * plugin/pkg/authenticator/token/webhook)
 */
export function webhookTokenAuthenticator(options: WebhookTokenOptions): TokenAuthenticator {
  const { webhook, version, implicitAudiences } = options;
  return {
    async authenticateToken(token, audiences): Promise<TokenResult> {
      const review = {
        kind: 'TokenReview',
        apiVersion: `authentication.k8s.io/${version}`,
        metadata: {},
        spec: { token, ...(audiences.length > 0 && { audiences }) },
        status: { user: {} },
      };
      const status = await post(webhook, encodeJson(review), version);
      const named = status.audiences?.length ? status.audiences : implicitAudiences;
      const common = audiences.filter((audience) => named.includes(audience));
      if (audiences.length > 0 && common.length === 0) return undefined;
      if (status.authenticated === true) return { user: userOf(status), audiences: common };
      if (status.error) throw new AuthenticationError(status.error);
      return undefined;
    },
  };
}

/** @throws AuthenticationError */
async function post(webhook: Pick<GenericWebhook, 'post'>, body: Uint8Array, version: TokenReviewVersion): Promise<TokenReviewStatus> {
  try {
    const review = await webhook.post(body);
    requireReview(review, { group: 'authentication.k8s.io', version, kind: 'TokenReview' });
    return readers[version](review, new PruneContext(), '').status ?? {};
  } catch (error) {
    const isAnswer = isNetworkError(error) || isResponseError(error) || isDecodeError(error);
    if (isAnswer) throw new AuthenticationError(error.message);
    throw error;
  }
}

const readers: Readonly<Record<TokenReviewVersion, Reader<{ readonly status?: TokenReviewStatus }>>> = {
  v1: reader('v1'),
  v1beta1: reader('v1beta1'),
};

function reader(version: TokenReviewVersion): Reader<{ readonly status?: TokenReviewStatus }> {
  const texts: Reader<string[]> = (value, context, field) => [...listOf('string', string)(value, context, field)];
  const user = struct<TokenReviewUser>(`${version}.UserInfo`, {
    username: string,
    uid: string,
    groups: texts,
    extra: mapOf(`${version}.ExtraValue`, texts),
  });
  return struct(`${version}.TokenReview`, {
    status: struct<TokenReviewStatus>(`${version}.TokenReviewStatus`, {
      authenticated: bool,
      user,
      audiences: texts,
      error: string,
    }),
  });
}

function userOf({ user }: TokenReviewStatus): UserInfo {
  const { username, uid, groups, extra } = user ?? {};
  return { name: username ?? '', uid: uid ?? '', groups: groups ?? [], extra: extra ?? {} };
}
