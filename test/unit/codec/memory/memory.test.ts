import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { codecs } from './cases.ts';
import type { Measured } from './measure.ts';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

let measured: Record<string, Record<string, Measured>>;
beforeAll(() => {
  const command = ['--import', file('../../../support/ts-loader.mjs'), file('./measure.ts')];
  const { stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '--no-warnings' },
  });
  if (stdout === '') throw new Error(stderr);
  measured = JSON.parse(stdout);
});

describe.each(codecs)('$title takes memory in proportion to its bytes', ({ title, inputs }) => {
  test.each(Object.keys(inputs))('%s', (name) => {
    const { size, attempts } = measured[title][name];
    const growth = Math.min(...attempts.map(({ once, twice }) => twice / once));
    expect({ size, attempts, isLinear: growth < 2.5 }).toMatchObject({ isLinear: true });
  });
});
