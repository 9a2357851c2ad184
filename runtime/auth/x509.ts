import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { Clock } from '../machinery/clock.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { type AnyRequest, AuthenticationError, type Authenticator } from './authenticator.ts';

/** Where a user's credential is told apart from others of the same user. (apiserver user.CredentialIDKey) */
const credentialIdKey = 'authentication.kubernetes.io/credential-id';

interface Outcome {
  readonly user?: UserInfo;
  readonly refusal?: AuthenticationError;
  /** Milliseconds since the epoch between which every certificate of the chain is valid. */
  readonly validFrom: number;
  readonly validTo: number;
}

const stranger: Outcome = { validFrom: Number.NEGATIVE_INFINITY, validTo: Number.POSITIVE_INFINITY };

/**
 * TLS client certificates: the subject's common name is the user, its organisations are the groups. The listener asks
 * for certificates and lets every client in; whether the chain leads to the client CA is read off the socket here.
 * A connection is looked at once, and whether its certificates are still valid is asked with each request: connections
 * stay open, and TLS sessions are resumed, for longer than certificates live. (apiserver authentication/request/x509)
 */
export function x509Authenticator(clock: Pick<Clock, 'now'>): Authenticator {
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
      const now = clock.now();
      if (now < outcome.validFrom || now > outcome.validTo) {
        throw new AuthenticationError('x509: certificate has expired or is not yet valid');
      }
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
  const certificate = socket.getPeerCertificate(true);
  if (!certificate?.subject) return stranger;
  if (!socket.authorized) {
    const why = socket.authorizationError ?? 'certificate not trusted';
    return { ...stranger, refusal: new AuthenticationError(`x509: ${why}`) };
  }
  const { CN, O } = certificate.subject as { CN?: string | string[]; O?: string | string[] };
  const name = Array.isArray(CN) ? CN[CN.length - 1] : CN;
  if (!name) return stranger;
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    user: {
      name,
      uid: '',
      groups: O === undefined ? [] : Array.isArray(O) ? O : [O],
      extra: { [credentialIdKey]: [`X509SHA256=${fingerprint}`] },
    },
    ...validityOf(certificate),
  };
}

/** Of the whole chain, as far as it is known; its root is its own issuer. */
function validityOf(leaf: DetailedPeerCertificate): Pick<Outcome, 'validFrom' | 'validTo'> {
  let { validFrom, validTo } = stranger;
  const seen = new Set<DetailedPeerCertificate>();
  for (let one = leaf; one !== undefined && !seen.has(one); one = one.issuerCertificate) {
    seen.add(one);
    validFrom = Math.max(validFrom, Date.parse(one.valid_from));
    validTo = Math.min(validTo, Date.parse(one.valid_to));
  }
  return { validFrom, validTo };
}
