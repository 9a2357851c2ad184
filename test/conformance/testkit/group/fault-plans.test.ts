import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { FaultPlanStatus } from '../../../../generated/testing/testing.kubeloom.dev/v1alpha1/types.ts';
import { review, testGroup } from '../../../support/test-group.ts';
import { TestServer } from '../../../support/test-server.ts';

const json = 'application/json';

describe('a FaultPlan', () => {
  const suite = TestServer.forSuite({ testControls: true, clock: 'manual' });
  const plans = `${testGroup}/faultplans`;
  const maps = '/api/v1/namespaces/default/configmaps';
  const post = (name: string, spec: object, query = '') =>
    suite.http.send('POST', `${plans}${query}`, JSON.stringify({ metadata: { name }, spec }), json);
  const fault = { status: { code: 503 } };
  const match = { verbs: ['list'], resources: ['configmaps'] };
  const list = async (): Promise<number> => (await suite.http.get(maps)).status;
  const remove = (name: string) => suite.http.send('DELETE', `${plans}/${name}`, '{}', json);
  /** Waits for a status with a watch. */
  const status = async (name: string, isWanted: (status: FaultPlanStatus) => boolean): Promise<FaultPlanStatus> => {
    const plan = { apiVersion: 'testing.kubeloom.dev/v1alpha1', kind: 'FaultPlan', name };
    const found = await suite.server.eventually<{ status: FaultPlanStatus }>(plan, (one) => one && isWanted(one.status));
    return found.status;
  };

  test('is in force from its creation to its deletion', async () => {
    expect(await list()).toBe(200);
    const made = await post('unavailable', { match, fault });
    expect([made.status, made.json.status]).toEqual([
      201,
      {
        observedGeneration: 1,
        matches: 0,
        hits: 0,
        conditions: [
          {
            type: 'Active',
            status: 'True',
            reason: 'InForce',
            message: 'the plan is in force',
            observedGeneration: 1,
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
    ]);
    expect(await list()).toBe(503);
    expect((await remove('unavailable')).status).toBe(200);
    expect(await list()).toBe(200);
  });

  test('has a status that follows its hits', async () => {
    await post('twice', { match, occurrence: { skip: 1, count: 1 }, fault });
    expect([await list(), await list(), await list()]).toEqual([200, 503, 200]);
    const { conditions, ...counts } = await status('twice', ({ matches }) => matches === 3);
    expect(counts).toEqual({ observedGeneration: 1, matches: 3, hits: 1 });
    expect(conditions).toMatchObject([{ type: 'Active', status: 'False', reason: 'Exhausted' }]);
    await remove('twice');
  });

  test('begins again when its spec changes, and only then', async () => {
    await post('changing', { match, fault });
    const patch = (change: object) => suite.http.send('PATCH', `${plans}/changing`, JSON.stringify(change), 'application/merge-patch+json');
    expect(await list()).toBe(503);
    await patch({ metadata: { labels: { a: 'b' } } });
    expect(await list()).toBe(503);
    expect(await status('changing', ({ hits }) => hits === 2)).toMatchObject({ observedGeneration: 1, matches: 2 });
    await patch({ spec: { fault: { status: { code: 429 } } } });
    expect(await status('changing', ({ observedGeneration }) => observedGeneration === 2)).toMatchObject({ hits: 0 });
    expect(await list()).toBe(429);
    await remove('changing');
    expect(await list()).toBe(200);
  });

  test('does not hit the requests by which it is removed, whatever it matches', async () => {
    await post('everything', { fault: { drop: {} } });
    await expect(list()).rejects.toThrow();
    expect((await remove('everything')).status).toBe(200);
    expect(await list()).toBe(200);
  });

  test('stays in force when the other objects are restored', async () => {
    await post('lasting', { match, fault });
    await review(suite.http, 'snapshotrestores', {});
    expect(await list()).toBe(503);
    await remove('lasting');
  });

  test.each<[object, string]>([
    [{}, 'spec.fault: Required value'],
    [{ fault: {} }, 'spec.fault: Required value: must specify one of: '],
    [{ fault: { status: { code: 200 } } }, 'spec.fault.status.code: Invalid value: 200: '],
    [{ fault: { delay: { duration: 'long' } } }, 'spec.fault.delay.duration: Invalid value: "long": time: invalid duration'],
    [{ fault, occurrence: { probability: '2' } }, 'spec.occurrence.probability: Invalid value: "2": '],
  ])('with the spec %j is invalid', async (spec, why) => {
    const { status: code, json: error } = await post('bad', spec);
    expect([code, error.message]).toEqual([422, expect.stringContaining(why)]);
    expect(await list()).toBe(200);
  });

  const documented = [...readFileSync('docs/faults.md', 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)];
  test.each(documented.map(([, text]) => [parse(text)]))('may have the documented spec %j', async (spec) => {
    const { json: made } = await post('documented', spec, '?dryRun=All&fieldValidation=Strict');
    expect(made.spec).toEqual(spec);
  });

  test('is not in force after a dry run', async () => {
    expect((await post('dry', { match, fault }, '?dryRun=All')).status).toBe(201);
    expect(await list()).toBe(200);
  });
});
