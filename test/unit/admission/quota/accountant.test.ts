import { describe, expect, test } from '@jest/globals';
import { QuotaAccountant } from '../../../../runtime/admission/quota/accountant.ts';
import type { QuotaRequest } from '../../../../runtime/admission/quota/check-request.ts';
import { noScopes } from '../../../../runtime/admission/quota/scopes.ts';
import { QuotaStatusWriter } from '../../../../runtime/admission/quota/status-writer.ts';
import { countOf } from '../../../../runtime/machinery/scalars/resource-amounts.ts';
import { Listers } from '../../../../runtime/resources/lister.ts';
import type { Writer } from '../../../../runtime/resources/rest.ts';
import { openTestStores, type TestStores } from '../../../support/resource-stores.ts';

const request = (name: string): QuotaRequest => ({
  group: '',
  resource: 'configmaps',
  subresource: '',
  namespace: 'default',
  name,
  uid: name,
  dryRun: false,
  measure: { usage: new Map([['configmaps', countOf(1)]]), scopes: noScopes },
  missing: {},
  limitedResources: [],
});

/** Opens an accountant of an unused quota for two config maps. Statuses are written when `before` resolves. */
async function opened(before: () => Promise<void> = () => Promise.resolve()) {
  const stores = await openTestStores();
  const quotas = await stores.of('resourcequotas');
  await quotas.create({ metadata: { name: 'q' }, spec: { hard: { configmaps: '2' } } });
  const status = { hard: { configmaps: '2' }, used: { configmaps: '0' } };
  await quotas.update('q', (quota) => Object.assign(quota, { status }), { part: 'status' });
  const writer: Writer = quotas.writer();
  const statusWriter = new QuotaStatusWriter(stores.stores, { admission: writer, controller: writer });
  const write = statusWriter.write.bind(statusWriter);
  statusWriter.write = async (...args) => {
    await before();
    return write(...args);
  };
  const reported: unknown[] = [];
  const accountant = new QuotaAccountant({
    listers: new Listers(stores.stores, true),
    clock: stores.clock,
    statusWriter,
    report: (error) => void reported.push(error),
  });
  await accountant.open();
  return { stores, accountant, reported };
}

const used = async (stores: TestStores) => (await stores.of('resourcequotas')).get('q')?.status.used.configmaps;

describe('the accountant of quotas', () => {
  test('gives back what a write reserved and did not use', async () => {
    const { stores, accountant } = await opened();
    const first = await accountant.reserve(request('a'));
    const second = await accountant.reserve(request('b'));
    expect(await accountant.reserve(request('c'))).toMatchObject({ kind: 'forbidden' });
    if (first === undefined || second === undefined || !('id' in first) || !('id' in second)) throw new Error('reserved');
    accountant.settle(first, true);
    accountant.settle(second, false);
    await accountant.sync('default');
    expect(await used(stores)).toBe('1');
    await stores.close();
  });

  test('gives back later what it could not give back at once', async () => {
    let failure: Error | undefined;
    const { stores, accountant, reported } = await opened(async () => {
      if (failure !== undefined) throw failure;
    });
    const reserved = await accountant.reserve(request('a'));
    if (reserved === undefined || !('id' in reserved)) throw new Error('reserved');
    failure = new Error('the disk is full');
    accountant.settle(reserved, false);
    await expect(accountant.sync('default')).rejects.toThrow('the disk is full');
    expect(reported).toEqual([failure]);
    expect(await used(stores)).toBe('1');
    failure = undefined;
    await accountant.sync('default');
    expect(await used(stores)).toBe('0');
    await stores.close();
  });

  test('lets nobody wait for more than ten seconds, and keeps nothing for those who left', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { stores, accountant } = await opened(() => gate);
    const waiting = accountant.reserve(request('a'));
    stores.clock.advance(10_000);
    expect(await waiting).toEqual({ kind: 'internal', message: 'resource quota evaluation timed out' });
    open();
    await accountant.sync('default');
    await accountant.sync('default');
    expect(await used(stores)).toBe('0');
    await stores.close();
  });
});
