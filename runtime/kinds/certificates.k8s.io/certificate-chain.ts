import { X509Certificate } from 'node:crypto';
import { PemReader } from '../../machinery/go/pem.ts';
import { quote } from '../../machinery/go/quote.ts';
import { type Element, elements } from '../../machinery/x509/der-reader.ts';

/**
 * Returns the error of a request's certificates, or undefined. Each block may hold several certificates.
 * (pkg/apis/certificates/validation validateCertificate)
 *
 * @param chain PEM in base64
 */
export function certificateProblem(chain: string): string | undefined {
  if (chain === '') return undefined;
  const reader = new PemReader(Buffer.from(chain, 'base64').toString('latin1'));
  let blocks = 0;
  for (let block = reader.next(); block !== undefined; block = reader.next()) {
    if (block.type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${quote(block.type)}`;
    if (block.hasHeaders) return 'no PEM block headers are permitted';
    blocks += 1;
    if (block.bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    const problem = certificatesProblem(block.bytes);
    if (problem !== undefined) return problem;
  }
  return blocks === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

/** (crypto/x509 ParseCertificates) */
function certificatesProblem(der: Buffer): string | undefined {
  try {
    for (const element of elements(der)) if (!isCertificate(element.whole)) return problemOf(element);
    return undefined;
  } catch {
    return malformed;
  }
}

const malformed = 'x509: malformed certificate';
const sequence = 0x30;

function isCertificate(der: Buffer): boolean {
  try {
    return new X509Certificate(der) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the error of a sequence that is not a certificate, or of another element. */
function problemOf({ whole, content }: Element): string {
  return whole[0] === sequence && content[0] !== sequence ? 'x509: malformed tbs certificate' : malformed;
}

/** Parses a certificate that fills all bytes. Returns undefined for anything else. (crypto/x509 ParseCertificate) */
export function parseCertificate(der: Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(der);
    return certificate.raw.length === der.length ? certificate : undefined;
  } catch {
    return undefined;
  }
}
