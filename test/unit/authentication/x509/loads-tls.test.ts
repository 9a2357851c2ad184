import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { issueCertificate } from '../../../../runtime/serving/x509-certificate.ts';

const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

test('a process that reads a certificate before anything uses TLS can use TLS', () => {
  const { certificate } = issueCertificate({ commonName: 'jane', use: 'client', from: 0, until: 1e12 });
  const script = `
    import { X509Certificate } from 'node:crypto';
    import { commonName } from ${url('../../../../runtime/authentication/x509/x509.ts')};
    const name = commonName(new X509Certificate(${JSON.stringify(certificate)}));
    const { createSecureContext } = await import('node:tls');
    console.log(name, typeof createSecureContext);
  `;
  const options = ['--import', new URL('../../../support/ts-loader.mjs', import.meta.url).href];
  const { stdout, stderr } = spawnSync(process.execPath, [...options, '--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  expect(stderr).toBe('');
  expect(stdout).toBe('jane function\n');
});
