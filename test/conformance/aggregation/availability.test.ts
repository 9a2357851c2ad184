import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../runtime/index.ts';
import { type AggregatedServer, awaitCondition } from '../../support/aggregated-server.ts';
import { AggregatingServer } from '../../support/aggregating-server.ts';
import type { HttpClient } from '../../support/http-client.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import type { TestObject } from '../../support/test-object.ts';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const services = '/api/v1/namespaces/default/services';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const group = 'wardle.example';
const name = `v1.${group}`;

describe('the Available condition of an APIService with a service', () => {
  let both: AggregatingServer;
  let http: HttpClient;
  let remote: AggregatedServer;
  let server: RunningServer;

  beforeAll(async () => {
    both = await AggregatingServer.open({ enableAggregatorRouting: true });
    ({ http, remote, server } = both);
  });
  afterAll(() => both.close());

  async function post(path: string, body: object): Promise<void> {
    const { status, body: text } = await http.send('POST', path, JSON.stringify(body), 'application/json');
    expect([status, status === 201 ? '' : text.toString()]).toEqual([201, '']);
  }

  async function patch(path: string, body: object): Promise<void> {
    const { status } = await http.send('PATCH', path, JSON.stringify(body), 'application/merge-patch+json');
    expect(status).toBe(200);
  }

  async function condition(status: string, reason: string): Promise<TestObject> {
    const { conditions } = (await awaitCondition(server, name, status, reason)).status;
    return conditions[0];
  }

  async function metrics(): Promise<string[]> {
    const { body } = await http.get('/metrics');
    return body
      .toString()
      .split('\n')
      .filter((line) => /^aggregator_.*wardle/.test(line));
  }

  const slice = { metadata: { name: 'api', labels: { 'kubernetes.io/service-name': 'api' } }, addressType: 'IPv4' };

  test('says what is missing, one thing after the other', async () => {
    await post(apiServices, remote.apiService(group, { service: { namespace: 'default', name: 'api', port: 444 } }));
    expect((await condition('False', 'ServiceNotFound')).message).toBe('service/api in "default" is not present');

    await post(services, { metadata: { name: 'api' }, spec: { ports: [{ name: 'https', port: 443 }] } });
    expect((await condition('False', 'ServicePortError')).message).toBe('service/api in "default" is not listening on port 444');

    await patch(`${services}/api`, { spec: { ports: [{ name: 'https', port: 444 }] } });
    expect((await condition('False', 'EndpointsNotFound')).message).toBe('cannot find endpointslices for service/api in "default"');

    await post(slices, {
      ...slice,
      endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: false } }],
      ports: [{ name: 'https', port: 444 }],
    });
    expect((await condition('False', 'MissingEndpoints')).message).toBe(
      'endpointslices for service/api in "default" have no addresses with port name "https"',
    );
    expect(await metrics()).toEqual([`aggregator_unavailable_apiservice{name="${name}"} 1`]);
  });

  test('is about the answer of the server, which is asked again as it changes', async () => {
    await http.send('DELETE', `${services}/api`);
    await condition('False', 'ServiceNotFound');
    await remote.createService(http);
    await patch(`${apiServices}/${name}`, { spec: { service: { port: remote.port } } });
    // the check reads endpoints, which an external name does not have
    expect((await condition('False', 'FailedDiscoveryCheck')).message).toBe('unsupported service type "ExternalName"');
    await patch(`${apiServices}/${name}`, { spec: { service: { port: 1 } } });
  });
});

describe('the answer of a server', () => {
  let both: AggregatingServer;
  let clock: ManualClock;
  let http: HttpClient;
  let remote: AggregatedServer;
  let server: RunningServer;

  beforeAll(async () => {
    both = await AggregatingServer.open();
    ({ clock, http, remote, server } = both);
    await remote.createService(http);
  });
  afterAll(() => both.close());

  /** Advances from check to check until the condition is as expected. Each check takes some real time. */
  async function advanceUntil(status: string): Promise<TestObject> {
    for (;;) {
      clock.advance(30_000);
      for (let turn = 0; turn < 20; turn++) {
        const { json } = await http.get(`${apiServices}/${name}`);
        const [condition] = json.status.conditions;
        if (condition.status === status) return condition;
      }
    }
  }

  test('decides whether it is available, and is asked for every half minute', async () => {
    const url = `https://127.0.0.1:${remote.port}/apis/${group}/v1`;
    await http.send('POST', apiServices, JSON.stringify(remote.apiService(group)), 'application/json');
    const failed = (await awaitCondition(server, name, 'False', 'FailedDiscoveryCheck')).status.conditions[0];
    expect(failed.message).toBe(`failing or missing response from ${url}: bad status from ${url}: 404`);
    remote.serveDiscovery(group);
    const passed = await advanceUntil('True');
    expect(passed).toEqual({
      type: 'Available',
      status: 'True',
      reason: 'Passed',
      message: 'all checks passed',
      lastTransitionTime: expect.not.stringMatching(failed.lastTransitionTime),
    });
    remote.discovery.clear();
    await advanceUntil('False');
    const { body } = await http.get('/metrics');
    const lines = body
      .toString()
      .split('\n')
      .filter((line) => /^aggregator_.*wardle/.test(line));
    expect(lines).toEqual([
      `aggregator_unavailable_apiservice{name="${name}"} 1`,
      `aggregator_unavailable_apiservice_total{name="${name}",reason="FailedDiscoveryCheck"} 1`,
    ]);
  });

  test('must come within five seconds, and at all', async () => {
    const url = `https://127.0.0.1:${remote.port}/apis/hangs.example/v1`;
    remote.hangs.add('/apis/hangs.example/v1');
    await http.send('POST', apiServices, JSON.stringify(remote.apiService('hangs.example')), 'application/json');
    while ((await http.get(`${apiServices}/v1.hangs.example`)).json.status.conditions === undefined) clock.advance(1000);
    const hanging = (await http.get(`${apiServices}/v1.hangs.example`)).json.status.conditions[0];
    expect(hanging.message).toBe(
      `failing or missing response from ${url}: Get "${url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    );

    const spec = { service: { namespace: 'default', name: 'api', port: 1 } };
    await http.send('POST', apiServices, JSON.stringify(remote.apiService('closed.example', spec)), 'application/json');
    const closed = (await awaitCondition(server, 'v1.closed.example', 'False')).status.conditions[0];
    expect(closed.message).toBe(
      'failing or missing response from https://127.0.0.1:1/apis/closed.example/v1: Get "https://127.0.0.1:1/apis/closed.example/v1": dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });

  test('those of the server itself are available, whatever somebody writes', async () => {
    const patch = JSON.stringify({ status: { conditions: [{ type: 'Available', status: 'False', reason: 'No' }] } });
    await http.send('PATCH', `${apiServices}/v1.apps/status`, patch, 'application/merge-patch+json');
    const { status } = await awaitCondition(server, 'v1.apps', 'True', 'Local');
    expect(status.conditions).toHaveLength(1);
  });
});
