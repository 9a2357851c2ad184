import { expect, test } from '@jest/globals';
import { ProgramServer, runs } from './program-server.ts';

/* Containers that are programs of this machine. docs/pod-programs.md describes them. */

const server = new ProgramServer();
const pods = 'api/v1/pods';

test.each([
  { given: 'arguments', container: { args: ['show', 'a', 'b'] }, args: ['a', 'b'] },
  { given: 'a command, whose first word is the program', container: { command: ['/manager', 'show'], args: ['a'] }, args: ['a'] },
  {
    given: 'variables',
    container: { args: ['show', '$(A)', '$$(A)', '$(B)'], env: [{ name: 'A', value: 'x' }] },
    args: ['x', '$(A)', '$(B)'],
  },
  {
    given: 'what a shell would not leave as it is',
    container: { args: ['show', '; touch x', '$(date)', '`date`', '"', "'", '*', '\n', '| cat', ''] },
    args: ['; touch x', '$(date)', '`date`', '"', "'", '*', '\n', '| cat', ''],
  },
])('a program gets $given', async ({ container, args }) => {
  const path = await server.namespace();
  const shown = JSON.parse(await server.logOf(path(pods), container));
  expect(shown.args).toEqual(args);
  expect(shown.cwd).toBe(server.folder);
});

