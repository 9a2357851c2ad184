import { X509Certificate } from 'node:crypto';
import { PemReader } from '../../machinery/go/pem.ts';

/** The certificates of a CA file. A changed file gives a new pool. */
export interface CertificatePool {
  readonly certificates: readonly X509Certificate[];
  readonly pem: string;
}

/**
 * Reads a bundle of certificates, and skips other PEM blocks. (client-go util/cert ParseCertsPEM)
 *
 * @throws Error if there is no certificate, or an invalid one
 */
export function parseCertificatePool(pem: string): CertificatePool {
  const reader = new PemReader(pem);
  const certificates: X509Certificate[] = [];
  for (let block = reader.next(); block !== undefined; block = reader.next()) {
    if (block.type === 'CERTIFICATE' && !block.hasHeaders) certificates.push(new X509Certificate(block.bytes));
  }
  if (certificates.length === 0) throw new Error('data does not contain any valid RSA or ECDSA certificates');
  return { certificates, pem };
}
