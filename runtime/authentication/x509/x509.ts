import type { X509Certificate } from 'node:crypto';
// Loaded first on purpose: if toLegacyObject loads this module first, Node 20 leaves it without createSecureContext.
import 'node:tls';
import type { Clock } from '../../machinery/clock.ts';
import { credentialIdKey, type UserInfo } from '../../machinery/user-info.ts';
import { AuthenticationError, type Authenticator } from '../authenticator.ts';
import type { CertificatePool } from './ca-bundle.ts';
import { PeerCertificates } from './peer-certificate.ts';

/** The attribute of a subject with the user's uid. (apimachinery pkg/apis/asn1) */
const uidAttribute = '1.3.6.1.4.1.57683.2';

export interface X509Options {
  /** Returns the current CAs for client certificates. */
  readonly pool: () => CertificatePool;
  readonly clock: Pick<Clock, 'now'>;
  /** Whether subjects may have a uid. (AllowParsingUserUIDFromCertAuth) */
  readonly parsesUid: boolean;
}

/**
 * Authenticates by TLS client certificate: the subject's common name is the user, its organizations are the groups. The
 * listener requests certificates but accepts every client. (apiserver authentication/request/x509)
 */
export function x509Authenticator({ pool, clock, parsesUid }: X509Options): Authenticator {
  const users = new PeerCertificates(
    pool,
    () => clock.now(),
    (certificate) => userOf(certificate, parsesUid),
  );
  return { authenticate: (request) => users.of(request) };
}

type Attribute = string | readonly string[] | undefined;

/** Returns the values of a subject's attribute, which may occur several times. */
export function subjectAttribute(certificate: X509Certificate, type: string): readonly string[] {
  const value = new Map<string, Attribute>(Object.entries(certificate.toLegacyObject().subject)).get(type);
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** Returns the last common name; "" if there is none. (Go pkix.Name.FillFromRDNSequence) */
export const commonName = (certificate: X509Certificate): string => subjectAttribute(certificate, 'CN').at(-1) ?? '';

/** (CommonNameUserConversion) */
function userOf(certificate: X509Certificate, parsesUid: boolean): UserInfo | undefined {
  const name = commonName(certificate);
  if (name === '') return undefined;
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    name,
    uid: parsesUid ? uidOf(subjectAttribute(certificate, uidAttribute)) : '',
    groups: subjectAttribute(certificate, 'O'),
    extra: { [credentialIdKey]: [`X509SHA256=${fingerprint}`] },
  };
}

function uidOf(uids: readonly string[]): string {
  const [uid, ...others] = uids;
  if (uid === undefined) return '';
  if (others.length > 0) throw new AuthenticationError(`expected 1 UID, but found multiple: [${uids.join(' ')}]`);
  if (uid === '') throw new AuthenticationError('UID cannot be an empty string');
  return uid;
}
