import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { keyPairProblem } from '../../../../runtime/kinds/core/tls-key-pair.ts';
import { issueCertificate } from '../../../../runtime/serving/x509-certificate.ts';

const make = () => issueCertificate({ commonName: 'web', use: 'server', from: 0, until: 1e12 });
const { certificate, key } = make();
const other = make();
const pemOf = (type: 'rsa' | 'dsa'): string => {
  const made =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 1024 })
      : generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 });
  return made.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
};
const garbage = (label: string): string => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;

describe('a certificate and its key', () => {
  test.each<[string, string, string, string | undefined]>([
    ['that match', certificate, key, undefined],
    ['with text around them', `subject: web\n${certificate}`, `words\n${key}`, undefined],
    ['with a certificate chain', certificate + other.certificate, key, undefined],
    ['with parameters before the key', certificate, garbage('EC PARAMETERS') + key, undefined],
    ['that are empty', '', '', 'tls: failed to find any PEM data in certificate input'],
    ['of which one is empty', certificate, '', 'tls: failed to find any PEM data in key input'],
    [
      'that are swapped',
      key,
      certificate,
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [
      'where the key is another certificate',
      certificate,
      certificate,
      'tls: found a certificate rather than a key in the PEM for the private key',
    ],
    [
      'where the certificate is another PEM block',
      garbage('A') + garbage('B'),
      key,
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
    ],
    [
      'where the key is another PEM block',
      certificate,
      garbage('A'),
      'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [A]',
    ],
    ['where the certificate is broken', garbage('CERTIFICATE'), key, 'x509: malformed certificate'],
    ['where the key is broken', certificate, garbage('PRIVATE KEY'), 'tls: failed to parse private key'],
    [
      'where the key is encrypted',
      certificate,
      garbage('RSA PRIVATE KEY').replace('AAAA', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA'),
      'tls: failed to parse private key',
    ],
    ['of different kinds', certificate, pemOf('rsa'), 'tls: private key type does not match public key type'],
    ['where the key is of an unknown kind', certificate, pemOf('dsa'), 'tls: found unknown private key type in PKCS#8 wrapping'],
    ['that do not match', certificate, other.key, 'tls: private key does not match public key'],
  ])('%s', (_name, chain, own, expected) => {
    expect(keyPairProblem(chain, own)).toBe(expected);
  });
});
