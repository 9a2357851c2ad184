import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { kitFiles } from '../../../kits/types/files.ts';
import { root } from '../../support/generated-project.ts';

const files = kitFiles();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the kits', () => {
  test.each([...files.keys()])('%s has the types and the version of the server (make kits)', (file) => {
    expect(read(`kits/${file}`)).toBe(files.get(file));
  });

  // the built server is copied into the wheel
  const sources = (kit: string): string[] =>
    readdirSync(join(root, 'kits', kit), { recursive: true, encoding: 'utf8' })
      .map((path) => `kits/${kit}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.(?:go|py|java)$/.test(path) && !files.has(path.slice('kits/'.length)));

  test.each(['go', 'python', 'java'].filter((kit) => existsSync(join(root, 'kits', kit))))('the kit for %s is thin', (kit) => {
    const lines = sources(kit).reduce((sum, path) => sum + read(path).split('\n').length, 0);
    expect(lines).toBeGreaterThan(0);
    expect(lines).toBeLessThan(600);
  });
});
