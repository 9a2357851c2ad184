import { describe, expect, test } from '@jest/globals';
import { type Any, WorkloadServer } from './workload-server.ts';

/**
 * Upstream's conformance tests of files in containers, with what agnhost prints. (test/e2e/common/storage: configmap_volume.go,
 * secrets_volume.go, projected_*.go, downwardapi_volume.go, empty_dir.go; test/e2e/common/node: docker_containers.go, kubelet_etc_hosts.go)
 */
const server = new WorkloadServer();
const pods = 'api/v1/pods';

type PathOf = Awaited<ReturnType<WorkloadServer['namespace']>>;

const mounttest = (...flags: string[]): object => ({ image: 'agnhost:2.56', args: ['mounttest', ...flags] });

/** Returns the output of a finished pod. */
async function outputOf(path: PathOf, container: object, spec: object = {}, metadata: object = {}): Promise<string[]> {
  await server.post(path(pods), {
    metadata: { name: 'reads', ...metadata },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', ...container }], ...spec },
  });
  const { status } = await server.until(path(pods, 'reads'), (pod) => ['Succeeded', 'Failed'].includes(pod.status.phase));
  const { body } = await server.text(`${path(pods, 'reads')}/log`);
  expect([body, status.phase]).toEqual([body, 'Succeeded']);
  return body.split('\n');
}

async function withObjects(): Promise<PathOf> {
  const path = await server.namespace();
  await server.post(path('api/v1/configmaps'), { metadata: { name: 'source' }, data: { 'data-1': 'value-1', 'data-2': 'value-2' } });
  await server.post(path('api/v1/secrets'), { metadata: { name: 'source' }, data: { 'data-1': 'dmFsdWUtMQ==' } });
  return path;
}

const at = '/etc/volume';
const volumeMounts = [{ name: 'v', mountPath: at, readOnly: true }];
const content = (file: string, text: string): string => `content of file "${at}/${file}": ${text}`;
const mode = (file: string, text: string): string => `mode of file "${at}/${file}": ${text}`;
const items = [{ key: 'data-1', path: 'path/to/data-2' }];

