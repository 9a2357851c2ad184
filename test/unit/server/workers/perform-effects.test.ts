import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { QuotaRequest } from '../../../../runtime/admission/quota/check-request.ts';
import type { ReserveResult } from '../../../../runtime/admission/quota/namespace-account.ts';
import { LocalRateLimiters } from '../../../../runtime/admission/rate-limiters.ts';
import type { Effect } from '../../../../runtime/server/workers/effects.ts';
import { PendingEffects } from '../../../../runtime/server/workers/pending-effects.ts';
import { EffectPerformer } from '../../../../runtime/server/workers/perform-effects.ts';
import { StorageError } from '../../../../runtime/storage/errors.ts';
import type { EncodedObject } from '../../../../runtime/storage/object-store/contract.ts';
import { openTestStores, type TestResource, type TestStores } from '../../../support/resource-stores.ts';

const collection = { group: '', resource: 'configmaps' };
const namespace = 'default';
const quotaRequest = { group: '', resource: 'configmaps', namespace, name: 'a' } as QuotaRequest;
const reserveEffect: Effect = { kind: 'reserve', request: quotaRequest };

function encoded(name: string): EncodedObject {
  const value = Buffer.from(
    JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, namespace, uid: `uid-${name}` }, data: {} }),
  );
  return { namespace, name, value, labels: {}, selectable: {}, changesWhenRead: false, storedLength: value.length };
}

const put = (name: string, expect: number) => ({ collection, object: encoded(name), expect });

describe('the writes of a job, with the effects before them', () => {
  let stores: TestStores;
  let resource: TestResource;
  let settled: [id: number, stored: boolean][];
  let reserve: () => ReserveResult;
  let performer: EffectPerformer;

  beforeEach(async () => {
    stores = await openTestStores();
    resource = await stores.of('configmaps');
    settled = [];
    reserve = () => ({ namespace, id: 7 });
    performer = new EffectPerformer({
      stores: stores.stores,
      quota: {
        open: async () => undefined,
        reserve: () => reserve(),
        settle: ({ id }, stored) => void settled.push([id, stored]),
      },
      rateLimiters: new LocalRateLimiters(stores.clock),
    });
  });
  afterEach(() => stores.close());

  const revisionOf = (name: string): number | undefined => resource.store.collection.latest().get(namespace, name)?.revision;

  test('happen in order, and a reservation of quota ends with its write', async () => {
    const { revision = 0, createRevision } = (await performer.put([reserveEffect], put('a', 0))) ?? {};
    expect([revision, createRevision, settled]).toEqual([revisionOf('a'), revision, [[7, true]]]);
    const last = await performer.delete([], { collection, namespace, name: 'a', expect: revision });
    expect([last?.name, last?.revision, revisionOf('a')]).toEqual(['a', revision + 1, undefined]);
  });

  test('have no result after a conflict', async () => {
    await resource.create({ metadata: { name: 'a' }, data: { key: 'newer' } });
    expect(await performer.put([reserveEffect], put('a', 0))).toBeUndefined();
    expect(await performer.delete([], { collection, namespace, name: 'b', expect: 5 })).toBeUndefined();
    expect(settled).toEqual([[7, false]]);
  });

  test('do not happen if a limit refuses the request', async () => {
    reserve = () => ({ kind: 'forbidden', message: 'exceeded quota: q' });
    await expect(performer.put([reserveEffect], put('a', 0))).rejects.toThrow('configmaps "a" is forbidden: exceeded quota: q');
    const limit = { name: 'l', type: 'Namespace', qps: 1, burst: 1, cacheSize: 1 };
    const accept: Effect = { kind: 'accept', events: [{ limit, key: namespace }] };
    await performer.perform([accept]);
    await expect(performer.put([accept], put('a', 0))).rejects.toThrow('limit reached on type Namespace for key default');
    expect([revisionOf('a'), settled]).toEqual([undefined, []]);
  });

  test.each([
    ['unknown-outcome', true],
    ['unavailable', false],
  ] as const)('that fail as %s count as stored: %s', async (code, mayBeStored) => {
    resource.store.collection.put = () => Promise.reject(new StorageError(code, 'the connection broke'));
    await expect(performer.put([reserveEffect], put('a', 0))).rejects.toThrow('the connection broke');
    expect(settled).toEqual([[7, mayBeStored]]);
  });

  test('take only effects of attempts that may store something', () => {
    const effects = new PendingEffects();
    effects.settle(effects.reserve(quotaRequest), false);
    effects.accept([]);
    const kept = effects.reserve(quotaRequest);
    expect(effects.take().map(({ kind }) => kind)).toEqual(['accept', 'reserve']);
    effects.settle(kept, false);
    expect(effects.take()).toEqual([]);
  });
});
