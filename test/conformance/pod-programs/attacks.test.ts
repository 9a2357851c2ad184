import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { HttpClient } from '../../support/http-client.ts';
import { image, ProgramServer } from './program-server.ts';

/* What clients may not do with programs of this machine. docs/security.md says what the server guarantees. */

const server = new ProgramServer();
const pods = 'api/v1/pods';
const outside = mkdtempSync(join(tmpdir(), 'outside-'));
afterAll(() => rmSync(outside, { recursive: true, force: true }));
const mark = join(outside, 'mark');

const plain = { image: 'example.com/stranger', restartPolicy: 'Never' };

describe('a client starts nothing that the map does not name', () => {
  test.each<[string, object]>([
    ['a command of another image', { ...plain, command: ['/usr/bin/touch', mark] }],
    ['a shell of another image', { ...plain, command: ['/bin/sh', '-c', `touch ${mark}`] }],
    ['a command that is a program of this machine', { command: ['/usr/bin/touch', mark] }],
    ['a shell', { command: ['/bin/sh', '-c', `touch ${mark}`] }],
    [
      'a substitution',
      { args: ['show', `$(touch ${mark})`, `\`touch ${mark}\``, `; touch ${mark}`, `| touch ${mark}`, `\n touch ${mark}`] },
    ],
    ['a substitution in a variable', { args: ['show'], env: [{ name: 'A', value: `$(touch ${mark}); touch ${mark}` }] }],
    ['a path of programs', { args: ['show'], env: [{ name: 'PATH', value: outside }] }],
    ['an option of the interpreter', { args: ['show'], env: [{ name: 'NODE_OPTIONS', value: `--import=${join(outside, 'evil.mjs')}` }] }],
    ['a library', { args: ['show'], env: [{ name: 'LD_PRELOAD', value: join(outside, 'evil.so') }] }],
    [
      'options of shells',
      {
        args: ['show'],
        env: [
          { name: 'BASH_ENV', value: join(outside, 'evil') },
          { name: 'ENV', value: join(outside, 'evil') },
        ],
      },
    ],
    ['a working directory', { args: ['show'], workingDir: outside }],
  ])('by %s', async (_, container) => {
    writeFileSync(join(outside, 'evil.mjs'), `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, '');`);
    writeFileSync(join(outside, 'node'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const path = await server.namespace();
    await server.create(path(pods), container);
    await server.ended(path(pods, 'program'));
    expect(existsSync(mark)).toBe(false);
  });

  test('by variables of a config map', async () => {
    const path = await server.namespace();
    await server.post(path('api/v1/configmaps'), {
      metadata: { name: 'evil' },
      data: { NODE_OPTIONS: '--no-such-option', LD_PRELOAD: '/x', PATH: '/x', COLOR: 'red' },
    });
    const { env } = JSON.parse(await server.logOf(path(pods), { args: ['show'], envFrom: [{ configMapRef: { name: 'evil' } }] }));
    expect([env.COLOR, env.NODE_OPTIONS, env.LD_PRELOAD, env.PATH]).toEqual(['red', undefined, undefined, process.env.PATH]);
  });

  test.each<[string, string[]]>([
    ['a program of this machine', ['/usr/bin/touch', mark]],
    ['a shell', ['sh', '-c', `touch ${mark}`]],
    ['the interpreter', [process.execPath, '-e', `require('fs').writeFileSync('${mark}', '')`]],
    ['nothing', ['']],
  ])('by exec of %s', async (_, command) => {
    const path = await server.namespace();
    await server.create(path(pods), { args: ['stay'] });
    await server.logLine(path(pods, 'program'), /staying/);
    await server.exec(path(pods, 'program'), ...command);
    expect(existsSync(mark)).toBe(false);
  });
});

test('exec needs the right to it', async () => {
  const path = await server.namespace();
  await server.create(path(pods), { args: ['stay'] });
  const stranger = HttpClient.withoutCertificate(server.running);
  const { status } = await stranger.get(`${path(pods, 'program')}/exec?command=x&stdout=true`);
  stranger.close();
  expect(status).toBe(403);
});

describe('files of a pod do not lead out of its folder', () => {
  const secret = join(outside, 'secret');
  writeFileSync(secret, 'secret');
  const up = '../'.repeat(20);
  const hostPath = { name: 'host', hostPath: { path: outside } };
  const shared = { name: 'shared', emptyDir: {} };

  test.each<[string, object, object]>([
    ['hostPath', { args: ['read', '/host/secret'], volumeMounts: [{ name: 'host', mountPath: '/host' }] }, { volumes: [hostPath] }],
    [
      'a mount above the root',
      { args: ['read', `/${up}${outside}/secret`.slice(1)], volumeMounts: [{ name: 'shared', mountPath: `/${up}${outside}` }] },
      { volumes: [shared] },
    ],
    ['a message above the root', { args: ['exit', '0'], terminationMessagePath: `/${up}${mark}` }, {}],
    ['a working directory above the root', { args: ['exit', '0'], workingDir: `/${up}${outside}/made` }, {}],
  ])('%s', async (_, container, spec) => {
    const path = await server.namespace();
    await server.create(path(pods), container, spec);
    await server.ended(path(pods, 'program'));
    expect((await server.text(`${path(pods, 'program')}/log`)).body).not.toContain('=secret');
    expect(readdirSync(outside).filter((name) => !['secret', 'node', 'evil.mjs'].includes(name))).toEqual([]);
    expect(readFileSync(secret, 'utf8')).toBe('secret');
  });

  test.each<[string, object]>([
    ['above its volume', { subPath: `${up}${outside}` }],
    ['at the root', { subPath: outside }],
    ['by a variable', { subPathExpr: `$(UP)${outside}` }],
  ])('a subPath %s is refused', async (_, mount) => {
    const path = await server.namespace();
    const env = [{ name: 'UP', value: up }];
    const container = { args: ['read', '/data/secret'], env, volumeMounts: [{ name: 'shared', mountPath: '/data', ...mount }] };
    try {
      await server.create(path(pods), container, { volumes: [shared] });
    } catch (error) {
      expect(String(error)).toMatch(/must not contain '\.\.'|must be a relative path/);
      return;
    }
    const { status } = await server.until(
      path(pods, 'program'),
      (pod) =>
        pod?.status?.phase === 'Failed' || pod?.status?.containerStatuses?.[0].state.waiting?.reason === 'CreateContainerConfigError',
    );
    expect(JSON.stringify(status)).toMatch(/must not contain '\.\.'|must not be an absolute path/);
  });

  test.each<[string, string[], object]>([
    ['a subPath', ['read', '/data/secret'], { volumeMounts: [{ name: 'shared', mountPath: '/data', subPath: 'link' }] }],
    [
      'a mount in a mount',
      ['exit', '0'],
      {
        volumeMounts: [
          { name: 'shared', mountPath: '/data' },
          { name: 'other', mountPath: '/data/link/made' },
        ],
      },
    ],
    ['a message', ['exit', '0'], { volumeMounts: [{ name: 'shared', mountPath: '/data' }], terminationMessagePath: '/data/link/mark' }],
    ['a working directory', ['exit', '0'], { volumeMounts: [{ name: 'shared', mountPath: '/data' }], workingDir: '/data/link/made' }],
  ])('a link that another container has made is not followed by %s', async (_, args, rest) => {
    const path = await server.namespace();
    const init = { name: 'init', image, args: ['link', '/data/link', outside], volumeMounts: [{ name: 'shared', mountPath: '/data' }] };
    await server.create(path(pods), { args, ...rest }, { initContainers: [init], volumes: [shared, { name: 'other', emptyDir: {} }] });
    const { status } = await server.ended(path(pods, 'program'));
    expect(status.containerStatuses[0].state.terminated).toMatchObject({ exitCode: 128, reason: 'StartError' });
    expect(status.containerStatuses[0].state.terminated.message).toContain('leads out of its folder');
    expect(readdirSync(outside).filter((name) => !['secret', 'node', 'evil.mjs'].includes(name))).toEqual([]);
  });

  test('a message that is a link to a file outside is not read', async () => {
    const path = await server.namespace();
    const volumeMounts = [{ name: 'shared', mountPath: '/data' }];
    const container = { args: ['relink', '/data/message', secret], volumeMounts, terminationMessagePath: '/data/message' };
    await server.create(path(pods), container, { volumes: [shared] });
    const { status } = await server.ended(path(pods, 'program'));
    expect(status.containerStatuses[0].state.terminated.message).toBeUndefined();
  });
});

test('what a program prints is bounded', async () => {
  const path = await server.namespace();
  const log = await server.logOf(path(pods), { args: ['flood', '5000'] });
  expect(log.length).toBeLessThan(1.2 * 1024 * 1024);
  expect(log).toContain('line 4999 ');
});

test('variables of more than 2 MiB start nothing', async () => {
  const path = await server.namespace();
  const value = 'x'.repeat(500_000);
  const names = ['A', 'B', 'C'];
  await server.post(path('api/v1/configmaps'), { metadata: { name: 'large' }, data: { A: value } });
  const many = Array.from({ length: 50 }, (_, at) => ({
    name: `${names[at % 3]}${at}`,
    valueFrom: { configMapKeyRef: { name: 'large', key: 'A' } },
  }));
  await server.create(path(pods), { args: ['show'], env: many });
  const { status } = await server.until(
    path(pods, 'program'),
    (pod) => pod?.status?.phase === 'Failed' || pod?.status?.containerStatuses?.[0].state.waiting?.message,
  );
  expect(JSON.stringify(status)).toMatch(/argument list too long|E2BIG/);
});

test('the folders of deleted pods go', async () => {
  const path = await server.namespace();
  const { env } = JSON.parse(await server.logOf(path(pods), { args: ['show'] }));
  expect(existsSync(env.CONTAINER_ROOT)).toBe(true);
  await server.delete(path(pods, 'program'));
  await server.until(path(pods, 'program'), (pod) => pod === undefined);
  while (existsSync(env.CONTAINER_ROOT)) await new Promise(setImmediate);
});
