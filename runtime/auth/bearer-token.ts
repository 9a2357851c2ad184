import type { UserInfo } from '../machinery/user-info.ts';
import {
  type AnyRequest,
  AuthenticationError,
  type Authenticator,
  type Client,
  isAuthenticationError,
} from './authenticator.ts';

/**
 * Knows what one kind of token stands for; undefined for tokens of other kinds, AuthenticationError for those of its
 * kind that are not good.
 */
export interface TokenVerifier {
  /** For this server. */
  verify(token: string): UserInfo | undefined | Promise<UserInfo | undefined>;
  /** For somebody who is one of `audiences`. Absent where tokens know no audience: they are for this server. */
  verifyFor?(token: string, audiences: readonly string[]): Promise<AcceptedToken | undefined>;
}

export interface AcceptedToken {
  readonly user: UserInfo;
  /** Those of the audiences asked for that the token is for. */
  readonly audiences: readonly string[];
}

/** Browsers cannot set headers on WebSockets, so a subprotocol may carry the token. (apiserver request/websocket) */
const subprotocolPrefix = 'base64url.bearer.authorization.k8s.io.';

/** Longer ones are not looked at. Tokens of service accounts take about 1,000 characters. (upstream: what a header takes) */
const maxTokenLength = 64 * 1024;

/**
 * `Authorization: Bearer ...`, or the same as a WebSocket subprotocol. Throws AuthenticationError for a token that no
 * verifier knows. The credentials are taken out of the request, so that nothing behind sees them.
 */
export function bearerTokenAuthenticator(verifiers: readonly TokenVerifier[]): Authenticator {
  return {
    authenticate(request, client) {
      const token = tokenFromHeader(request, client) ?? tokenFromSubprotocol(request);
      return token === undefined ? undefined : userOf(token, request);
    },
  };

  async function userOf(token: string, request: AnyRequest): Promise<UserInfo> {
    if (token.length > maxTokenLength) throw new AuthenticationError('the bearer token is too long');
    let refusal: unknown;
    for (const verifier of verifiers) {
      try {
        const user = await verifier.verify(token);
        if (user) {
          delete request.headers.authorization;
          return user;
        }
      } catch (error) {
        if (!isAuthenticationError(error)) throw error;
        refusal ??= error;
      }
    }
    throw refusal ?? new AuthenticationError('invalid bearer token');
  }
}

const spaceWarning = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

function tokenFromHeader(request: AnyRequest, client: Client | undefined): string | undefined {
  const header = request.headers.authorization?.trim();
  if (!header) return undefined;
  const [scheme, token] = header.split(' ', 2);
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  if (token === '') client?.addWarnings(spaceWarning);
  return token || undefined;
}

function tokenFromSubprotocol(request: AnyRequest): string | undefined {
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
  const offered = String(request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim());
  const carriers = offered.filter((protocol) => protocol.startsWith(subprotocolPrefix));
  if (carriers.length === 0) return undefined;
  if (carriers.length > 1) throw new AuthenticationError('multiple base64.bearer.authorization tokens specified');
  const encoded = carriers[0].slice(subprotocolPrefix.length);
  const token = Buffer.from(encoded, 'base64url').toString('utf8');
  if (token === '' || Buffer.from(token, 'utf8').toString('base64url') !== encoded) {
    throw new AuthenticationError('invalid base64.bearer.authorization token encoding');
  }
  const rest = offered.filter((protocol) => !protocol.startsWith(subprotocolPrefix) && protocol !== '');
  if (rest.length === 0) {
    throw new AuthenticationError('missing additional subprotocol: the token cannot be the only one');
  }
  request.headers['sec-websocket-protocol'] = rest.join(',');
  return token;
}
