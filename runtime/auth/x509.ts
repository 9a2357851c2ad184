import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '../machinery/user-info.ts';
import { type AnyRequest, AuthenticationError, type Authenticator } from './authenticator.ts';

/** Where a user's credential is told apart from others of the same user. (apiserver user.CredentialIDKey) */
const credentialIdKey = 'authentication.kubernetes.io/credential-id';

interface Outcome {
  readonly user?: UserInfo;
  readonly refusal?: AuthenticationError;
}

/**
 * TLS client certificates: the subject's common name is the user, its organisations are the groups. The listener asks
 * for certificates and lets every client in; whether the chain leads to the client CA is read off the socket here.
 * A connection is looked at once. (apiserver authentication/request/x509)
 */
export function x509Authenticator(): Authenticator {
  const seen = new WeakMap<object, Outcome>();
  return {
    authenticate(request) {
      const connection = connectionOf(request);
      if (!connection) return undefined;
      let outcome = seen.get(connection.key);
      if (!outcome) {
        outcome = examine(connection.socket);
        seen.set(connection.key, outcome);
      }
      if (outcome.refusal) throw outcome.refusal;
      return outcome.user;
    },
  };
}

/** An HTTP/2 request's socket is a proxy, new for each request; its session is what the connection has one of. */
function connectionOf(request: AnyRequest): { key: object; socket: TLSSocket } | undefined {
  const socket = request.socket as TLSSocket | null;
  if (!socket || typeof socket.getPeerCertificate !== 'function') return undefined;
  const session = 'stream' in request ? request.stream.session : undefined;
  return { key: session ?? socket, socket };
}

function examine(socket: TLSSocket): Outcome {
  const certificate = socket.getPeerCertificate();
  if (!certificate?.subject) return {};
  if (!socket.authorized) {
    return { refusal: new AuthenticationError(`x509: ${socket.authorizationError ?? 'certificate not trusted'}`) };
  }
  const { CN, O } = certificate.subject as { CN?: string | string[]; O?: string | string[] };
  const name = Array.isArray(CN) ? CN[CN.length - 1] : CN;
  if (!name) return {};
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    user: {
      name,
      uid: '',
      groups: O === undefined ? [] : Array.isArray(O) ? O : [O],
      extra: { [credentialIdKey]: [`X509SHA256=${fingerprint}`] },
    },
  };
}
