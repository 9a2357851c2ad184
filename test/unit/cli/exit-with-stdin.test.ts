import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KubeloomCommand } from '../../support/kubeloom-command.ts';

const guide = readFileSync(fileURLToPath(new URL('../../../docs/testing.md', import.meta.url)), 'utf8');
const [, command] = /^npx kubeloom (serve .+)$/m.exec(guide) as RegExpExecArray;
const flags = command.split(' ').slice(1, -1);

describe('the server that docs/testing.md starts from other languages', () => {
  let folder: string;
  let kubeloom: KubeloomCommand;
  let server: ChildProcess | undefined;
  beforeAll(async () => {
    [kubeloom, folder] = await Promise.all([KubeloomCommand.make(), mkdtemp(join(tmpdir(), 'kubeloom-guide-'))]);
  });
  afterAll(async () => {
    server?.kill('SIGKILL');
    await Promise.all([kubeloom?.remove(), rm(folder, { recursive: true, force: true })]);
  });

  test('writes a kubeconfig when it is ready, and ends when its input ends', async () => {
    const child = spawn(process.execPath, [kubeloom.main, ...command.split(' ')], { cwd: folder });
    server = child;
    const ended = once(child, 'exit');
    await Promise.race([once(child.stdout, 'data'), ended]);
    expect(existsSync(join(folder, 'kubeconfig'))).toBe(true);
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  test.each(['Go', 'Python', 'Java'])('is started with the same flags in %s', (language) => {
    const [, chapter] = guide.split(`### ${language}\n`);
    for (const flag of flags) expect(chapter.split('\n### ')[0]).toContain(`"${flag}"`);
  });
});
