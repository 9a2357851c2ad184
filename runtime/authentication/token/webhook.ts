import type { TokenReviewStatus } from '../../../generated/v1.35/authentication.k8s.io/v1/types.ts';
import { encodeJson } from '../../codec/json.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { quote } from '../../machinery/go/quote.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { isNetworkError } from '../../transport/network-error.ts';
import { isResponseError } from '../../transport/rest-error.ts';
import type { GenericWebhook } from '../../webhook/generic-webhook.ts';
import { AuthenticationError } from '../authenticator.ts';
import type { TokenAuthenticator, TokenResult } from './token.ts';

/** The versions of TokenReview that webhooks may speak. */
export const tokenReviewVersions = ['v1', 'v1beta1'] as const;
export type TokenReviewVersion = (typeof tokenReviewVersions)[number];

export interface WebhookTokenOptions {
  readonly webhook: Pick<GenericWebhook, 'post'>;
  readonly version: TokenReviewVersion;
  /** The audiences of this server: of tokens for which the webhook names none. */
  readonly implicitAudiences: readonly string[];
}

/**
 * Asks a webhook who the user of a token is, with a TokenReview. A webhook that cannot be reached knows no token.
 * (apiserver plugin/pkg/authenticator/token/webhook)
 */
export function webhookTokenAuthenticator(options: WebhookTokenOptions): TokenAuthenticator {
  const { webhook, version, implicitAudiences } = options;
  return {
    async authenticateToken(token, audiences): Promise<TokenResult> {
      const review = {
        ...{ kind: 'TokenReview', apiVersion: `authentication.k8s.io/${version}`, metadata: {} },
        spec: { token, ...(audiences.length > 0 && { audiences }) },
        status: { user: {} },
      };
      const status = await post(webhook, encodeJson(review));
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
async function post(webhook: Pick<GenericWebhook, 'post'>, body: Uint8Array): Promise<TokenReviewStatus> {
  let review: Json | undefined;
  try {
    review = await webhook.post(body);
  } catch (error) {
    const isAnswer = isNetworkError(error) || isResponseError(error) || isDecodeError(error);
    if (isAnswer) throw new AuthenticationError(error.message);
    throw error;
  }
  const { kind, apiVersion, status } = isJsonObject(review) ? review : {};
  if (
    kind !== 'TokenReview' ||
    !tokenReviewVersions.some((version) => apiVersion === `authentication.k8s.io/${version}`)
  ) {
    throw new AuthenticationError(`the webhook responded with ${quote(String(kind))}, not with a TokenReview`);
  }
  if (status === undefined || isStatus(status)) return status ?? {};
  throw new AuthenticationError('the webhook responded with an invalid TokenReview');
}

const isTexts = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
const isText = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string';

function isStatus(status: unknown): status is TokenReviewStatus {
  if (!isJsonObject(status)) return false;
  const { authenticated, user = {}, audiences, error } = status as Readonly<Record<string, unknown>>;
  if (!['undefined', 'boolean'].includes(typeof authenticated) || !isTexts(audiences) || !isText(error)) return false;
  if (!isJsonObject(user)) return user === null;
  const { username, uid, groups, extra } = user as Readonly<Record<string, unknown>>;
  const isExtra = extra === undefined || extra === null || (isJsonObject(extra) && Object.values(extra).every(isTexts));
  return isText(username) && isText(uid) && isTexts(groups) && isExtra;
}

function userOf({ user }: TokenReviewStatus): UserInfo {
  const { username, uid, groups, extra } = user ?? {};
  return { name: username ?? '', uid: uid ?? '', groups: groups ?? [], extra: extra ?? {} };
}
