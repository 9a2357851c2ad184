import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { samePublicKey } from '../../../../runtime/machinery/x509/public-key.ts';

test('a key is the same as itself, and not as others of any type', () => {
  const keys = [
    generateKeyPairSync('ed25519').publicKey,
    generateKeyPairSync('ed25519').publicKey,
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey,
    generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey,
  ];
  const same = keys.map((a) => keys.map((b) => samePublicKey(a, b)));
  expect(same).toEqual(keys.map((_a, i) => keys.map((_b, j) => i === j)));
});
