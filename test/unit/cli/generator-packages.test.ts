import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { checkGeneratorPackages, generatorPackages } from '../../../runtime/cli/generator-packages.ts';

test('packages of the generator that are missing are named with the command that installs them', () => {
  const installed = ['@bufbuild/buf', 'ts-morph'];
  expect(() => checkGeneratorPackages((name) => installed.includes(name))).toThrow(
    'the generator needs packages that are not installed: npm install --save-dev openapi-typescript typescript@5',
  );
});

test('the generator runs where its packages are installed', () => {
  expect(() => checkGeneratorPackages()).not.toThrow();
});

test('the packages of the generator, and frameworks for tests, are optional peers', () => {
  const file = fileURLToPath(new URL('../../../package.json', import.meta.url));
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(file, 'utf8'));
  const names = generatorPackages.map((name) => name.replace(/(?<=.)@\d+$/, ''));
  const peers = [...names, 'jest', 'vitest'].sort();
  expect(Object.keys(peerDependencies)).toEqual(peers);
  expect(peerDependenciesMeta).toEqual(Object.fromEntries(peers.map((name) => [name, { optional: true }])));
});
