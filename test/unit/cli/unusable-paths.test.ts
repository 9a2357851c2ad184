import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KubeloomCommand } from '../../support/kubeloom-command.ts';

let command: KubeloomCommand;
let base: string;
beforeAll(async () => {
  command = await KubeloomCommand.make();
  base = await mkdtemp(join(tmpdir(), 'kubeloom-paths-'));
  await writeFile(join(base, 'file'), '');
});
afterAll(async () => {
  await command?.remove();
  await rm(base, { recursive: true, force: true });
});

/** Folders that cannot be created: below a file and, if it exists, below /proc. */
const places = ['file/x', ...(existsSync('/proc') ? ['/proc/kubeloom/x'] : [])];

test.each(places.flatMap((place) => ['--data-dir', '--cert-dir', '--write-kubeconfig', '--record'].map((flag) => [flag, place])))(
  'serve %s=%s ends with a line that says so',
  async (flag, place) => {
    const path = place.startsWith('/') ? place : join(base, place);
    const storage = flag === '--data-dir' ? 'lmdb' : 'memory';
    const { code, stderr } = await command.run('serve', `--storage=${storage}`, '--secure-port=0', `${flag}=${path}`);
    const lines = stderr.split('\n').filter((line) => line.startsWith('kubeloom: '));
    expect([code, lines.length]).toEqual([1, 1]);
    expect(lines[0]).toContain(dirname(path));
  },
);
