import { expect, test } from '@jest/globals';
import { type Any, WorkloadServer } from './workload-server.ts';

const server = new WorkloadServer();

const running = ({ status }: Any): boolean => status.phase === 'Running';

async function createPod(path: (resource: string, name?: string) => string): Promise<void> {
  const containers = [{ name: 'c', image: 'i:1', ports: [{ name: 'http', containerPort: 8080 }] }];
  await server.post(path('api/v1/pods'), { metadata: { name: 'web', labels: { app: 'web' } }, spec: { containers } });
  await server.until(path('api/v1/pods', 'web'), running);
}

test('a proxy of a service reaches the ports of its simulated pods', async () => {
  const path = await server.namespace();
  const ports = [{ name: 'http', port: 80, targetPort: 'http' }];
  await server.post(path('api/v1/services'), { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports } });
  await createPod(path);
  await server.until(path('api/v1/endpoints', 'web'), ({ subsets = [] }: Any) => subsets[0]?.addresses?.length === 1);
  // the second request reuses the first one's connection
  for (const name of ['web:80', 'web:http']) {
    const { status, body } = await server.text(`${path('api/v1/services', name)}/proxy/`);
    expect([status, body]).toEqual([200, expect.stringMatching(/^simulated pod workloads-\d+\/web, port 8080\n$/)]);
  }
});

test('a port that a simulated pod does not listen on refuses connections', async () => {
  const path = await server.namespace();
  await createPod(path);
  const { status, body } = await server.text(`${path('api/v1/pods', 'web:9999')}/proxy/`);
  expect([status, body]).toEqual([503, expect.stringContaining('connect: connection refused')]);
});

test('an address that is no simulated pod cannot be reached', async () => {
  const path = await server.namespace();
  const other = {
    metadata: { name: 'other' },
    spec: { nodeName: 'nobody', containers: [{ name: 'c', image: 'i:1' }] },
  };
  await server.post(path('api/v1/pods'), other);
  const ip = '192.0.2.8';
  await server.patch(`${path('api/v1/pods', 'other')}/status`, { status: { podIP: ip, podIPs: [{ ip }] } });
  const { status, body } = await server.text(`${path('api/v1/pods', 'other:80')}/proxy/`);
  expect([status, body]).toEqual([503, expect.stringContaining('no route to host')]);
});
