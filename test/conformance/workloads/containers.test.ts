import { describe, expect, test } from '@jest/globals';
import { type Any, WorkloadServer } from './workload-server.ts';

/**
 * Upstream's conformance tests of containers' output, with their titles, for commands that simulated containers
 * support. (test/e2e/common/node: configmap.go, secrets.go, downwardapi.go, expansion.go, kubelet.go, pods.go)
 */
const server = new WorkloadServer();

type PathOf = Awaited<ReturnType<WorkloadServer['namespace']>>;

const pods = 'api/v1/pods';
const env = ['sh', '-c', 'env'];
const fieldRef = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const resourceRef = (name: string, resource: string) => ({ name, valueFrom: { resourceFieldRef: { resource } } });

/** Returns the output of a finished pod. (TestContainerOutput) */
async function outputOf(path: PathOf, container: object, spec: object = {}): Promise<{ pod: Any; lines: string[] }> {
  const annotations = { 'simulation.kubeloom.dev/run-for': '10ms' };
  const containers = [{ name: 'c', image: 'busybox', command: env, ...container }];
  await server.post(path(pods), {
    metadata: { name: 'prints', annotations },
    spec: { restartPolicy: 'Never', containers, ...spec },
  });
  const pod = await server.until(path(pods, 'prints'), ({ status }) => status.phase === 'Succeeded');
  const { body } = await server.text(`${path(pods, 'prints')}/log`);
  return { pod, lines: body.split('\n') };
}

describe.each([
  {
    kind: 'ConfigMap',
    resource: 'configmaps',
    data: { 'data-1': 'value-1', 'data-2': 'value-2', 'data-3': 'value-3' },
    keyRef: 'configMapKeyRef',
    ref: 'configMapRef',
    titles: {
      key: 'should be consumable via environment variable',
      all: 'should be consumable via the environment',
      prefixes: 'should be consumable as environment variable names with various prefixes',
    },
  },
  {
    kind: 'Secrets',
    resource: 'secrets',
    data: { 'data-1': 'dmFsdWUtMQ==', 'data-2': 'dmFsdWUtMg==', 'data-3': 'dmFsdWUtMw==' },
    keyRef: 'secretKeyRef',
    ref: 'secretRef',
    titles: {
      key: 'should be consumable from pods in env vars',
      all: 'should be consumable via the environment',
      prefixes: 'should be consumable as environment variable names variable names with various prefixes',
    },
  },
])('$kind', ({ resource, data, keyRef, ref, titles }) => {
  async function create(): Promise<PathOf> {
    const path = await server.namespace();
    await server.post(path(`api/v1/${resource}`), { metadata: { name: 'source' }, data });
    return path;
  }
  const from = (prefix: string) => ({ prefix, [ref]: { name: 'source' } });
  const named = (prefix: string): string[] => ['1', '2', '3'].map((n) => `${prefix}data-${n}=value-${n}`);

  test(titles.key, async () => {
    const valueFrom = { [keyRef]: { name: 'source', key: 'data-1' } };
    const { lines } = await outputOf(await create(), { env: [{ name: 'CONFIG_DATA_1', valueFrom }] });
    expect(lines).toContain('CONFIG_DATA_1=value-1');
  });

  test.each([
    [titles.all, ['', 'p-']],
    [titles.prefixes, ['', '1-', '$_-', 'ABC_', '#@!']],
  ])('%s', async (_title, prefixes) => {
    const { lines } = await outputOf(await create(), { envFrom: prefixes.map(from) });
    expect(lines).toEqual(expect.arrayContaining(prefixes.flatMap(named)));
  });
});

test('ConfigMap should update ConfigMap successfully', async () => {
  const path = await server.namespace();
  const at = path('api/v1/configmaps', 'changed');
  await server.post(path('api/v1/configmaps'), { metadata: { name: 'changed' }, data: { 'data-1': 'value-1' } });
  await server.put(at, { metadata: { name: 'changed' }, data: { data: 'value' } });
  expect((await server.get(at)).data).toEqual({ data: 'value' });
});

