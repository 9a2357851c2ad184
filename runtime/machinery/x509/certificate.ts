import { DERReader, tags } from './der-reader.ts';
import { objectIdentifier } from './der-writer.ts';

/** What the certificates that a CA signs repeat of its own. */
export interface IssuerFacts {
  /** Its name, byte for byte. */
  readonly subject: Buffer;
  /** The subject key identifier. */
  readonly keyId: Buffer | undefined;
}

/** @param certificate DER of a CA. @throws DERError */
export function readIssuer(certificate: Buffer): IssuerFacts {
  const body = new DERReader(certificate).enter(tags.sequence).enter(tags.sequence);
  if (body.nextTag === 0xa0) body.next();
  // serial number, algorithm, issuer, validity
  for (let skipped = 0; skipped < 4; skipped += 1) body.next();
  const subject = body.next().whole;
  while (!body.isAtEnd && body.nextTag !== 0xa3) body.next();
  if (body.isAtEnd) return { subject, keyId: undefined };
  const identifier = objectIdentifier('2.5.29.14');
  for (const list = body.enter(0xa3).enter(tags.sequence); !list.isAtEnd; ) {
    const parts = list.enter(tags.sequence);
    if (!parts.next().whole.equals(identifier)) continue;
    return { subject, keyId: new DERReader(parts.expect(tags.octetString).content).next().content };
  }
  return { subject, keyId: undefined };
}
