import { link, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { KubeloomCommand } from '../../support/kubeloom-command.ts';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';

describe('kubeloom replay', () => {
  let command: KubeloomCommand;
  let folder: string;
  const at = (name: string): string => join(folder, name);
  beforeAll(async () => {
    [command, folder] = await Promise.all([KubeloomCommand.make(), mkdtemp(join(tmpdir(), 'kubeloom-replay-'))]);
    await (await startServer({ record: at('recording'), ...quietNamespaces })).close();
    await Promise.all([
      symlink(at('recording'), at('symlink')),
      link(at('recording'), at('link')),
      writeFile(at('object.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n'),
    ]);
  });
  afterAll(async () => {
    await command?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const nothingElse = 'a server that replays a recording begins with nothing else: no --fixtures, no snapshot';
  const memory = 'a recording is replayed in memory: use --storage=memory';
  const speed = (text: string) => `invalid argument "${text}" for --speed: must be a number above 0, or max`;

  test.each<readonly [readonly string[], string]>([
    [['--simulate'], 'a recording cannot be replayed with --simulate'],
    [['--fixtures=DIR/object.yaml'], nothingElse],
    [['--snapshot=DIR/object.yaml'], nothingElse],
    [['--storage=lmdb', '--data-dir=DIR/data'], memory],
    [['--storage=etcd', '--etcd-servers=http://127.0.0.1:1'], memory],
    [['--etcd-servers=http://127.0.0.1:1'], '--etcd-servers cannot be used with --storage=memory'],
    [['--record=DIR/recording'], '--record: DIR/recording is what is replayed, and would be overwritten'],
    [['--record=DIR/symlink'], '--record: DIR/symlink is what is replayed, and would be overwritten'],
    [['--record=DIR/link'], '--record: DIR/link is what is replayed, and would be overwritten'],
    [['--kubernetes-version=1.34'], 'DIR/recording has objects of Kubernetes 1.35: use --kubernetes-version=1.35'],
    [['--paused'], '--paused needs --speed'],
    [['--at=99999999'], 'DIR/recording has the revisions 1 to N, but not 99999999'],
    [['--at=noon'], 'invalid argument "noon" for --at: must be a resourceVersion or a time, as 2026-01-01T00:00:00Z'],
    [['--at=-1'], 'DIR/recording begins at TIME, after -1'],
    [['--at='], 'invalid argument "" for --at: must be a resourceVersion or a time, as 2026-01-01T00:00:00Z'],
    ...['0', '-1', 'fast', '', 'Infinity', 'NaN', '0x10', '1e3', '1,5', ' 1', '.', 'MAX', '9'.repeat(400)].map(
      (text) => [[`--speed=${text}`], speed(text)] as const,
    ),
    [['more'], 'unexpected argument: more'],
  ])('%j is refused in one line', async (args, want) => {
    const before = await readFile(at('recording'));
    const given = args.map((arg) => arg.replaceAll('DIR', folder));
    const flags = ['--secure-port=0', `--cert-dir=${at('certs')}`];
    const { code, stdout, stderr } = await command.run('replay', at('recording'), ...flags, ...given);
    const said = stderr
      .replaceAll(folder, 'DIR')
      .replace(/(revisions 1 to )\d+/, '$1N')
      .replace(/\d{4}-\d\d-\d\dT\S+Z(?=, after)/, 'TIME');
    expect({ code, stdout, said }).toEqual({ code: 1, stdout: '', said: `kubeloom: ${want}\n` });
    expect(await readFile(at('recording'))).toEqual(before);
  });
});