describe('a volume shows its object', () => {
  const configMap = { name: 'source' };
  const secret = { secretName: 'source' };
  test.each<[string, object, string, string, object?]>([
    ['a config map', { configMap }, 'data-1', '-rw-r--r--'],
    ['a config map with defaultMode', { configMap: { ...configMap, defaultMode: 0o400 } }, 'data-1', '-r--------'],
    ['a config map with mappings', { configMap: { ...configMap, items } }, 'path/to/data-2', '-rw-r--r--'],
    ['a config map with item mode', { configMap: { ...configMap, items: [{ ...items[0], mode: 0o400 }] } }, 'path/to/data-2', '-r--------'],
    ['a config map as non-root', { configMap }, 'data-1', '-rw-r--r--', { runAsUser: 1000 }],
    [
      'a config map as non-root with FSGroup',
      { configMap: { ...configMap, defaultMode: 0o440 } },
      'data-1',
      '-r--r-----',
      { runAsUser: 1000, fsGroup: 1001 },
    ],
    ['a secret', { secret }, 'data-1', '-rw-r--r--'],
    ['a secret with defaultMode', { secret: { ...secret, defaultMode: 0o400 } }, 'data-1', '-r--------'],
    [
      'a secret as non-root with FSGroup',
      { secret: { ...secret, defaultMode: 0o400 } },
      'data-1',
      '-r--r-----',
      { runAsUser: 1000, fsGroup: 1001 },
    ],
    ['a secret with item mode', { secret: { ...secret, items: [{ ...items[0], mode: 0o400 }] } }, 'path/to/data-2', '-r--------'],
    ['a projection', { projected: { sources: [{ secret: configMap }, { configMap }], defaultMode: 0o400 } }, 'data-1', '-r--------'],
  ])('%s', async (_, volume, file, want, securityContext = {}) => {
    const container = { ...mounttest(`--file_content=${at}/${file}`, `--file_mode=${at}/${file}`), volumeMounts };
    const lines = await outputOf(await withObjects(), container, { volumes: [{ name: 'v', ...volume }], securityContext });
    expect(lines).toEqual(expect.arrayContaining([content(file, 'value-1'), mode(file, want)]));
  });

  test('a file that its mode hides is refused', async () => {
    const path = await withObjects();
    const container = { name: 'c', ...mounttest(`--file_content=${at}/data-1`), volumeMounts };
    const volumes = [{ name: 'v', configMap: { name: 'source', defaultMode: 0o400 } }];
    await server.post(path(pods), {
      metadata: { name: 'fails' },
      spec: { restartPolicy: 'Never', securityContext: { runAsUser: 1000 }, containers: [container], volumes },
    });
    await server.until(path(pods, 'fails'), ({ status }) => status.phase === 'Failed');
    expect((await server.text(`${path(pods, 'fails')}/log`)).body).toContain('permission denied');
  });

  test('the downward API', async () => {
    const metadata = { labels: { key1: 'value1', key2: 'value2' } };
    const downwardAPI = {
      items: [
        { path: 'podname', fieldRef: { fieldPath: 'metadata.name' }, mode: 0o400 },
        { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
        { path: 'cpu', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' } },
      ],
    };
    const container = {
      image: 'busybox',
      command: ['sh', '-c', `cd ${at}; cat podname; echo; cat labels cpu; echo; stat -c %a podname; echo x > new`],
      resources: { limits: { cpu: '1250m' } },
      volumeMounts,
    };
    const path = await server.namespace();
    await server.post(path(pods), {
      metadata: { name: 'reads', ...metadata },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', ...container }], volumes: [{ name: 'v', downwardAPI }] },
    });
    await server.until(path(pods, 'reads'), ({ status }) => status.phase === 'Failed');
    const { body } = await server.text(`${path(pods, 'reads')}/log`);
    expect(body).toBe('reads\nkey1="value1"\nkey2="value2"2\n400\nsh: can\'t create new: Read-only file system\n');
  });

  test('and follows it, where a subPath does not', async () => {
    const path = await withObjects();
    const script = `while ! grep -q changed ${at}/data-1; do sleep 1; done; cat ${at}/data-1 /sub`;
    const container = {
      image: 'busybox',
      command: ['sh', '-c', `cat /sub; echo; touch /tmp/begun; ${script}`],
      volumeMounts: [...volumeMounts, { name: 'v', mountPath: '/sub', subPath: 'data-1' }],
      name: 'c',
    };
    const volumes = [{ name: 'v', configMap: { name: 'source' } }];
    await server.post(path(pods), { metadata: { name: 'reads' }, spec: { restartPolicy: 'Never', containers: [container], volumes } });
    await server.until(path(pods, 'reads'), ({ status }) => status.phase === 'Running');
    for (let body = ''; body !== 'value-1\n'; ) ({ body } = await server.text(`${path(pods, 'reads')}/log`));
    await server.patch(path('api/v1/configmaps', 'source'), { data: { 'data-1': 'changed\n' } });
    await server.until(path(pods, 'reads'), ({ status }) => status.phase === 'Succeeded');
    expect((await server.text(`${path(pods, 'reads')}/log`)).body).toBe('value-1\nchanged\nvalue-1\n');
  });
});

describe('EmptyDir volumes', () => {
  const medium = { emptyDir: { medium: 'Memory' } };
  const file = `${at}/test-file`;
  const mounts = [{ name: 'v', mountPath: at }];
  test.each<[string, object, object, string[], string[]]>([
    [
      'volume on tmpfs should have the correct mode',
      medium,
      {},
      [`--fs_type=${at}`, `--file_perm=${at}`],
      [`mount type of "${at}": tmpfs`, `perms of file "${at}": -rwxrwxrwx`],
    ],
    [
      'should support (root,0644,tmpfs)',
      medium,
      {},
      [`--fs_type=${at}`, `--new_file_0644=${file}`, `--file_perm=${file}`],
      [`mount type of "${at}": tmpfs`, `perms of file "${file}": -rw-r--r--`, `content of file "${file}": mount-tester new file`],
    ],
    [
      'should support (non-root,0666,default)',
      { emptyDir: {} },
      { runAsUser: 1001 },
      [`--new_file_0666=${file}`, `--file_perm=${file}`],
      [`perms of file "${file}": -rw-rw-rw-`],
    ],
    [
      'files with FSGroup ownership should support (root,0644,tmpfs)',
      medium,
      { fsGroup: 123 },
      [`--new_file_0660=${file}`, `--file_perm=${file}`, `--file_owner=${file}`],
      [`perms of file "${file}": -rw-rw----`, `owner GID of "${file}": 123`],
    ],
  ])('%s', async (_, volume, securityContext, flags, want) => {
    const container = { ...mounttest(...flags), volumeMounts: mounts };
    const lines = await outputOf(await server.namespace(), container, { volumes: [{ name: 'v', ...volume }], securityContext });
    expect(lines).toEqual(expect.arrayContaining(want));
  });

  test('pod should support shared volumes between containers', async () => {
    const path = await server.namespace();
    const volumeMount = [{ name: 'v', mountPath: '/shared' }];
    const writer = {
      name: 'w',
      image: 'busybox',
      command: ['sh', '-c', 'echo hello > /shared/a; sleep infinity'],
      volumeMounts: volumeMount,
    };
    const script = 'while [ ! -f /shared/a ]; do sleep 1; done; cat /shared/a';
    const reader = { name: 'r', image: 'busybox', command: ['sh', '-c', script], volumeMounts: volumeMount };
    await server.post(path(pods), {
      metadata: { name: 'share' },
      spec: { restartPolicy: 'Never', containers: [reader, writer], volumes: [{ name: 'v', emptyDir: {} }] },
    });
    await server.until(path(pods, 'share'), ({ status }) => status.containerStatuses?.some(({ state }: Any) => state.terminated));
    expect((await server.text(`${path(pods, 'share')}/log?container=r`)).body).toBe('hello\n');
  });
});

describe('Containers', () => {
  test.each<[string, object, string]>([
    ['should use the image defaults if command and args are blank', { args: ['entrypoint-tester'] }, '[/agnhost entrypoint-tester]'],
    [
      "should be able to override the image's default arguments",
      { args: ['entrypoint-tester', 'override', 'arguments'] },
      '[/agnhost entrypoint-tester override arguments]',
    ],
    [
      "should be able to override the image's default command",
      { command: ['/agnhost-2', 'entrypoint-tester'] },
      '[/agnhost-2 entrypoint-tester]',
    ],
    [
      "should be able to override the image's default command and arguments",
      { command: ['/agnhost-2'], args: ['entrypoint-tester', 'override', 'arguments'] },
      '[/agnhost-2 entrypoint-tester override arguments]',
    ],
    ['should print the search path', { args: ['dns-suffix'] }, 'svc.cluster.local,cluster.local'],
  ])('%s', async (_, container, want) => {
    const lines = await outputOf(await server.namespace(), { image: 'agnhost', ...container });
    expect(lines.join('\n')).toContain(want);
  });
});

test('an image of a registry that does not exist cannot be pulled', async () => {
  const path = await server.namespace();
  const image = 'invalid.registry.k8s.io/invalid/alpine:3.1';
  await server.post(path(pods), { metadata: { name: 'pull' }, spec: { containers: [{ name: 'c', image }] } });
  const reasonOf = ({ status }: Any): string => status.containerStatuses?.[0].state.waiting?.reason;
  const { status } = await server.until(path(pods, 'pull'), (pod) => reasonOf(pod) === 'ErrImagePull');
  expect(status.containerStatuses[0].state.waiting.message).toContain(
    'Head "https://invalid.registry.k8s.io/v2/invalid/alpine/manifests/3.1": dial tcp: lookup invalid.registry.k8s.io: no such host',
  );
  await server.until(path(pods, 'pull'), (pod) => reasonOf(pod) === 'ImagePullBackOff');
});
