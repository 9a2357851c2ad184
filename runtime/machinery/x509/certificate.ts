import { type AlternativeNames, noAlternativeNames, readExtensions } from './alternative-names.ts';
import { DERReader, elements, tags } from './der-reader.ts';
import { objectIdentifier } from './der-writer.ts';

/** The parts of a CA's certificate that the certificates it signs repeat. */
export interface IssuerFacts {
  /** The DER of the CA's name. */
  readonly subject: Buffer;
  /** The subject key identifier. */
  readonly keyId: Buffer | undefined;
}

/**
 * @param certificate DER of a CA
 * @throws DERError
 */
export function readIssuer(certificate: Buffer): IssuerFacts {
  const body = afterIssuer(certificate);
  // validity
  body.next();
  const subject = body.next().whole;
  const identifier = objectIdentifier('2.5.29.14');
  for (const extension of elements(extensionsIn(body))) {
    const parts = new DERReader(extension.content);
    if (!parts.next().whole.equals(identifier)) continue;
    return { subject, keyId: new DERReader(parts.expect(tags.octetString).content).next().content };
  }
  return { subject, keyId: undefined };
}

/**
 * @param certificate DER
 * @throws Error in Go's words
 */
export function readAlternativeNames(certificate: Buffer): AlternativeNames {
  const names = noAlternativeNames();
  readExtensions(extensionsIn(afterIssuer(certificate)), names);
  return names;
}

/** Returns a reader of the certificate's body, positioned after the issuer. */
function afterIssuer(certificate: Buffer): DERReader {
  const body = new DERReader(certificate).enter(tags.sequence).enter(tags.sequence);
  if (body.nextTag === 0xa0) body.next();
  // serial number, algorithm, issuer
  for (let skipped = 0; skipped < 3; skipped += 1) body.next();
  return body;
}

/** Returns the list of extensions, or an empty buffer. */
function extensionsIn(body: DERReader): Buffer {
  while (!body.isAtEnd && body.nextTag !== 0xa3) body.next();
  return body.isAtEnd ? Buffer.alloc(0) : body.enter(0xa3).expect(tags.sequence).content;
}
