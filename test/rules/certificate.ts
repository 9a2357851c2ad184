import { encodePem } from '../../runtime/machinery/go/pem.ts';
import { bits, integer, objectIdentifier, octets, sequence, tagged, time } from '../../runtime/machinery/x509/der-writer.ts';

/** The requested fields of a certificate. No test verifies its signature, so it needs no issuer's key. */
export interface CertificateFacts {
  /** The subject's key: SubjectPublicKeyInfo in base64. */
  readonly key: string;
  /** The start of validity, in seconds from now. Default: 0. */
  readonly from?: number;
  /** The end of validity, in seconds from now. Default: a day. */
  readonly until?: number;
  readonly dnsNames?: readonly string[];
  readonly emails?: readonly string[];
  /** The type of its PEM block. Default: CERTIFICATE. */
  readonly type?: string;
}

const algorithm = sequence(objectIdentifier('1.3.101.112'));

/** @param now seconds since the epoch */
export function certificatePem(facts: CertificateFacts, now: number): string {
  const { key, from = 0, until = 24 * 60 * 60, dnsNames = [], emails = [], type = 'CERTIFICATE' } = facts;
  const names = [...emails.map((email) => tagged(0x81, Buffer.from(email))), ...dnsNames.map((name) => tagged(0x82, Buffer.from(name)))];
  const alternatives = sequence(objectIdentifier('2.5.29.17'), octets(sequence(...names)));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.from([1])),
    algorithm,
    sequence(),
    sequence(time((now + from) * 1000), time((now + until) * 1000)),
    sequence(),
    Buffer.from(key, 'base64'),
    ...(names.length === 0 ? [] : [tagged(0xa3, sequence(alternatives))]),
  );
  return encodePem(type, sequence(body, algorithm, bits(Buffer.alloc(64))));
}
