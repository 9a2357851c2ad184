import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { startTestServer } from '../../support/test-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer({ testControls: true, clock: 'manual' });
});
afterAll(() => server.close());

const fault = { status: { code: 503 } };

describe('a misspelt option is refused, and the intended one suggested', () => {
  test.each<[call: string, given: object, want: string]>([
    ['startServer', { clokc: 'manual' }, 'unknown option "clokc": did you mean "clock"?'],
    ['startServer', { simulate: { nodes: -1 } }, 'option "simulate.nodes": -1 is not a whole number between 0 and 5000'],
    ['startServer', { port: 70_000 }, 'option "port": 70000 is not a whole number between 0 and 65535'],
    ['settled', { controller: ['a'] }, 'unknown option "controller": did you mean "controllers"?'],
    ['requests', { userAgents: 'a' }, 'unknown option "userAgents": did you mean "userAgent"?'],
    ['requests', { verb: ['craete'] }, 'option "verb": a list is not'],
    ['requests', { code: 418 }, 'option "code": 418 is not'],
    ['fork', { listn: true }, 'unknown option "listn": did you mean "listen"?'],
    ['reset', { watches: 'expire' }, 'option "watches": "expire" is not "Continue" or "Expire"'],
    [
      'fault',
      { match: { verb: ['create'] }, fault },
      'spec.match.verb: Forbidden: unknown field: did you mean "verbs"?',
    ],
    ['fault', { match: { verbs: ['craete'] }, fault }, 'spec.match.verbs[0]: Unsupported value: "craete": supported'],
    ['fault', { fault: { status: { code: 418 } } }, 'spec.fault.status.code: Invalid value: 418'],
  ])('%s %j', async (call, given, want) => {
    const calls: Record<string, (options: never) => unknown> = {
      startServer,
      settled: server.settled,
      requests: server.requests,
      fork: server.fork,
      reset: server.reset,
      fault: (spec) => server.faults.add(spec),
    };
    const wrong = want.startsWith('option "verb"') ? /verb.*craete/ : want;
    await expect((async () => calls[call](given as never))()).rejects.toThrow(wrong);
  });

  test.each<[resource: string, kind: string, spec: object, code: number, want: string]>([
    ['requestlogreviews', 'RequestLogReview', { match: { verb: ['get'] } }, 400, 'unknown field \\"spec.match.verb\\"'],
    [
      'requestlogreviews',
      'RequestLogReview',
      { match: { verbs: ['craete'] } },
      422,
      'spec.match.verbs[0]: Unsupported',
    ],
    ['requestlogreviews', 'RequestLogReview', { codes: [418] }, 422, 'spec.codes[0]: Invalid value: 418'],
    [
      'faultplans',
      'FaultPlan',
      { match: { users: ['a'], verb: ['get'] }, fault },
      400,
      'unknown field \\"spec.match.verb\\"',
    ],
    ['faultplans', 'FaultPlan', { match: { verbs: ['craete'] }, fault }, 422, 'spec.match.verbs[0]: Unsupported'],
    ['settledreviews', 'SettledReview', { controller: ['a'] }, 400, 'unknown field \\"spec.controller\\"'],
  ])('over the wire: %s %s %j', async (resource, kind, spec, code, want) => {
    const body = JSON.stringify({
      ...{ apiVersion: 'testing.kubeloom.dev/v1alpha1', kind, spec },
      metadata: resource === 'faultplans' ? { name: 'a' } : {},
    });
    for (const query of ['', '?fieldValidation=Ignore']) {
      const path = `/apis/testing.kubeloom.dev/v1alpha1/${resource}${query}`;
      const response = await server.fetch(path, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
      });
      const text = await response.text();
      expect([response.status, text]).toEqual([code, expect.stringContaining(want)]);
    }
  });
});

test('a recording from the start is replayed from the ready mark on, when an informer lists', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'kubeloom-ready-'));
  const file = join(dir, 'run.jsonl');
  try {
    const recorded = await startTestServer({ record: file });
    const client = await recorded.client();
    const maps = client.core.v1.configmaps.namespace('default');
    for (const name of ['a', 'b', 'c']) await maps.create({ metadata: { name } });
    await maps.delete('b');
    await recorded.close();
    const replay = await startTestServer({ replay: { file, speed: 'max', paused: true } });
    const config = new KubeConfig();
    config.loadFromString(replay.kubeconfig);
    const core = config.makeApiClient(CoreV1Api);
    const seen: string[] = [];
    const informer = makeInformer(config, '/api/v1/namespaces/default/configmaps', () =>
      core.listNamespacedConfigMap({ namespace: 'default' }),
    );
    const end = new Promise<void>((resolve) => {
      informer.on('add', ({ metadata }) => void seen.push(`add ${metadata?.name}`));
      informer.on('delete', ({ metadata }) => {
        seen.push(`delete ${metadata?.name}`);
        if (metadata?.name === 'b') resolve();
      });
    });
    await informer.start();
    await end;
    await informer.stop();
    await replay.close();
    expect(seen.filter((one) => !one.includes('kube-root'))).toEqual(['add a', 'add b', 'add c', 'delete b']);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
