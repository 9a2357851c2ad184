import { isUtf8 } from 'node:buffer';
import type { UserInfo } from '../../machinery/user-info.ts';
import { type AnyRequest, type AuthenticationContext, AuthenticationError, type Authenticator } from '../authenticator.ts';
import type { TokenAuthenticator, TokenResult } from './token.ts';

/** Browsers cannot set headers on WebSockets, so a subprotocol may carry the token. (apiserver request/websocket) */
const subprotocolPrefix = 'base64url.bearer.authorization.k8s.io.';

/** Longer tokens are refused. Service account tokens have about 1,000 characters. (upstream: limited by the headers) */
const maxTokenLength = 64 * 1024;

/** A token in a request, and how it is removed from there. */
interface CarriedToken {
  readonly token: string;
  /** Hides the token from later handlers. */
  remove(): void;
}

/**
 * Authenticates `Authorization: Bearer ...`. Removes an accepted token from the request. (apiserver request/bearertoken)
 *
 * @param audiences the audiences of this server
 */
export const bearerTokenAuthenticator = (tokens: TokenAuthenticator, audiences: readonly string[]): Authenticator =>
  carriedTokenAuthenticator(tokens, audiences, tokenFromHeader);

/**
 * Authenticates a token in a WebSocket subprotocol. Removes an accepted token from the request, and leaves it the other
 * subprotocols. (apiserver request/websocket)
 *
 * @param audiences the audiences of this server
 */
export const subprotocolAuthenticator = (tokens: TokenAuthenticator, audiences: readonly string[]): Authenticator =>
  carriedTokenAuthenticator(tokens, audiences, tokenFromSubprotocol);

const carriedTokenAuthenticator = (
  tokens: TokenAuthenticator,
  audiences: readonly string[],
  find: (request: AnyRequest, context: AuthenticationContext | undefined) => CarriedToken | undefined,
): Authenticator => ({
  authenticate(request, context) {
    const found = find(request, context);
    if (found === undefined) return undefined;
    if (found.token.length > maxTokenLength) throw new AuthenticationError('the bearer token is too long');
    const result = tokens.authenticateToken(found.token, audiences);
    return result instanceof Promise ? result.then((response) => userOf(response, found, context)) : userOf(result, found, context);
  },
});

function userOf(response: TokenResult, carried: CarriedToken, context: AuthenticationContext | undefined): UserInfo {
  if (response === undefined) throw new AuthenticationError('invalid bearer token');
  if (response.warnings !== undefined) context?.addWarnings(...response.warnings);
  carried.remove();
  return response.user;
}

const spaceWarning = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** Returns the token of an `Authorization` header: undefined of another scheme, and empty with another space before the token. */
export function bearerTokenOf(header: string): string | undefined {
  const [scheme = '', token] = header.trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' ? token : undefined;
}

function tokenFromHeader(request: AnyRequest, context: AuthenticationContext | undefined): CarriedToken | undefined {
  const { headers } = request;
  const token = headers.authorization === undefined ? undefined : bearerTokenOf(headers.authorization);
  if (token === '') context?.addWarnings(spaceWarning);
  if (!token) return undefined;
  const remove = (): void => {
    // deleting the member would turn the headers into a slow dictionary
    headers.authorization = undefined;
  };
  return { token, remove };
}

function tokenFromSubprotocol({ headers }: AnyRequest): CarriedToken | undefined {
  if (headers.upgrade?.toLowerCase() !== 'websocket' || !headers.connection?.toLowerCase().includes('upgrade')) return undefined;
  const offered = String(headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim());
  const [carrier, ...others] = offered.filter((protocol) => protocol.startsWith(subprotocolPrefix));
  if (carrier === undefined) return undefined;
  if (others.length > 0) throw new AuthenticationError('multiple base64.bearer.authorization tokens specified');
  const token = decodedToken(carrier.slice(subprotocolPrefix.length));
  if (token === '') return undefined;
  const rest = offered.filter((protocol) => !protocol.startsWith(subprotocolPrefix));
  if (rest.length === 0) throw new AuthenticationError('missing additional subprotocol');
  const remove = (): void => {
    headers['sec-websocket-protocol'] = rest.join(',');
  };
  return { token, remove };
}

/** @throws AuthenticationError for what Go's RawURLEncoding does not decode, or decodes to other bytes than UTF-8 */
function decodedToken(encoded: string): string {
  if (!/^[\w-]*$/.test(encoded) || encoded.length % 4 === 1) {
    throw new AuthenticationError('invalid base64.bearer.authorization token encoding');
  }
  const bytes = Buffer.from(encoded, 'base64url');
  if (!isUtf8(bytes)) throw new AuthenticationError('invalid base64.bearer.authorization token');
  return bytes.toString();
}
