import type { Clock } from '../../machinery/clock.ts';
import { pendingWork } from '../../machinery/event-loop/pending-work.ts';
import { type Random, systemRandom } from '../../machinery/random.ts';
import { serviceAccountUserName } from '../../machinery/user-info.ts';
import { credentialIdOf, type ObjectReference, type TokenBinding, type TokenClaims } from './claims.ts';
import type { ServiceAccountKey } from './key.ts';

/** The default of --service-account-issuer. */
export const defaultIssuer = 'https://kubernetes.default.svc.cluster.local';

export interface TokenParameters {
  readonly namespace: string;
  readonly account: ObjectReference;
  /** The requested audiences. Empty for the server's. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly binding: TokenBinding;
}

export interface GeneratedToken {
  readonly token: string;
  readonly audiences: readonly string[];
  /** The granted validity in seconds. */
  readonly expirationSeconds: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Warnings for the client. */
  readonly warnings: readonly string[];
  /** The token's id, equal to the one in the extra of the token's user. */
  readonly credentialId: string;
}

export type TokenGenerator = (order: TokenParameters) => Promise<GeneratedToken>;

export interface TokenGeneratorOptions {
  readonly issuer: string;
  /** The server's audiences. (--api-audiences) */
  readonly audiences: readonly string[];
  readonly key: () => Promise<ServiceAccountKey>;
  readonly clock: Pick<Clock, 'now'>;
  /** Default: the system's random numbers. */
  readonly random?: Random;
  /** The maximum validity in seconds. (--service-account-max-token-expiration) Default: no maximum. */
  readonly maxExpirationSeconds?: number | undefined;
  /** Whether tokens of pods outlive the kubelet's requested time. (--service-account-extend-token-expiration) */
  readonly extendsExpiration?: boolean;
}

/**
 * The validity that the kubelet requests, in seconds. It identifies tokens of pods that may not read renewed ones.
 * (WarnOnlyBoundTokenExpirationSeconds)
 */
const warnOnlyExpiration = 3607;
/** A year in seconds. (ExpirationExtensionSeconds) */
const extendedExpiration = 365 * 24 * 3600;

/**
 * Returns a signer of service account tokens. (pkg/serviceaccount/jwt.go JWTTokenGenerator; TokenREST of service
 * accounts)
 */
export function jwtTokenGenerator(options: TokenGeneratorOptions): TokenGenerator {
  return async (order) => {
    const audiences = order.audiences.length === 0 ? options.audiences : order.audiences;
    const { expirationSeconds, warnings } = shorten(order.expirationSeconds, options.maxExpirationSeconds);
    const { clock, random = systemRandom } = options;
    const now = clock.now();
    const isExtended =
      options.extendsExpiration === true &&
      order.binding.pod !== undefined &&
      expirationSeconds === warnOnlyExpiration &&
      audiences.every((audience) => options.audiences.includes(audience));
    const claims = claimsOf(order, {
      audiences,
      now,
      issuer: options.issuer,
      id: random.uuid('token', order.namespace, order.account.name),
      expirationSeconds: isExtended ? extendedExpiration : expirationSeconds,
      warnAfterSeconds: isExtended ? expirationSeconds : undefined,
    });
    const token = await signClaims(claims, await options.key());
    const expiresAt = now + expirationSeconds * 1000;
    return { token, audiences, expirationSeconds, expiresAt, warnings, credentialId: credentialIdOf(claims.jti) };
  };
}

/** Signs claims as a JWT. */
export async function signClaims(claims: object, { privateKey, algorithm, id }: ServiceAccountKey): Promise<string> {
  const { CompactSign } = await import('jose/jws/compact/sign');
  const signing = new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader({ alg: algorithm, kid: id });
  return pendingWork.await(signing.sign(privateKey));
}

function shorten(asked: number, max = Number.POSITIVE_INFINITY): { expirationSeconds: number; warnings: string[] } {
  if (asked <= max) return { expirationSeconds: asked, warnings: [] };
  return {
    expirationSeconds: max,
    warnings: [`requested expiration of ${asked} seconds shortened to ${max} seconds`],
  };
}

interface ClaimTimes {
  readonly id: string;
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly expirationSeconds: number;
  readonly warnAfterSeconds?: number | undefined;
}

function claimsOf({ namespace, account, binding }: TokenParameters, times: ClaimTimes): TokenClaims {
  const { node, pod, secret } = binding;
  const seconds = Math.floor(times.now / 1000);
  const after = (more: number): number => Math.floor(times.now / 1000 + more);
  return {
    aud: times.audiences,
    exp: after(times.expirationSeconds),
    iat: seconds,
    iss: times.issuer,
    jti: times.id,
    'kubernetes.io': {
      namespace,
      ...(node && { node }),
      ...(pod && { pod }),
      ...(secret && { secret }),
      serviceaccount: { name: account.name, uid: account.uid },
      ...(times.warnAfterSeconds !== undefined && { warnafter: after(times.warnAfterSeconds) }),
    },
    nbf: seconds,
    sub: serviceAccountUserName(namespace, account.name),
  };
}
