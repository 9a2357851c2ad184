import { randomUUID } from 'node:crypto';
import type { Clock } from '../../machinery/clock.ts';
import { serviceAccountUserName } from '../../machinery/user-info.ts';
import type { ObjectReference, TokenBinding, TokenClaims } from './claims.ts';
import type { ServiceAccountKey } from './key.ts';

/** The default of --service-account-issuer. */
export const defaultIssuer = 'https://kubernetes.default.svc.cluster.local';

export interface TokenParameters {
  readonly namespace: string;
  readonly account: ObjectReference;
  /** Empty for the server's audiences. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly binding: TokenBinding;
}

export interface GeneratedToken {
  readonly token: string;
  readonly audiences: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export type TokenGenerator = (order: TokenParameters) => Promise<GeneratedToken>;

export interface TokenGeneratorOptions {
  readonly issuer: string;
  /** The server's audiences. (--api-audiences) */
  readonly audiences: readonly string[];
  readonly key: () => Promise<ServiceAccountKey>;
  readonly clock: Clock;
}

/** Signs tokens for service accounts. (pkg/serviceaccount/jwt.go JWTTokenGenerator) */
export function jwtTokenGenerator({
  issuer,
  audiences: own,
  key: keyOf,
  clock,
}: TokenGeneratorOptions): TokenGenerator {
  return async ({ namespace, account, audiences: asked, expirationSeconds, binding }) => {
    const [key, { CompactSign }] = await Promise.all([keyOf(), import('jose/jws/compact/sign')]);
    const audiences = asked.length === 0 ? own : asked;
    const now = clock.now();
    const seconds = Math.floor(now / 1000);
    const { node, pod, secret } = binding;
    const claims: TokenClaims = {
      aud: audiences,
      exp: Math.floor(now / 1000 + expirationSeconds),
      iat: seconds,
      iss: issuer,
      jti: randomUUID(),
      'kubernetes.io': {
        namespace,
        ...(node === undefined ? {} : { node }),
        ...(pod === undefined ? {} : { pod }),
        ...(secret === undefined ? {} : { secret }),
        serviceaccount: { name: account.name, uid: account.uid },
      },
      nbf: seconds,
      sub: serviceAccountUserName(namespace, account.name),
    };
    const token = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: key.algorithm, kid: key.id })
      .sign(key.privateKey);
    return { token, audiences, expiresAt: now + expirationSeconds * 1000 };
  };
}
