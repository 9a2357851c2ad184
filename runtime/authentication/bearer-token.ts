import type { UserInfo } from '../machinery/user-info.ts';
import {
  type AnyRequest,
  type AuthenticationContext,
  AuthenticationError,
  type Authenticator,
  isAuthenticationError,
} from './authenticator.ts';

/**
 * Authenticates one kind of token. Returns undefined for tokens of other kinds, and throws an AuthenticationError for
 * invalid ones. (apiserver authenticator.Token)
 */
export interface TokenAuthenticator {
  /** Authenticates a token for this server. */
  authenticateToken(token: string): UserInfo | undefined | Promise<UserInfo | undefined>;
  /** Authenticates a token for `audiences`. Absent if tokens have no audiences: they are for this server. */
  authenticateTokenFor?(token: string, audiences: readonly string[]): Promise<TokenAuthenticatorResponse | undefined>;
}

export interface TokenAuthenticatorResponse {
  readonly user: UserInfo;
  /** The requested audiences that the token is for. */
  readonly audiences: readonly string[];
}

/** Browsers cannot set headers on WebSockets, so a subprotocol may carry the token. (apiserver request/websocket) */
const subprotocolPrefix = 'base64url.bearer.authorization.k8s.io.';

/** Longer tokens are refused. Service account tokens have about 1,000 characters. (upstream: limited by the headers) */
const maxTokenLength = 64 * 1024;

/**
 * Authenticates `Authorization: Bearer ...`, or a token in a WebSocket subprotocol. Removes the token from the request, so
 * that later handlers do not see it.
 */
export function bearerTokenAuthenticator(authenticators: readonly TokenAuthenticator[]): Authenticator {
  return {
    authenticate(request, context) {
      const token = tokenFromHeader(request, context) ?? tokenFromSubprotocol(request);
      return token === undefined ? undefined : authenticateToken(token, request);
    },
  };

  async function authenticateToken(token: string, request: AnyRequest): Promise<UserInfo> {
    if (token.length > maxTokenLength) throw new AuthenticationError('the bearer token is too long');
    let firstError: unknown;
    for (const authenticator of authenticators) {
      try {
        const user = await authenticator.authenticateToken(token);
        if (user) {
          delete request.headers.authorization;
          return user;
        }
      } catch (error) {
        if (!isAuthenticationError(error)) throw error;
        firstError ??= error;
      }
    }
    throw firstError ?? new AuthenticationError('invalid bearer token');
  }
}

const spaceWarning = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

function tokenFromHeader(request: AnyRequest, context: AuthenticationContext | undefined): string | undefined {
  const header = request.headers.authorization?.trim();
  if (!header) return undefined;
  const [scheme, token] = header.split(' ', 2);
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  if (token === '') context?.addWarnings(spaceWarning);
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
