import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { evictPod } from '../../../../../runtime/kinds/core/pod/eviction.ts';
import { failureOf, openTestStores, type TestResource, type TestStores } from '../../../../support/resource-stores.ts';
import type { TestObject } from '../../../../support/test-object.ts';

describe('the eviction of a pod that becomes healthy meanwhile', () => {
  let stores: TestStores;
  let pods: TestResource;

  beforeEach(async () => {
    stores = await openTestStores();
    pods = await stores.of('pods');
    const budgets = await stores.of('policy/poddisruptionbudgets');
    const labels = { app: 'a' };
    await pods.create({ metadata: { name: 'p', labels }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    await budgets.create({ metadata: { name: 'b' }, spec: { minAvailable: 1, selector: { matchLabels: labels } } });
    const counts = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
    const use = (budget: TestObject): void => {
      budget.status = { observedGeneration: 1, ...counts };
    };
    await budgets.update('b', use, { part: 'status' });
  });

  afterEach(() => stores.close());

  const run = (ready: string) =>
    pods.update(
      'p',
      ({ status }) => {
        const conditions = (status.conditions ?? []).filter(({ type }: { type: string }) => type !== 'Ready');
        Object.assign(status, { phase: 'Running', conditions: [...conditions, { type: 'Ready', status: ready }] });
      },
      { part: 'status' },
    );
  const evict = () => failureOf(evictPod({ metadata: { name: 'p' } }, 'p', pods.write()));

  test.each([
    ['and had not started', async () => undefined],
    ['and was not ready', () => run('False')],
  ])('%s asks the budget', async (_name, begin) => {
    await begin();
    const [, failure] = await Promise.all([run('True'), evict()]);
    expect(failure).toMatchObject({ code: 429, details: { causes: [{ reason: 'DisruptionBudget' }] } });
    expect(pods.get('p')?.metadata.deletionTimestamp).toBeUndefined();
  });

  test.each([
    ['and had not started', async () => undefined],
    ['and was not ready', () => run('False')],
  ])('%s does not delete it once it has its condition', async (_name, begin) => {
    await begin();
    const [failure] = await Promise.all([evict(), run('True')]);
    expect(failure).toMatchObject({ code: 429, details: { causes: [{ reason: 'DisruptionBudget' }] } });
    expect(pods.get('p')?.metadata.deletionTimestamp).toBeUndefined();
  });
});
