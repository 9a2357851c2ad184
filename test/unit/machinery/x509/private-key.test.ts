import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { normalizedPrivateKeyPem, privateKeyPem } from '../../../../runtime/machinery/x509/private-key.ts';

const keys: readonly (readonly [name: string, block: string, make: () => KeyObject])[] = [
  ['EC P-256', 'EC PRIVATE KEY', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
  ['EC P-384', 'EC PRIVATE KEY', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
  ['EC P-521', 'EC PRIVATE KEY', () => generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey],
  ['RSA', 'RSA PRIVATE KEY', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
  ['Ed25519', 'PRIVATE KEY', () => generateKeyPairSync('ed25519').privateKey],
];

describe('private keys are written in the form of client-go', () => {
  test.each(keys)('%s as %s', (_name, block, make) => {
    const key = make();
    const pem = privateKeyPem(key);
    expect(pem.split('\n')[0]).toBe(`-----BEGIN ${block}-----`);
    expect(pem.endsWith(`\n-----END ${block}-----\n`)).toBe(true);
    expect(createPrivateKey(pem).equals(key)).toBe(true);
    const stored = key.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(normalizedPrivateKeyPem(stored)).toBe(pem);
    expect(normalizedPrivateKeyPem(pem)).toBe(pem);
  });
});
