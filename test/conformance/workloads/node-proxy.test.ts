import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Any, WorkloadServer } from './workload-server.ts';

const server = new WorkloadServer();
const node = 'kubeloom-node-0';
const at = (path: string, name = node): string => `/api/v1/nodes/${name}/proxy${path}`;

describe('the kubelet of a simulated node', () => {
  let namespace: string;

  beforeAll(async () => {
    const path = await server.namespace();
    const annotations = { 'kwok.x-k8s.io/usage-cpu': '250m', 'kwok.x-k8s.io/usage-memory': '64Mi' };
    const containers = [{ name: 'c', image: 'i:1', command: ['sh', '-c', 'echo one; sleep infinity'] }];
    const metadata = { name: 'web', annotations };
    await server.post(path('api/v1/pods'), { metadata, spec: { nodeName: node, containers } });
    const pod = await server.until(path('api/v1/pods', 'web'), ({ status }) => status.phase === 'Running');
    namespace = pod.metadata.namespace;
  });

  test.each([
    ['/healthz', 200, 'ok'],
    ['/healthz/ping', 200, 'ok'],
    ['/healthz/syncloop', 200, 'ok'],
    ['/healthz?verbose', 200, '[+]ping ok\n[+]log ok\n[+]syncloop ok\nhealthz check passed\n'],
    ['/logs/', 405, 'logs endpoint is disabled.\n'],
    ['/debug/pprof/heap', 405, 'profiling endpoint is disabled.\n'],
    ['/nothing', 404, '404: Page Not Found'],
    ['', 404, '404: Page Not Found'],
    ['/containerLogs/NAMESPACE/web/c', 200, 'one\n'],
    ['/containerLogs/NAMESPACE/web/c?tail=0', 200, ''],
    ['/containerLogs/NAMESPACE/web/d', 404, 'container "d" not found in pod "web"'],
    ['/containerLogs/NAMESPACE/other/c', 404, 'pod "other" does not exist'],
    ['/containerLogs/NAMESPACE/web/c?sinceSeconds=some', 400, '{"message": "Unable to decode query."}'],
    ['/containerLogs/NAMESPACE/web/c?tailLines=-1', 422, '{"message": "Invalid request."}'],
    ['/containerLogs/NAMESPACE/web/c?previous=true', 400, 'previous terminated container "c" in pod "web" not found'],
  ])('answers %s with %i', async (path, status, body) => {
    expect(await server.text(at(path.replace('NAMESPACE', namespace)))).toEqual({ status, body });
  });

  test('lists its pods and those that run', async () => {
    const { kind, items } = await server.get(at('/pods'));
    const pod = items.find(({ metadata }: Any) => metadata.namespace === namespace);
    expect([kind, pod.metadata.annotations, pod.status.phase]).toEqual([
      'PodList',
      expect.objectContaining({ 'kubernetes.io/config.source': 'api' }),
      'Running',
    ]);
    const running = await server.get(at('/runningpods/'));
    const { uid } = pod.metadata;
    expect(running.items.find(({ metadata }: Any) => metadata.uid === uid)).toMatchObject({
      metadata: { name: 'web', namespace, uid },
      spec: { containers: [{ name: 'c', image: expect.stringMatching(/^docker.io\/library\/i@sha256:/) }] },
    });
  });

  test('tells how it is configured', async () => {
    const { kubeletconfig } = await server.get(at('/configz'));
    expect(kubeletconfig).toMatchObject({ maxPods: 110, podCIDR: '10.128.0.0/24', clusterDomain: 'cluster.local' });
  });

  test('measures what annotations say', async () => {
    const summary = await server.get(at('/stats/summary'));
    const pod = summary.pods.find(({ podRef }: Any) => podRef.namespace === namespace);
    expect(summary.node).toMatchObject({ nodeName: node, fs: { capacityBytes: 2 ** 40 } });
    expect(pod).toMatchObject({
      cpu: { usageNanoCores: 250_000_000 },
      memory: { workingSetBytes: 64 * 2 ** 20 },
      containers: [{ name: 'c', cpu: { usageNanoCores: 250_000_000 }, rootfs: { usedBytes: 0 } }],
    });
    const short = await server.get(at('/stats/summary?only_cpu_and_memory=true'));
    expect(short.node.fs).toBeUndefined();
    const { body } = await server.text(at('/metrics/resource'));
    const labels = `container="c",namespace="${namespace}",pod="web"`;
    expect(body).toContain(`container_memory_working_set_bytes{${labels}} 6.7108864e+07 `);
    expect(body).toContain('# TYPE container_cpu_usage_seconds_total counter\n');
  });

  test('counts', async () => {
    const { body } = await server.text(at('/metrics'));
    expect(body).toContain(`kubelet_node_name{node="${node}"} 1\n`);
  });

  test('is the only server of its node', async () => {
    const { status, body } = await server.text(at('/', `http:${node}:9100`));
    expect([status, body]).toEqual([503, expect.stringMatching(/dial tcp 172\.16\.0\.\d+:9100: connect: connection refused/)]);
    expect((await server.text(at('/healthz', `https:${node}:10250`))).status).toBe(200);
  });

  test('does not answer when the node is lost', async () => {
    await server.patch('/api/v1/nodes/kubeloom-node-1', {
      metadata: { annotations: { 'simulation.kubeloom.dev/node': 'lost' } },
    });
    const { status, body } = await server.text(at('/healthz', 'kubeloom-node-1'));
    expect([status, body]).toEqual([503, expect.stringContaining(':10250: connect: no route to host')]);
  });
});