test('a program has the variables of its container, and those of its place', async () => {
  const path = await server.namespace();
  await server.post(path('api/v1/configmaps'), { metadata: { name: 'settings' }, data: { color: 'red' } });
  const env = [
    { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    { name: 'COLOR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'color' } } },
    { name: 'BOTH', value: '$(NAME)-$(COLOR)' },
  ];
  const { env: shown } = JSON.parse(await server.logOf(path(pods), { args: ['show'], env, ports: [{ containerPort: 8080 }] }));
  const { hostname, port } = new URL(server.running.url);
  expect(shown).toMatchObject({
    NAME: 'program',
    COLOR: 'red',
    BOTH: 'program-red',
    HOSTNAME: 'program',
    POD_IP: shown.POD_ADDRESS,
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    PATH: process.env.PATH,
  });
  expect(shown.POD_ADDRESS).toMatch(/^127\./);
  expect(Number(shown.PORT_8080)).toBeGreaterThan(0);
});

test.each([
  { what: 'success', args: ['exit', '0'], exitCode: 0, reason: 'Completed', phase: 'Succeeded' },
  { what: 'an exit code', args: ['exit', '42'], exitCode: 42, reason: 'Error', phase: 'Failed' },
  { what: 'a signal', args: ['kill', 'SIGKILL'], exitCode: 137, reason: 'Error', phase: 'Failed' },
  { what: 'another signal', args: ['kill', 'SIGTERM'], exitCode: 143, reason: 'Error', phase: 'Failed' },
  {
    what: 'a message',
    args: ['message', '/dev/termination-log', 'because'],
    exitCode: 1,
    reason: 'Error',
    phase: 'Failed',
    message: 'because',
  },
  {
    what: 'the end of its log',
    args: ['what'],
    exitCode: 9,
    reason: 'Error',
    phase: 'Failed',
    message: 'unknown what\n',
    policy: 'FallbackToLogsOnError',
  },
])('a program ends with $what', async ({ args, exitCode, reason, phase, message, policy }) => {
  const path = await server.namespace();
  await server.create(path(pods), { args, ...(policy && { terminationMessagePolicy: policy }) });
  const { status } = await server.ended(path(pods, 'program'));
  expect(status.phase).toBe(phase);
  expect(status.containerStatuses[0].state.terminated).toMatchObject({ exitCode, reason, ...(message && { message }) });
});

test('a program that fails is started again, and the log of its previous run is there', async () => {
  const path = await server.namespace();
  const volumes = [{ name: 'shared', emptyDir: {} }];
  const container = { args: ['once', '/data/mark'], volumeMounts: [{ name: 'shared', mountPath: '/data' }] };
  await server.create(path(pods), container, { restartPolicy: 'Always', volumes });
  const pod = await server.until(
    path(pods, 'program'),
    (one) => one?.status?.containerStatuses?.[0].restartCount === 1 && one.status.containerStatuses[0].state.running,
  );
  expect(pod.status.containerStatuses[0].lastState.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
  expect(await server.text(`${path(pods, 'program')}/log?previous=true`)).toEqual({ status: 200, body: '' });
});

test('output and errors are the log, and a follower sees them', async () => {
  const path = await server.namespace();
  expect((await server.logOf(path(pods), { args: ['errors'] })).split('\n').sort()).toEqual(['', 'err', 'out']);
  await server.create(path(pods), { args: ['stay'] }, {}, 'stays');
  expect(await server.logLine(path(pods, 'stays'), /staying\n/)).toBe('staying\n');
});

test('init containers run in order, and share volumes with the program', async () => {
  const path = await server.namespace();
  const volumeMounts = [{ name: 'shared', mountPath: '/data' }];
  const init = (name: string, args: string[]) => ({ name, image: 'example.com/team/init', args, volumeMounts });
  const initContainers = [
    init('one', ['write', '/data/a', 'first']),
    init('two', ['read', '/data/a']),
    init('three', ['write', '/data/b', 'then']),
  ];
  const log = await server.logOf(
    path(pods),
    { args: ['read', '/data/a', '/data/b'], volumeMounts },
    { initContainers, volumes: [{ name: 'shared', emptyDir: {} }] },
  );
  expect(log).toBe('/data/a=first\n/data/b=then\n');
});

test('volumes are files, and follow their objects', async () => {
  const path = await server.namespace();
  await server.post(path('api/v1/configmaps'), { metadata: { name: 'settings' }, data: { color: 'red' }, binaryData: { raw: 'AAE=' } });
  await server.post(path('api/v1/secrets'), { metadata: { name: 'secret' }, data: { key: 'c2VjcmV0' } });
  const volumes = [
    { name: 'settings', configMap: { name: 'settings', items: [{ key: 'color', path: 'deep/er/color' }] } },
    { name: 'secret', secret: { secretName: 'secret' } },
    { name: 'about', downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
  ];
  const volumeMounts = [
    { name: 'settings', mountPath: '/etc/settings' },
    { name: 'secret', mountPath: '/etc/secret', readOnly: true },
    { name: 'secret', mountPath: '/etc/one', subPath: 'key' },
    { name: 'about', mountPath: '/etc/about' },
  ];
  const account = '/var/run/secrets/kubernetes.io/serviceaccount';
  const files = ['/etc/settings/deep/er/color', '/etc/secret/key', '/etc/one', '/etc/about/name', `${account}/namespace`];
  const log = await server.logOf(path(pods), { args: ['read', ...files], volumeMounts }, { volumes });
  const namespace = path(pods).split('/')[4];
  expect(log.split('\n')).toEqual([
    `${files[0]}=red`,
    `${files[1]}=secret`,
    `${files[2]}=secret`,
    `${files[3]}=program`,
    `${files[4]}=${namespace}`,
    '',
  ]);
});

test('a deleted pod gets SIGTERM, and goes with its exit code', async () => {
  const path = await server.namespace();
  await server.create(path(pods), { args: ['graceful', '5'] });
  await server.logLine(path(pods, 'program'), /ready\n/);
  const watch = await server.watch(path(pods));
  await server.delete(path(pods, 'program'));
  const seen: object[] = [];
  for (let event = await watch.next(); event !== undefined; event = await watch.next()) {
    const { terminated } = event.object.status.containerStatuses[0].state;
    if (terminated) seen.push(terminated);
    if (event.type === 'DELETED') break;
  }
  watch.close();
  expect(seen.at(-1)).toMatchObject({ exitCode: 5, reason: 'Error' });
});

test('a program that does not end in its grace period is killed, with what it has started', async () => {
  const path = await server.namespace();
  await server.create(path(pods), { args: ['children'] });
  const log = await server.logLine(path(pods, 'program'), /child \d+\n/);
  const child = Number(/child (\d+)/.exec(log)?.[1]);
  expect(runs(child)).toBe(true);
  await server.delete(path(pods, 'program'), { gracePeriodSeconds: 1 });
  await server.until(path(pods, 'program'), (pod) => pod === undefined);
  while (runs(child)) await new Promise(setImmediate);
});

test.each([
  { what: 'the program itself', command: ['/manager', 'exit', '4'], output: '', code: '4' },
  { what: 'its other name', command: ['program', 'exit', '4'], error: 'exec: "program": executable file not found in $PATH' },
  { what: 'a shell', command: ['sh', '-c', 'id'], error: 'exec: "sh": executable file not found in $PATH' },
  { what: 'a path', command: ['/bin/sh', '-c', 'id'], error: 'exec: "/bin/sh": executable file not found in $PATH' },
])('exec of $what runs only what the map names', async ({ command, output, code, error }) => {
  const path = await server.namespace();
  await server.create(path(pods), { command: ['/manager', 'stay'] });
  await server.logLine(path(pods, 'program'), /staying/);
  const { output: printed, result } = await server.exec(path(pods, 'program'), ...command);
  if (error !== undefined) expect(result.message).toContain(error);
  else expect([printed, result.details.causes[0].message]).toEqual([output, code]);
});

test('an image that the map does not name starts nothing', async () => {
  const path = await server.namespace();
  await server.create(path(pods), { args: ['write', '/x', ''], image: 'example.com/others/program' });
  const { status } = await server.ended(path(pods, 'program'));
  expect(status.containerStatuses[0].state.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
  expect((await server.text(`${path(pods, 'program')}/log`)).body).toBe('');
});
