import { afterEach, describe, expect, test } from '@jest/globals';
import type { RunningServer, ServerOptions } from '../../../runtime/index.ts';
import type { RequestFilter } from '../../../runtime/testkit/requests/request-filter.ts';
import { HttpClient } from '../../support/http-client.ts';
import { startTestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';
import { withoutIdentity } from '../../support/without-identity.ts';

const json = 'application/json';
const maps = '/api/v1/namespaces/default/configmaps';
const operator = { 'user-agent': 'my-operator/v1 (linux/amd64)' };
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(options: ServerOptions): Promise<{ server: RunningServer; http: HttpClient }> {
  const server = await startTestServer({ ...withoutIdentity, ...options });
  closing.push(() => server.close());
  const http = HttpClient.for(server);
  closing.push(() => http.close());
  return { server, http };
}

describe('the log of requests', () => {
  test('tells who asked for what, in order, and what came of it', async () => {
    const { server, http } = await start({ testControls: true, workerThreshold: 1000 });
    const create = (name: object, headers = {}, data = '') =>
      http.send('POST', maps, JSON.stringify({ metadata: name, data: { data } }), json, { headers });
    const created = await create({ generateName: 'made-up-' }, operator);
    const large = await create({ name: 'large' }, { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters' }, 'x'.repeat(2000));
    await create({ name: 'large' });
    await http.get(`${maps}/absent?pretty=true`);
    const deleted = await http.send('DELETE', `${maps}/large`, '{}', json);
    await http.send('PUT', `${maps}/large?dryRun=All`, '{}', json);
    await http.get('/readyz');

    const all = server.requests();
    expect(all.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const { name, resourceVersion } = created.json.metadata;
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/);
    expect(all[0]).toEqual({
      sequence: 1,
      time,
      user: 'kubernetes-admin',
      groups: ['system:masters', 'system:authenticated'],
      userAgent: operator['user-agent'],
      verb: 'create',
      url: maps,
      apiGroup: '',
      apiVersion: 'v1',
      resource: 'configmaps',
      subresource: '',
      namespace: 'default',
      name,
      code: 201,
      resourceVersion,
      running: false,
    });
    const rest = all.slice(1).map(({ user, verb, name, code, resourceVersion }) => ({ user, verb, name, code, resourceVersion }));
    const user = 'kubernetes-admin';
    expect(rest).toEqual([
      { user: 'jane', verb: 'create', name: 'large', code: 201, resourceVersion: large.json.metadata.resourceVersion },
      { user, verb: 'create', name: '', code: 409 },
      { user, verb: 'get', name: 'absent', code: 404 },
      { user, verb: 'delete', name: 'large', code: 200, resourceVersion: String(server.revision()) },
      { user, verb: 'update', name: 'large', code: expect.any(Number) },
      { user, verb: 'get', name: '', code: 200 },
    ]);
    expect(deleted.status).toBe(200);
    expect(all[1].impersonatedBy).toBe('kubernetes-admin');
    expect(all[3].url).toBe(`${maps}/absent?pretty=true`);

    const sequences = (filter: RequestFilter) => server.requests(filter).map(({ sequence }) => sequence);
    expect({
      byAgent: sequences({ userAgent: 'my-operator/*' }),
      byUser: sequences({ user: 'jane' }),
      writes: sequences({ verb: ['create', 'update', 'delete'], since: 1 }),
      refused: sequences({ code: [404, 409] }),
      url: sequences({ nonResourceURL: '/readyz' }),
      since: sequences({ since: 6 }),
      byName: sequences({ name, resource: 'configmaps', namespace: 'default', apiGroup: '' }),
    }).toEqual({ byAgent: [1], byUser: [2], writes: [2, 3, 5, 6], refused: [3, 4], url: [7], since: [7], byName: [1] });
  });

  test('says which watches run, however long ago they began', async () => {
    const { server, http } = await start({ requestLog: 3 });
    const watch = await WatchStream.open(server, `${maps}?watch=true`);
    for (let time = 0; time < 5; time++) await http.get(maps);
    const running = server.requests({ running: true });
    expect(running).toMatchObject([{ sequence: 1, verb: 'watch', resource: 'configmaps', code: 200 }]);
    expect(server.requests().map(({ sequence }) => sequence)).toEqual([1, 4, 5, 6]);
    watch.close();
    while (server.requests({ running: true }).length > 0) await http.get('/readyz');
  });

  test('is not there unless it is asked for', async () => {
    const { server } = await start({});
    expect(() => server.requests()).toThrow('testControls or requestLog');
  });
});
