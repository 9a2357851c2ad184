import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { Clock } from '../machinery/clock.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { type AnyRequest, AuthenticationError, type Authenticator } from './authenticator.ts';

/** Identifies the credential among those of the same user. (apiserver user.CredentialIDKey) */
const credentialIdKey = 'authentication.kubernetes.io/credential-id';

/** What the certificate of a connection says. */
interface CertificateIdentity {
  readonly user?: UserInfo;
  readonly error?: AuthenticationError;
  /** Every certificate of the chain is valid between these times, in milliseconds since the epoch. */
  readonly validFrom: number;
  readonly validTo: number;
}

const noIdentity: CertificateIdentity = { validFrom: Number.NEGATIVE_INFINITY, validTo: Number.POSITIVE_INFINITY };

/**
 * Authenticates by TLS client certificate: the subject's common name is the user, its organizations are the groups. The
 * listener requests certificates but accepts every client; the socket says whether the chain leads to the client CA.
 *
 * The certificate is read once per connection. Its validity is checked for each request, because connections and resumed
 * TLS sessions may outlive certificates. (apiserver authentication/request/x509)
 */
export function x509Authenticator(clock: Pick<Clock, 'now'>): Authenticator {
  const seen = new WeakMap<object, CertificateIdentity>();
  return {
    authenticate(request) {
      const connection = connectionOf(request);
      if (!connection) return undefined;
      let identity = seen.get(connection.key);
      if (!identity) {
        identity = identify(connection.socket);
        seen.set(connection.key, identity);
      }
      if (identity.error) throw identity.error;
      const now = clock.now();
      if (now < identity.validFrom || now > identity.validTo) {
        throw new AuthenticationError('x509: certificate has expired or is not yet valid');
      }
      return identity.user;
    },
  };
}

/** The socket of an HTTP/2 request is a new proxy for each request, so the session identifies the connection. */
function connectionOf(request: AnyRequest): { key: object; socket: TLSSocket } | undefined {
  const socket = request.socket as TLSSocket | null;
  if (!socket || typeof socket.getPeerCertificate !== 'function') return undefined;
  const session = 'stream' in request ? request.stream.session : undefined;
  return { key: session ?? socket, socket };
}

function identify(socket: TLSSocket): CertificateIdentity {
  const certificate = socket.getPeerCertificate(true);
  if (!certificate?.subject) return noIdentity;
  if (!socket.authorized) {
    const why = socket.authorizationError ?? 'certificate not trusted';
    return { ...noIdentity, error: new AuthenticationError(`x509: ${why}`) };
  }
  const { CN, O } = certificate.subject as { CN?: string | string[]; O?: string | string[] };
  const name = Array.isArray(CN) ? CN[CN.length - 1] : CN;
  if (!name) return noIdentity;
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

/** The validity of the whole chain, as far as it is known. A root is its own issuer. */
function validityOf(leaf: DetailedPeerCertificate): Pick<CertificateIdentity, 'validFrom' | 'validTo'> {
  let { validFrom, validTo } = noIdentity;
  const seen = new Set<DetailedPeerCertificate>();
  for (let one = leaf; one !== undefined && !seen.has(one); one = one.issuerCertificate) {
    seen.add(one);
    validFrom = Math.max(validFrom, Date.parse(one.valid_from));
    validTo = Math.min(validTo, Date.parse(one.valid_to));
  }
  return { validFrom, validTo };
}
