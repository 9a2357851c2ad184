import type { UserInfo } from '../../machinery/user-info.ts';
import { type AnyRequest, type AuthenticationContext, AuthenticationError, type Authenticator } from '../authenticator.ts';
import type { TokenAuthenticator, TokenResult } from './token.ts';

/** Browsers cannot set headers on WebSockets, so a subprotocol may carry the token. (apiserver request/websocket) */
const subprotocolPrefix = 'base64url.bearer.authorization.k8s.io.';

/** Longer tokens are refused. Service account tokens have about 1,000 characters. (upstream: limited by the headers) */
const maxTokenLength = 64 * 1024;

/**
 * Authenticates `Authorization: Bearer ...`, or a token in a WebSocket subprotocol. Removes the token from the request
 * to hide it from later handlers.
 *
 * @param audiences the audiences of this server
 */
export function bearerTokenAuthenticator(tokens: TokenAuthenticator, audiences: readonly string[]): Authenticator {
  return {
    authenticate(request, context) {
      const token = tokenFromHeader(request, context) ?? tokenFromSubprotocol(request);
      if (token === undefined) return undefined;
      if (token.length > maxTokenLength) throw new AuthenticationError('the bearer token is too long');
      const result = tokens.authenticateToken(token, audiences);
      return result instanceof Promise ? result.then((response) => userOf(response, request, context)) : userOf(result, request, context);
    },
  };
}

function userOf(response: TokenResult, request: AnyRequest, context: AuthenticationContext | undefined): UserInfo {
  if (response === undefined) throw new AuthenticationError('invalid bearer token');
  if (response.warnings !== undefined) context?.addWarnings(...response.warnings);
  // deleting the member would turn the headers into a slow dictionary
  request.headers.authorization = undefined;
  return response.user;
}

const spaceWarning = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

function tokenFromHeader(request: AnyRequest, context: AuthenticationContext | undefined): string | undefined {
  const header = request.headers.authorization?.trim();
  if (!header) return undefined;
  const [scheme = '', token] = header.split(' ', 2);
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  if (token === '') context?.addWarnings(spaceWarning);
  return token || undefined;
}

function tokenFromSubprotocol(request: AnyRequest): string | undefined {
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
  const offered = String(request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim());
  const [carrier, ...others] = offered.filter((protocol) => protocol.startsWith(subprotocolPrefix));
  if (carrier === undefined) return undefined;
  if (others.length > 0) throw new AuthenticationError('multiple base64.bearer.authorization tokens specified');
  const encoded = carrier.slice(subprotocolPrefix.length);
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
