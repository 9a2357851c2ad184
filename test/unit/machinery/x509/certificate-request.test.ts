import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { certificateRequestProblem } from '../../../../runtime/machinery/x509/certificate-request.ts';
import { makeCertificateRequest } from '../../../support/certificate-request.ts';

// openssl req -new -subj /CN=a, with an Ed25519 key
const signed = `MIGLMD8CAQAwDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhAFLlGEP0JQEUraxJ4UNb
eYInlxU9NbdIYWLmCJqRnHMfoAAwBQYDK2VwA0EAgqryEe4IYYcSD96l+bd5Nrn7
p16c/kgghKsaFp2Zyy0R2Bnmb524yvmgYWboJJ3r6RC5uQePA33oVdYUj+vtCQ==`;
const pem = (body: string, type = 'CERTIFICATE REQUEST'): string => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;

test.each([
  ['signed', pem(signed), undefined],
  ['signed, behind other text', `a request:\n${pem(signed)}`, undefined],
  ['nothing', '', 'PEM block type must be CERTIFICATE REQUEST'],
  ['no PEM', signed, 'PEM block type must be CERTIFICATE REQUEST'],
  ['a certificate', pem(signed, 'CERTIFICATE'), 'PEM block type must be CERTIFICATE REQUEST'],
  ['no request', pem('aGk='), 'asn1: syntax error: data truncated'],
  ['cut off', pem(signed.slice(0, 64)), 'asn1: syntax error: data truncated'],
  ['signed for another name', pem(signed.replace('BYTAq', 'BYjAq')), 'x509: Ed25519 verification failure'],
  [
    'signed in an unknown way',
    pem(signed.replace('AwBQYDK2VwA0', 'AwBQYDK2V5A0')),
    'x509: cannot verify signature: algorithm unimplemented',
  ],
])('a request that is %s', (_name, text, want) => {
  expect(certificateRequestProblem(Buffer.from(text).toString('base64'))).toBe(want);
});

test('a request with any bytes changed is refused, and never fails otherwise', () => {
  const der = Buffer.from(makeCertificateRequest({ commonName: 'a', names: [[0x82, 'b']], ca: true }).request, 'base64');
  const body = Buffer.from(der.toString().split('-----')[2], 'base64');
  const change = fc.tuple(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const changed = Buffer.from(body);
      for (const [at, by] of changes) changed[at] ^= by;
      if (changed.equals(body)) return;
      const problem = certificateRequestProblem(Buffer.from(pem(changed.toString('base64'))).toString('base64'));
      expect(problem).toMatch(/^(?:asn1|x509|crypto|pkcs12)/);
    }),
    { numRuns: 300 },
  );
});
