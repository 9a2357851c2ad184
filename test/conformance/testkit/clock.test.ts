import { describe, expect, test } from '@jest/globals';
import { HttpClient } from '../../support/http-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startTestServer, TestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';

const core = '/api/v1/namespaces/default';
const flowcontrol = '/apis/flowcontrol.apiserver.k8s.io/v1';

describe('on a server with a manual clock', () => {
  const suite = TestServer.forSuite({ clock: 'manual', simulate: { nodes: 1 } });

  // biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
  const create = async (path: string, object: object): Promise<any> => {
    const { status, json } = await suite.http.send('POST', path, JSON.stringify(object), 'application/json');
    expect({ status, json }).toMatchObject({ status: 201 });
    return json;
  };
  const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    (await suite.http.get(path, { headers })).status;
  const createFlowSchema = async (name: string): Promise<void> => {
    const queuing = { queues: 1, handSize: 1, queueLengthLimit: 10 };
    const limited = {
      nominalConcurrencyShares: 0,
      borrowingLimitPercent: 0,
      limitResponse: { type: 'Queue', queuing },
    };
    await create(`${flowcontrol}/prioritylevelconfigurations`, {
      metadata: { name },
      spec: { type: 'Limited', limited },
    });
    const subjects = [{ kind: 'User', user: { name } }];
    const resourceRules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }];
    await create(`${flowcontrol}/flowschemas`, {
      metadata: { name },
      spec: { priorityLevelConfiguration: { name }, matchingPrecedence: 10, rules: [{ subjects, resourceRules }] },
    });
  };

  interface Moved {
    readonly what: string;
    readonly by: string;
    /** Returns the observation to compare. */
    arrange(): Promise<() => Promise<unknown>>;
    readonly before: unknown;
    readonly after: unknown;
  }

  const moved: readonly Moved[] = [
    {
      what: 'the expiry of tokens',
      by: '12m',
      before: 403,
      after: 401,
      async arrange() {
        const { status } = await create(`${core}/serviceaccounts/default/token`, { spec: { expirationSeconds: 600 } });
        const headers = { authorization: `Bearer ${status.token}` };
        return async () => {
          const stranger = HttpClient.withoutCertificate(suite.server);
          const { status } = await stranger.get(`${core}/pods`, { headers });
          stranger.close();
          return status;
        };
      },
    },
    {
      what: 'the time for which events are kept',
      by: '61m',
      before: 200,
      after: 404,
      async arrange() {
        const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
        await create(`${core}/events`, { metadata: { name: 'kept' }, involvedObject });
        return () => statusOf(`${core}/events/kept`);
      },
    },
    {
      what: 'compaction',
      by: '6m',
      before: 200,
      after: 410,
      async arrange() {
        const { metadata } = await create(`${core}/configmaps`, { metadata: { name: 'compacted' } });
        const { resourceVersion } = metadata;
        return () => statusOf(`${core}/configmaps?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact&limit=500`);
      },
    },
    {
      what: 'creationTimestamp',
      by: '20m30s',
      before: 0,
      after: 1230,
      async arrange() {
        const createdAt = async (): Promise<number> =>
          Date.parse((await create(`${core}/configmaps`, { metadata: { generateName: 'c-' } })).metadata.creationTimestamp);
        const start = await createdAt();
        return async () => ((await createdAt()) - start) / 1000;
      },
    },
    {
      what: 'the schedule of cron jobs',
      by: '61s',
      before: 0,
      after: 1,
      async arrange() {
        const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
        const spec = { schedule: '* * * * *', jobTemplate: { spec: { template } } };
        await create('/apis/batch/v1/namespaces/default/cronjobs', { metadata: { name: 'minutely' }, spec });
        return async () => (await suite.http.get('/apis/batch/v1/namespaces/default/jobs')).json.items.length;
      },
    },
    {
      what: 'the renewal of leases',
      by: '10m',
      before: 0,
      after: 10,
      async arrange() {
        const path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
        const renewed = async (): Promise<number> => Date.parse((await suite.http.get(path)).json.items[0].spec.renewTime);
        const start = await renewed();
        // in minutes, because the last renewal was about ten seconds ago
        return async () => Math.round(((await renewed()) - start) / 60_000);
      },
    },
  ];

  test.each(moved)('$what goes by the clock', async ({ by, arrange, before, after }) => {
    const look = await arrange();
    expect(await look()).toEqual(before);
    await suite.server.clock.advance(by);
    expect(await look()).toEqual(after);
  });

  interface Awaited {
    readonly what: string;
    readonly by: string;
    /** Begins an operation, and returns a function for its result. */
    begin(): Promise<() => Promise<unknown>>;
    readonly end: unknown;
  }

  const awaited: readonly Awaited[] = [
    {
      what: 'the bookmarks of watches',
      by: '61s',
      end: 'BOOKMARK',
      async begin() {
        const from = suite.server.revision();
        const path = `${core}/secrets?watch=1&allowWatchBookmarks=true&resourceVersion=${from}`;
        const watch = await WatchStream.open(suite.server, path);
        return async () => {
          const event = await watch.next();
          watch.close();
          return event?.type;
        };
      },
    },
    {
      what: 'the timeout of a watch',
      by: '30s',
      end: undefined,
      async begin() {
        const from = suite.server.revision();
        const watch = await WatchStream.open(suite.server, `${core}/secrets?watch=1&timeoutSeconds=30&resourceVersion=${from}`);
        return () => watch.next();
      },
    },
    {
      what: 'how long requests wait in queues',
      by: '16s',
      end: 429,
      async begin() {
        await createFlowSchema('patient');
        const outcome = statusOf(`${core}/secrets`, { 'impersonate-user': 'patient' });
        // the request has arrived when it is in the queue
        const waiting = /apiserver_flowcontrol_current_inqueue_requests\{[^}]*"patient"[^}]*\} 1\b/;
        while (!waiting.test(String((await suite.http.get('/metrics')).body)));
        return () => outcome;
      },
    },
  ];

  test.each(awaited)('$what goes by the clock', async ({ by, begin, end }) => {
    const ending = (await begin())();
    let hasEnded = false;
    void ending.finally(() => {
      hasEnded = true;
    });
    await suite.server.clock.advance('1s');
    await suite.http.get(`${core}/secrets`);
    expect(hasEnded).toBe(false);
    await suite.server.clock.advance(by);
    expect(await ending).toBe(end);
  });

  test('what is due happens in order, and each at its time', async () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const spec = { schedule: '*/10 * * * *', jobTemplate: { spec: { template } } };
    const path = '/apis/batch/v1/namespaces/ordered';
    await create('/api/v1/namespaces', { metadata: { name: 'ordered' } });
    await create(`${path}/cronjobs`, { metadata: { name: 'often' }, spec });
    await suite.server.clock.advance('40m');
    const { items } = (await suite.http.get(`${path}/jobs`)).json;
    const times = items.map(({ metadata }: { metadata: { creationTimestamp: string } }) => metadata.creationTimestamp);
    // the last three of four are kept
    expect(times.map((time: string) => time.slice(17)).join()).toBe('00Z,00Z,00Z');
    expect(times.map((time: string) => Number(time.slice(14, 16)) % 10).join()).toBe('0,0,0');
    expect(new Set(times).size).toBe(3);
  });
});

test('the clock of a server that was started without one cannot be advanced', async () => {
  for (const clock of [undefined, new ManualClock()]) {
    const server = await startTestServer(clock && { clock });
    expect(server.clock.isManual).toBe(false);
    await expect(server.clock.advance('1s')).rejects.toThrow("started with clock: 'manual'");
    await server.close();
  }
});