describe('Downward API', () => {
  const limits = { cpu: '1250m', memory: '64Mi' };
  const requests = { cpu: '250m', memory: '32Mi' };
  test.each<{ title: string; env: object[]; resources?: object; want: (pod: Any) => string[] }>([
    {
      title: 'should provide pod name, namespace and IP address as env vars',
      env: [fieldRef('POD_NAME', 'metadata.name'), fieldRef('POD_NAMESPACE', 'metadata.namespace'), fieldRef('POD_IP', 'status.podIP')],
      want: ({ metadata, status }) => ['POD_NAME=prints', `POD_NAMESPACE=${metadata.namespace}`, `POD_IP=${status.podIP}`],
    },
    {
      title: 'should provide host IP as an env var',
      env: [fieldRef('HOST_IP', 'status.hostIP')],
      want: ({ status }) => [`HOST_IP=${status.hostIP}`],
    },
    {
      title: 'should provide hostIPs as an env var',
      env: [fieldRef('HOST_IPS', 'status.hostIPs')],
      want: ({ status }) => [`HOST_IPS=${status.hostIPs.map(({ ip }: Any) => ip)}`],
    },
    {
      title: "should provide container's limits.cpu/memory and requests.cpu/memory as env vars",
      env: [
        resourceRef('CPU_LIMIT', 'limits.cpu'),
        resourceRef('MEMORY_LIMIT', 'limits.memory'),
        resourceRef('CPU_REQUEST', 'requests.cpu'),
        resourceRef('MEMORY_REQUEST', 'requests.memory'),
      ],
      resources: { limits, requests },
      want: () => ['CPU_LIMIT=2', 'MEMORY_LIMIT=67108864', 'CPU_REQUEST=1', 'MEMORY_REQUEST=33554432'],
    },
    {
      title: 'should provide default limits.cpu/memory from node allocatable',
      env: [resourceRef('CPU_LIMIT', 'limits.cpu'), resourceRef('MEMORY_LIMIT', 'limits.memory')],
      want: () => ['CPU_LIMIT=32', `MEMORY_LIMIT=${256 * 1024 ** 3}`],
    },
    {
      title: 'should provide pod UID as env vars',
      env: [fieldRef('POD_UID', 'metadata.uid')],
      want: ({ metadata }) => [`POD_UID=${metadata.uid}`],
    },
  ])('$title', async ({ env: variables, resources, want }) => {
    const { pod, lines } = await outputOf(await server.namespace(), { env: variables, resources });
    expect(pod.status.hostIP).toMatch(/^\d+(\.\d+){3}$/);
    expect(lines).toEqual(expect.arrayContaining(want(pod)));
  });
});

describe('Variable Expansion', () => {
  test.each<[string, object, string[]]>([
    [
      'should allow composing env vars into new env vars',
      {
        env: [
          { name: 'FOO', value: 'foo-value' },
          { name: 'BAR', value: 'bar-value' },
          { name: 'FOOBAR', value: '$(FOO);;$(BAR)' },
        ],
      },
      ['FOO=foo-value', 'BAR=bar-value', 'FOOBAR=foo-value;;bar-value'],
    ],
    [
      "should allow substituting values in a container's command",
      {
        command: ['sh', '-c', 'TEST_VAR=wrong echo "$(TEST_VAR)"'],
        env: [{ name: 'TEST_VAR', value: 'test-value' }],
      },
      ['test-value'],
    ],
    [
      "should allow substituting values in a container's args",
      {
        command: ['sh', '-c'],
        args: ['TEST_VAR=wrong echo "$(TEST_VAR)"'],
        env: [{ name: 'TEST_VAR', value: 'test-value' }],
      },
      ['test-value'],
    ],
  ])('%s', async (_title, container, want) => {
    const { lines } = await outputOf(await server.namespace(), container);
    expect(lines).toEqual(expect.arrayContaining(want));
  });
});

describe('Variable Expansion in a mounted path', () => {
  const mounting = (value: string) => ({
    containers: [
      {
        name: 'c',
        image: 'busybox',
        env: [{ name: 'POD_NAME', value }],
        volumeMounts: [{ name: 'workdir1', mountPath: '/logscontainer', subPathExpr: '$(POD_NAME)' }],
      },
    ],
    volumes: [{ name: 'workdir1', emptyDir: {} }],
  });

  test.each([
    ['should fail substituting values in a volume subpath with backticks', '..'],
    ['should fail substituting values in a volume subpath with absolute path', '/tmp'],
  ])('%s', async (_title, value) => {
    const path = await server.namespace();
    await server.post(path(pods), { metadata: { name: 'fails' }, spec: mounting(value) });
    const isWaiting = ({ status }: Any): boolean => status.containerStatuses?.[0].state.waiting?.reason === 'CreateContainerConfigError';
    expect((await server.until(path(pods, 'fails'), isWaiting)).status.phase).toBe('Pending');
  });
});

