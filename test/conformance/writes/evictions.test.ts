import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

const pods = '/api/v1/namespaces/default/pods';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

interface Situation {
  readonly phase?: string;
  readonly ready?: boolean;
  readonly labels?: Record<string, string>;
  readonly policy?: 'AlwaysAllow' | 'IfHealthyBudget';
  readonly status?: object;
  readonly eviction?: object;
}

describe('an eviction', () => {
  let fixture: WriteFixture;
  let count = 0;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  /** Evicts a running pod with a budget, and returns the response. */
  async function evicted(situation: Situation = {}) {
    const name = `p-${count++}`;
    const { phase = 'Running', ready = true, labels = { app: name }, policy, status = {}, eviction = {} } = situation;
    await fixture.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
    });
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
    await fixture.patch('merge', `${pods}/${name}/status`, { status: { phase, conditions } });
    await fixture.create(budgets, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: {
        minAvailable: 1,
        selector: { matchLabels: { app: name } },
        ...(policy === undefined ? {} : { unhealthyPodEvictionPolicy: policy }),
      },
    });
    const whole = {
      observedGeneration: 1,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
      disruptionsAllowed: 0,
    };
    await fixture.patch('merge', `${budgets}/${name}/status`, { status: { ...whole, ...status } });
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...eviction };
    const response = await fixture.create(`${pods}/${name}/eviction`, body);
    const pod = await fixture.get(`${pods}/${name}`);
    return { name, response, pod, budget: (await fixture.get(`${budgets}/${name}`)).json };
  }

  test.each<[string, Situation, number, number]>([
    ['of a healthy pod that the budget can spare', { status: { disruptionsAllowed: 1 } }, 201, 0],
    ['of a healthy pod that the budget needs', {}, 429, 0],
    ['of a pod that has ended', { phase: 'Failed' }, 201, 0],
    ['of a pod that has not started', { phase: 'Pending' }, 201, 0],
    ['of a pod without labels', { labels: {} }, 201, 0],
    ['of an unhealthy pod while enough others are healthy', { ready: false }, 201, 0],
    ['of an unhealthy pod while too few others are healthy', { ready: false, status: { currentHealthy: 0 } }, 429, 0],
    [
      'of an unhealthy pod with the policy AlwaysAllow',
      { ready: false, policy: 'AlwaysAllow', status: { currentHealthy: 0, disruptionsAllowed: 2 } },
      201,
      2,
    ],
    [
      'of an unhealthy pod with the policy IfHealthyBudget',
      { ready: false, policy: 'IfHealthyBudget', status: { currentHealthy: 0 } },
      429,
      0,
    ],
  ])('%s', async (_what, situation, code, left) => {
    const { response, budget, pod } = await evicted(situation);
    expect([response.status, budget.status.disruptionsAllowed]).toEqual([code, left]);
    const isGoing = pod.status === 404 || pod.json.metadata.deletionTimestamp !== undefined;
    expect(isGoing).toBe(code === 201);
  });

  test('is recorded in the pod and the budget', async () => {
    const { name, pod, budget, response } = await evicted({ status: { disruptionsAllowed: 1 } });
    expect(response.json).toMatchObject({ kind: 'Status', status: 'Success', code: 201 });
    expect(pod.json.status.conditions[1]).toMatchObject({
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    });
    expect(Object.keys(budget.status.disruptedPods)).toEqual([name]);
    expect(budget.status.conditions).toEqual([
      expect.objectContaining({ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }),
    ]);
  });

  test('is rejected with the reason and the budget', async () => {
    const { name, response } = await evicted();
    expect(response.json).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: `The disruption budget ${name} needs 1 healthy pods and has 1 currently`,
          },
        ],
      },
    });
  });

  test('is rejected until the budget’s status is observed', async () => {
    const { name, response } = await evicted({ status: { observedGeneration: 0, disruptionsAllowed: 1 } });
    expect(response.headers['retry-after']).toBe('10');
    expect(response.json).toMatchObject({
      code: 429,
      details: {
        retryAfterSeconds: 10,
        causes: [
          {
            reason: 'DisruptionBudget',
            message: `The disruption budget ${name} is still being processed by the server.`,
          },
        ],
      },
    });
  });

  test('in a dry run does not use the budget', async () => {
    const { response, budget, pod } = await evicted({
      status: { disruptionsAllowed: 1 },
      eviction: { deleteOptions: { dryRun: ['All'] } },
    });
    expect([response.status, budget.status.disruptionsAllowed, pod.json.metadata.deletionTimestamp]).toEqual([201, 1, undefined]);
    expect(pod.json.status.conditions).toHaveLength(1);
  });

  test('of another pod than that of the URL is rejected', async () => {
    const { response } = await evicted({ eviction: { metadata: { name: 'other' } } });
    expect(response.status).toBe(400);
  });

  test('of a pod with two budgets is rejected', async () => {
    const two = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: { minAvailable: 1, selector: {} } };
    await fixture.create(budgets, { ...two, metadata: { name: 'all' } });
    const { response } = await evicted();
    expect([response.status, response.json.message]).toEqual([
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    ]);
  });
});
