import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { verifyChain } from '../../../../runtime/authentication/x509/verify-chain.ts';
import { bits, integer, objectIdentifier, sequence, set, tagged, utf8 } from '../../../../runtime/machinery/x509/der-writer.ts';
import { issueCertificate, type KeyPair } from '../../../../runtime/serving/x509-certificate.ts';

const day = 24 * 3600 * 1000;
const validity = { from: Date.now() - day, until: Date.now() + day };

/** Makes a root without extensions, as OpenSSL does for a request without a configuration. */
function versionOneRoot(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
  const name = sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8('old'))));
  const time = (ms: number): Buffer => tagged(0x18, Buffer.from(`${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-T:]/g, '')}Z`));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(integer(Buffer.from([7])), algorithm, name, sequence(time(validity.from), time(validity.until)), name, spki);
  const der = sequence(body, algorithm, bits(sign('sha256', body, privateKey)));
  const certificate = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

test('a root of X.509 version 1 issues client certificates, but an intermediate without CA:TRUE does not', () => {
  const root = versionOneRoot();
  const client = issueCertificate({ commonName: 'jane', use: 'client', ...validity }, root);
  const other = issueCertificate({ commonName: 'joe', use: 'client', ...validity }, client);
  const pool = { pem: root.certificate, certificates: [new X509Certificate(root.certificate)] };
  expect(verifyChain(new X509Certificate(client.certificate), pool).to).toBeGreaterThan(Date.now());
  expect(() => verifyChain(new X509Certificate(other.certificate), pool)).toThrow('x509: certificate signed by unknown authority');
});
