import { encodePem } from '../../runtime/machinery/go/pem.ts';
import { bits, integer, objectIdentifier, octets, sequence, tagged, time } from '../../runtime/machinery/x509/der-writer.ts';

/** What a row wants to be in a certificate. Nobody verifies its signature, so that it needs no key of its issuer. */
export interface CertificateFacts {
  /** Whom it is for: SubjectPublicKeyInfo in base64. */
  readonly key: string;
  /** From when it is valid, in seconds from now. Default: 0. */
  readonly from?: number;
  /** Until when, likewise. Default: in a day. */
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
