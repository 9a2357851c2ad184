import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KubeloomCommand } from '../../support/kubeloom-command.ts';
import { missingPrograms } from '../../support/missing-programs.ts';
import { describeUnless } from '../../support/skipping.ts';

describeUnless(missingPrograms(['bash']))('completion in bash', () => {
  let command: KubeloomCommand;
  let folder: string;
  beforeAll(async () => {
    [command, folder] = await Promise.all([KubeloomCommand.make(), mkdtemp(join(tmpdir(), 'kubeloom-completion-'))]);
    await writeFile(join(folder, 'kubeloom'), `#!/bin/sh\nexec "${process.execPath}" "${command.main}" "$@"\n`);
    await chmod(join(folder, 'kubeloom'), 0o755);
  });
  afterAll(async () => {
    await Promise.all([command?.remove(), rm(folder, { recursive: true, force: true })]);
  });

  /** Returns what bash offers after the words. */
  function offered(...words: readonly string[]): Promise<string[]> {
    const script = `source <(kubeloom completion bash)
COMP_WORDS=(kubeloom ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_kubeloom; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const options = { cwd: folder, env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` } };
    return new Promise((resolve, reject) => {
      execFile('bash', ['-c', script], options, (error, stdout) => (error ? reject(error) : resolve(stdout.split('\n').filter(Boolean))));
    });
  }

  test.each([
    [['ser'], ['serve']],
    [['store', 'ba'], ['backup']],
    [['serve', '--simulate-n'], ['--simulate-nodes']],
    [['serve', '--storage=memory', '--audit-policy'], ['--audit-policy-file']],
    [['store', 'check', '--data'], ['--data-dir']],
    [['fly', '--x'], []],
  ])('of %j offers %j', async (words, want) => expect(await offered(...words)).toEqual(want));

  test.each([['fly'], ['bash', 'zsh']])('refuses %s', async (...shells) => {
    expect(await command.run('completion', ...shells)).toMatchObject({
      code: 1,
      stderr: 'kubeloom: completion needs one of: bash, zsh, fish\n',
    });
  });
});
