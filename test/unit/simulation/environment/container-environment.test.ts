import { describe, expect, test } from '@jest/globals';
import type { Container, Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import {
  configurationProblem,
  containerEnvironment,
  expandedCommand,
} from '../../../../runtime/simulation/environment/container-environment.ts';
import { clusterObjects } from '../../../support/cluster-objects.ts';

/* (pkg/kubelet/kubelet_pods_test.go TestMakeEnvironmentVariables; third_party/forked/golang/expansion) */

const namespace = 'ns';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const service = (name: string, clusterIP: string, ports: object[], inNamespace = namespace) => ({
  kind: 'Service',
  metadata: { name, namespace: inNamespace },
  spec: { clusterIP, ports },
});
const objects = clusterObjects(
  { kind: 'ConfigMap', metadata: { name: 'settings', namespace }, data: { COLOUR: 'red', path: '/a' } },
  { kind: 'Secret', metadata: { name: 'hidden', namespace }, data: { password: base64('p$(COLOUR)') } },
  { kind: 'Node', metadata: { name: 'node' }, status: { allocatable: { cpu: '4', memory: '8Gi' } } },
  service('kubernetes', '10.96.0.1', [{ name: 'https', port: 443, protocol: 'TCP' }], 'default'),
  service('my-db', '10.96.0.7', [
    { port: 53, protocol: 'UDP' },
    { name: 'sql-2', port: 5432, protocol: 'TCP' },
  ]),
  service('headless', 'None', [{ port: 80 }]),
  service('elsewhere', '10.96.0.9', [{ port: 80 }], 'other'),
);

function podOf(container: Partial<Container>, spec: object = {}): Pod {
  return {
    metadata: { name: 'web', namespace, uid: 'u1', labels: { app: 'web', b: 'a "b"' }, annotations: {} },
    spec: { nodeName: 'node', containers: [{ name: 'c', ...container }], enableServiceLinks: false, ...spec },
    status: { podIP: '10.128.0.2', podIPs: [{ ip: '10.128.0.2' }], hostIP: '172.16.0.2' },
  } as Pod;
}

function environment(container: Partial<Container>, spec: object = {}) {
  const pod = podOf(container, spec);
  const missing: string[] = [];
  const onMissing = (message: string): void => void missing.push(message);
  const variables = containerEnvironment({
    pod,
    container: pod.spec?.containers[0] as Container,
    objects,
    onMissing,
  });
  return { variables: Object.fromEntries(variables), missing };
}

describe('the variables of a container', () => {
  const field = (fieldPath: string) => ({ name: 'X', valueFrom: { fieldRef: { fieldPath } } });
  const resource = (name: string, divisor?: string) => ({
    name: 'X',
    valueFrom: { resourceFieldRef: { resource: name, ...(divisor ? { divisor } : {}) } },
  });
  const key = (kind: 'configMapKeyRef' | 'secretKeyRef', name: string, of: string, optional = false) => ({
    name: 'X',
    valueFrom: { [kind]: { name, key: of, optional } },
  });
  const requests = { cpu: '250m', memory: '64Mi' };
  const limits = { memory: '100M' };

  test.each<[object, object, string | undefined]>([
    [{ name: 'X', value: 'plain' }, {}, 'plain'],
    [{ name: 'X' }, {}, ''],
    [{ name: 'X', value: '$(COLOUR) $(NONE) $$(COLOUR) $$$(COLOUR) $x $(' }, {}, 'red $(NONE) $(COLOUR) $red $x $('],
    [{ name: 'X', value: '$(KUBERNETES_SERVICE_HOST)' }, {}, '10.96.0.1'],
    [field('metadata.name'), {}, 'web'],
    [field('metadata.labels'), {}, 'app="web"\nb="a \\"b\\""'],
    [field("metadata.labels['app']"), {}, 'web'],
    [field('spec.nodeName'), {}, 'node'],
    [field('status.podIPs'), {}, '10.128.0.2'],
    [resource('requests.cpu'), {}, '1'],
    [resource('requests.cpu', '1m'), {}, '250'],
    [resource('limits.memory', '1Mi'), {}, '96'],
    [resource('limits.cpu'), {}, '4'],
    [resource('limits.cpu'), { resources: { limits: { cpu: '2' } } }, '2'],
    [key('configMapKeyRef', 'settings', 'path'), {}, '/a'],
    [key('secretKeyRef', 'hidden', 'password'), {}, 'p$(COLOUR)'],
    [key('configMapKeyRef', 'nothing', 'path', true), {}, undefined],
    [key('configMapKeyRef', 'settings', 'nothing', true), {}, undefined],
  ])('%j of a pod with %j', (variable, spec, want) => {
    const container = { envFrom: [{ configMapRef: { name: 'settings' } }], env: [variable as never] };
    const { variables, missing } = environment({ ...container, resources: { requests, limits } }, spec);
    expect([variables.X, missing]).toEqual([want, []]);
  });

  test('are those of its sources, of the container runtime, and of the API server', () => {
    const envFrom = [{ prefix: 'S_', secretRef: { name: 'hidden' } }, { configMapRef: { name: 'no', optional: true } }];
    const { variables } = environment({ envFrom, env: [{ name: 'HOME', value: '/home' }] }, { hostname: 'host' });
    expect(variables).toEqual({
      PATH: expect.any(String),
      HOSTNAME: 'host',
      HOME: '/home',
      S_password: 'p$(COLOUR)',
      KUBERNETES_SERVICE_HOST: '10.96.0.1',
      KUBERNETES_SERVICE_PORT: '443',
      KUBERNETES_SERVICE_PORT_HTTPS: '443',
      KUBERNETES_PORT: 'tcp://10.96.0.1:443',
      KUBERNETES_PORT_443_TCP: 'tcp://10.96.0.1:443',
      KUBERNETES_PORT_443_TCP_PROTO: 'tcp',
      KUBERNETES_PORT_443_TCP_PORT: '443',
      KUBERNETES_PORT_443_TCP_ADDR: '10.96.0.1',
    });
  });

  test('tell of the services of its namespace if the pod wants it', () => {
    const { variables } = environment({}, { enableServiceLinks: true });
    expect(Object.entries(variables).filter(([name]) => name.startsWith('MY_DB_'))).toEqual([
      ['MY_DB_SERVICE_HOST', '10.96.0.7'],
      ['MY_DB_SERVICE_PORT', '53'],
      ['MY_DB_SERVICE_PORT_SQL_2', '5432'],
      ['MY_DB_PORT', 'udp://10.96.0.7:53'],
      ['MY_DB_PORT_53_UDP', 'udp://10.96.0.7:53'],
      ['MY_DB_PORT_53_UDP_PROTO', 'udp'],
      ['MY_DB_PORT_53_UDP_PORT', '53'],
      ['MY_DB_PORT_53_UDP_ADDR', '10.96.0.7'],
      ['MY_DB_PORT_5432_TCP', 'tcp://10.96.0.7:5432'],
      ['MY_DB_PORT_5432_TCP_PROTO', 'tcp'],
      ['MY_DB_PORT_5432_TCP_PORT', '5432'],
      ['MY_DB_PORT_5432_TCP_ADDR', '10.96.0.7'],
    ]);
    expect(Object.keys(variables).join()).not.toMatch(/HEADLESS|ELSEWHERE/);
  });

  test('have room for 2 MiB, however references multiply', () => {
    const doubled = Array.from({ length: 40 }, (_, i) => ({ name: `X${i + 1}`, value: `$(X${i})$(X${i})` }));
    const { variables, missing } = environment({ env: [{ name: 'X0', value: 'laugh' }, ...doubled] });
    expect([variables.X3, variables.X40, missing]).toEqual(['laugh'.repeat(8), undefined, ['argument list too long']]);
    const large = new Map([['A', 'a'.repeat(1024 * 1024)]]);
    expect(() => expandedCommand({ name: 'c', command: ['$(A)$(A)$(A)'] }, large)).toThrow('argument list too long');
  });

  test('expand its command', () => {
    const container = { name: 'c', command: ['sh', '-c'], args: ['echo $(A) $$(A)'] };
    expect(expandedCommand(container, new Map([['A', '1']]))).toEqual(['sh', '-c', 'echo 1 $(A)']);
  });
});

test.each<[Partial<Container>, string | undefined]>([
  [{ env: [{ name: 'X', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }, undefined],
  [{ envFrom: [{ configMapRef: { name: 'nothing' } }] }, 'configmap "nothing" not found'],
  [{ envFrom: [{ secretRef: { name: 'nothing' } }] }, 'secret "nothing" not found'],
  [
    { env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'settings', key: 'no' } } }] },
    "couldn't find key no in ConfigMap ns/settings",
  ],
  [{ env: [{ name: 'X', valueFrom: { secretKeyRef: { name: 'hidden', key: 'no' } } }] }, "couldn't find key no in Secret ns/hidden"],
  [{ volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: '$(B)/$(A)' }] }, 'missing value for A, B'],
  [{ volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: '$(HOSTNAME)' }] }, undefined],
  [
    {
      env: [{ name: 'A', value: '/tmp' }],
      volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: '$(A)/b' }],
    },
    'error SubPath `/tmp/b` must not be an absolute path',
  ],
  [
    {
      env: [{ name: 'A', value: '..' }],
      volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: 'a/$(A)' }],
    },
    "unable to provision SubPath `a/..`: must not contain '..'",
  ],
])('the configuration of a container with %j has the problem %s', (container, want) => {
  const pod = podOf(container);
  expect(configurationProblem(pod, pod.spec?.containers[0] as Container, objects)).toBe(want);
});
