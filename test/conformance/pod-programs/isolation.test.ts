import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MountNamespaces } from '../../../runtime/simulation/processes/mount-namespaces.ts';
import { describeUnless } from '../../support/skipping.ts';
import { ProgramServer } from './program-server.ts';

/* Programs of this machine that see their volumes at the container's own paths. */

const opened = await MountNamespaces.open();
const account = '/var/run/secrets/kubernetes.io/serviceaccount';
const pods = 'api/v1/pods';

describeUnless(typeof opened === 'string' ? `no mount namespaces: ${opened}` : undefined)('isolation: namespaces', () => {
  const server = new ProgramServer((folder) => ({
    isolation: 'namespaces',
    programs: [
      {
        image: 'example.com/team/*',
        command: [process.execPath, 'program.mjs'],
        cwd: folder,
        // the program reads files below this folder
        env: { CONTAINER_ROOT: '' },
        tools: ['cat', 'ls', 'touch', 'sh'],
      },
    ],
  }));
  const settings = { name: 'settings', configMap: { name: 'settings' } };
  const data = { name: 'data', emptyDir: {} };

  test.each([
    ['a folder that this machine does not have', '/a-place/that-is/not-there'],
    ['a folder in one that it has', '/etc/not-there'],
    ['a folder in /tmp', '/tmp/k8s-webhook-server/serving-certs'],
    ['a folder that it has', '/etc'],
    ['a folder behind a link', '/var/run/settings'],
  ])('a volume is at %s', async (_, mountPath) => {
    const path = await server.namespace();
    await server.post(path('api/v1/configmaps'), { metadata: { name: 'settings' }, data: { color: 'red' } });
    const container = { args: ['read', `${mountPath}/color`, `${account}/namespace`], volumeMounts: [{ name: 'settings', mountPath }] };
    const log = await server.logOf(path(pods), container, { volumes: [settings] });
    const namespace = path(pods).split('/')[4];
    expect(log).toBe(`${mountPath}/color=red\n${account}/namespace=${namespace}\n`);
    if (mountPath !== '/etc') expect(existsSync(mountPath)).toBe(false);
  });

  test('a single file is mounted in a folder that keeps its others', async () => {
    const path = await server.namespace();
    await server.post(path('api/v1/configmaps'), { metadata: { name: 'settings' }, data: { color: 'red' } });
    const volumeMounts = [{ name: 'settings', mountPath: '/etc/color.conf', subPath: 'color' }];
    await server.create(path(pods), { args: ['stay'], volumeMounts }, { volumes: [settings] });
    await server.logLine(path(pods, 'program'), /staying/);
    expect((await server.exec(path(pods, 'program'), 'cat', '/etc/color.conf')).output).toBe('red');
    expect((await server.exec(path(pods, 'program'), 'ls', '/etc/passwd')).output).toBe('/etc/passwd\n');
  });

  test('commands see the files of the program, and a termination message has its own path', async () => {
    const path = await server.namespace();
    const container = { args: ['message', '/dev/termination-log', 'because'] };
    await server.create(path(pods), container);
    const { status } = await server.ended(path(pods, 'program'));
    expect(status.containerStatuses[0].state.terminated).toMatchObject({ exitCode: 1, message: 'because' });
    await server.create(path(pods), { args: ['wrote', '/tmp/file', 'own'] }, {}, 'other');
    await server.logLine(path(pods, 'other'), /staying/);
    expect((await server.exec(path(pods, 'other'), 'sh', '-c', 'pwd; cat /tmp/file')).output).toBe('/\nown');
    expect(existsSync('/tmp/file')).toBe(false);
  });

  test.each([
    { readOnly: true, output: 'Read-only file system' },
    { readOnly: false, output: '' },
  ])('a mount that is readOnly: $readOnly', async ({ readOnly, output }) => {
    const path = await server.namespace();
    await server.create(
      path(pods),
      { args: ['stay'], volumeMounts: [{ name: 'data', mountPath: '/data', readOnly }] },
      { volumes: [data] },
    );
    await server.logLine(path(pods, 'program'), /staying/);
    const { output: said } = await server.exec(path(pods, 'program'), 'touch', '/data/file');
    expect(said).toContain(output);
    expect(said === '').toBe(output === '');
  });

  test('arguments are data here, too', async () => {
    const path = await server.namespace();
    const args = ['show', 'run', '; touch /x', '$(date)', '"', "'", '--', 'bind', ''];
    const { args: shown } = JSON.parse(await server.logOf(path(pods), { args }));
    expect(shown).toEqual(args.slice(1));
  });
});

describe('where it is not possible', () => {
  test('the reason is one sentence', async () => {
    if (typeof opened === 'string') expect(opened).toMatch(/^[^\n]+$/);
    else expect(opened).toBeInstanceOf(MountNamespaces);
  });
});