describe('Kubelet', () => {
  test('when scheduling an agnhost Pod with hostAliases should write entries to /etc/hosts', async () => {
    const hostAliases = [{ ip: '123.45.67.89', hostnames: ['foo', 'bar'] }];
    const { lines } = await outputOf(await server.namespace(), { command: ['cat', '/etc/hosts'] }, { hostAliases });
    expect(lines).toContain('123.45.67.89\tfoo\tbar');
  });

  test('when scheduling a busybox command in a pod should print the output to logs', async () => {
    const path = await server.namespace();
    const container = { name: 'c', image: 'busybox', command: ['sh', '-c', "echo 'Hello World' ; sleep 240"] };
    await server.post(path(pods), {
      metadata: { name: 'prints' },
      spec: { restartPolicy: 'Never', containers: [container] },
    });
    await server.until(path(pods, 'prints'), ({ status }) => status.phase === 'Running');
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { body } = await server.text(`${path(pods, 'prints')}/log?sinceTime=${since}`);
    expect(body).toBe('Hello World\n');
  });

  const failing = {
    metadata: { name: 'fails', annotations: { 'simulation.kubeloom.dev/exit-code': '1' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['/bin/false'] }] },
  };

  test('when scheduling a busybox command that always fails in a pod should have an terminated reason', async () => {
    const path = await server.namespace();
    await server.post(path(pods), failing);
    const { status } = await server.until(path(pods, 'fails'), (pod) => pod.status.phase === 'Failed');
    expect(status.containerStatuses.map(({ state }: Any) => state.terminated)).toMatchObject([{ exitCode: 1, reason: 'Error' }]);
  });

  test('when scheduling a busybox command that always fails in a pod should be possible to delete', async () => {
    const path = await server.namespace();
    await server.post(path(pods), failing);
    await server.delete(path(pods, 'fails'));
    expect(await server.untilAll(path(pods), (all) => all.length === 0)).toEqual([]);
  });
});

describe('Pods', () => {
  test('should contain environment variables for services', async () => {
    const path = await server.namespace();
    const { spec } = await server.post(path('api/v1/services'), {
      metadata: { name: 'fooservice' },
      spec: { ports: [{ port: 8765, targetPort: 8080 }], selector: { name: 'server' } },
    });
    const { lines } = await outputOf(path, {});
    const prefix = 'FOOSERVICE_PORT_8765_TCP';
    expect(lines).toEqual(
      expect.arrayContaining([
        `FOOSERVICE_SERVICE_HOST=${spec.clusterIP}`,
        'FOOSERVICE_SERVICE_PORT=8765',
        `FOOSERVICE_PORT=tcp://${spec.clusterIP}:8765`,
        `${prefix}_PORT=8765`,
        `${prefix}_PROTO=tcp`,
        `${prefix}=tcp://${spec.clusterIP}:8765`,
        `${prefix}_ADDR=${spec.clusterIP}`,
      ]),
    );
  });

  async function createAlive(): Promise<string> {
    const path = await server.namespace();
    const command = ['/bin/sh', '-c', 'echo container is alive; sleep 600'];
    await server.post(path(pods), {
      metadata: { name: 'alive' },
      spec: { containers: [{ name: 'main', image: 'busybox', command }] },
    });
    await server.until(path(pods, 'alive'), ({ status }) => status.phase === 'Running');
    return path(pods, 'alive');
  }

  test('should support remote command execution over websockets', async () => {
    const at = await createAlive();
    const query = 'stderr=1&stdout=1&container=main&command=echo&command=remote%20execution%20test';
    const messages = await server.messages(`${at}/exec?${query}`, 'channel.k8s.io');
    const printed = messages.filter((message) => message.length > 1);
    expect(printed.every(([channel]) => channel === 1)).toBe(true);
    expect(printed.map((message) => message.subarray(1).toString()).join('')).toBe('remote execution test\n');
  });

  test('should support retrieving logs from the container over websockets', async () => {
    const messages = await server.messages(`${await createAlive()}/log?container=main`, 'binary.k8s.io');
    expect(Buffer.concat(messages).toString()).toBe('container is alive\n');
  });
});
