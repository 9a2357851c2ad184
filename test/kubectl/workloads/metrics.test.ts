import { afterAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../runtime/index.ts';
import { AggregatedServer } from '../../support/aggregated-server.ts';
import { HttpClient } from '../../support/http-client.ts';
import { describeSimulation } from '../../support/kubectl-simulation.ts';

const group = 'metrics.k8s.io';
const base = `/apis/${group}/v1beta1`;

/** A metrics server that reports 300m of a processor for each container, at any time. */
class MetricsServer {
  readonly #remote: AggregatedServer;
  readonly #http: HttpClient;

  private constructor(remote: AggregatedServer, http: HttpClient) {
    this.#remote = remote;
    this.#http = http;
  }

  static async open(server: RunningServer): Promise<MetricsServer> {
    const remote = await AggregatedServer.open();
    const http = HttpClient.for(server);
    const resource = { singularName: '', verbs: ['get', 'list'] };
    remote.discovery.set(base, {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: `${group}/v1beta1`,
      resources: [
        { ...resource, name: 'pods', namespaced: true, kind: 'PodMetrics' },
        { ...resource, name: 'nodes', namespaced: false, kind: 'NodeMetrics' },
      ],
    });
    const metrics = new MetricsServer(remote, http);
    remote.answer = async ({ url = '' }, response) => {
      const body = JSON.stringify(await metrics.#answer(url.slice(base.length)));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    };
    await remote.register({ http, server }, group, {}, 'v1beta1');
    return metrics;
  }

  async close(): Promise<void> {
    this.#http.close();
    await this.#remote.close();
  }

  async #answer(path: string): Promise<object> {
    const { json } = await this.#http.send('GET', `/api/v1${path}`);
    const time = { timestamp: new Date().toISOString(), window: '1ms' };
    const usage = { cpu: '300m', memory: '64Mi' };
    const isOfPods = path.includes('/pods');
    const items = (json.items as { metadata: { name: string; namespace?: string } }[]).map(({ metadata }) => {
      const { name, namespace } = metadata;
      return {
        metadata: { name, namespace },
        ...time,
        ...(isOfPods ? { containers: [{ name: 'web', usage }] } : { usage }),
      };
    });
    return {
      kind: isOfPods ? 'PodMetricsList' : 'NodeMetricsList',
      apiVersion: `${group}/v1beta1`,
      metadata: {},
      items,
    };
  }
}

let metrics: MetricsServer | undefined;
afterAll(() => metrics?.close());

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1", resources: {requests: {cpu: 200m, memory: 64Mi}}}]}
`;

describeSimulation('kubectl beside a metrics server', {
  simulate: { nodes: 1 },
  prepare: async (server) => {
    metrics = await MetricsServer.open(server);
  },
  tests: (user) => {
    test('top shows what pods and nodes use', async () => {
      await user.apply(deployment);
      await user.rolledOut('deployment/web');
      const lines = (await user.ok('top pods --no-headers')).trim().split('\n');
      expect(lines).toHaveLength(2);
      for (const line of lines) expect(line).toMatch(/^web-\S+ +300m +64Mi/);
      expect(await user.ok('top nodes --no-headers')).toMatch(/^kubeloom-node-0 +300m +0% +64Mi +0%/);
    });

    test('autoscale scales a deployment up by its metrics', async () => {
      await user.apply(deployment);
      await user.rolledOut('deployment/web');
      await user.ok('autoscale deployment web --max 3 --cpu-percent 50');
      await user.ok('wait deployment/web --for', 'jsonpath={.status.readyReplicas}=3', '--timeout', '60s');
      const { status } = await user.get('horizontalpodautoscaler web');
      expect(status.desiredReplicas).toBe(3);
    });
  },
});
