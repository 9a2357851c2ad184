import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { QuotaRequest } from '../../../../runtime/admission/quota/check-request.ts';
import type { ReserveResult } from '../../../../runtime/admission/quota/namespace-account.ts';
import { LocalRateLimiters } from '../../../../runtime/admission/rate-limiters.ts';
import type { ServiceAllocators } from '../../../../runtime/kinds/core/service/allocators.ts';
import type { DeleteEffect, PutEffect } from '../../../../runtime/server/workers/effects.ts';
import { EffectPerformer } from '../../../../runtime/server/workers/perform-effects.ts';
import { PlannedEffects } from '../../../../runtime/server/workers/planned-effects.ts';
import { StorageError } from '../../../../runtime/storage/errors.ts';
import type { EncodedObject } from '../../../../runtime/storage/object-store/contract.ts';
import { openTestStores, type TestResource, type TestStores } from '../../../support/resource-stores.ts';

const configMaps = { group: '', resource: 'configmaps' };
const namespace = 'default';
const quotaRequest = { group: '', resource: 'configmaps', namespace, name: 'a' } as QuotaRequest;

function encoded(name: string, data: Record<string, string> = {}): EncodedObject {
  const value = Buffer.from(
    JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, namespace, uid: `uid-${name}` }, data }),
  );
  return { namespace, name, value, labels: {}, selectable: {}, changesWhenRead: false, storedLength: value.length };
}

describe('the effects of a job', () => {
  let stores: TestStores;
  let resource: TestResource;
  let settled: [id: number, stored: boolean][];
  let released: unknown[];
  let reserve: () => ReserveResult;

  beforeEach(async () => {
    stores = await openTestStores();
    resource = await stores.of('configmaps');
    settled = [];
    released = [];
    reserve = () => ({ namespace, id: 7 });
  });
  afterEach(() => stores.close());

  const performer = (main?: number) =>
    new EffectPerformer(
      {
        stores: stores.stores,
        quota: {
          open: async () => undefined,
          reserve: () => reserve(),
          settle: ({ id }, stored) => void settled.push([id, stored]),
        },
        rateLimiters: new LocalRateLimiters(stores.clock),
        serviceAllocators: {
          releaseNodePorts: async (ports: readonly number[]) => void released.push(ports),
          releaseClusterIP: async (address: string) => void released.push(address),
        } as unknown as ServiceAllocators,
      },
      main,
    );
  const put = (object: EncodedObject, expected: number, planned = -1): PutEffect => ({
    kind: 'put',
    generatesName: false,
    collection: configMaps,
    object,
    expect: expected,
    planned,
  });
  const remove = (name: string, expected: number, planned = -1): DeleteEffect => ({
    kind: 'delete',
    collection: configMaps,
    namespace,
    name,
    expect: expected,
    planned,
  });
  const revisionOf = (name: string): number | undefined => resource.store.collection.latest().get(namespace, name)?.revision;

  test('happen in order, and a reservation of quota ends with the write', async () => {
    const performed = await performer().perform([
      { kind: 'reserve', request: quotaRequest },
      put(encoded('a'), 0),
      { kind: 'releaseNodePorts', ports: [30_001] },
      { kind: 'releaseClusterIP', address: '10.0.0.9', service: { namespace, name: 'a' } },
    ]);
    expect(performed).toMatchObject({ stored: new Map([[-1, { name: 'a', revision: revisionOf('a') }]]) });
    expect([settled, released]).toEqual([[[7, true]], [[30_001], '10.0.0.9']]);
  });

  test('end with a conflict, which has the object as it is now', async () => {
    await resource.create({ metadata: { name: 'a' }, data: { key: 'newer' } });
    const effects = [
      { kind: 'reserve', request: quotaRequest } as const,
      put(encoded('a'), 0),
      { kind: 'releaseNodePorts', ports: [1] } as const,
    ];
    const performed = await performer().perform(effects);
    expect(performed).toMatchObject({ conflict: { write: { kind: 'put', expect: 0 }, newest: { revision: revisionOf('a') } } });
    expect([settled, released]).toEqual([[], []]);
    expect(await performer().perform([remove('b', 5)])).toMatchObject({ conflict: { write: { name: 'b' }, newest: undefined } });
  });

  test('are not begun if a later write has a conflict', async () => {
    await resource.create({ metadata: { name: 'pod' } });
    const performed = await performer().perform([put(encoded('budget'), 0), remove('pod', 1, -2)]);
    expect(performed).toMatchObject({ conflict: { write: { name: 'pod' }, newest: { revision: revisionOf('pod') } } });
    expect(revisionOf('budget')).toBeUndefined();
  });

  test('refer to revisions of earlier ones', async () => {
    const performed = await performer(-3).perform([
      put(encoded('a'), 0),
      put(encoded('a', { key: 'changed' }), -1, -2),
      remove('a', -2, -3),
    ]);
    if (!('stored' in performed)) throw new Error('a conflict');
    expect([...performed.stored.keys()]).toEqual([-1, -2, -3]);
    expect(revisionOf('a')).toBeUndefined();
  });

  test('include the deletion of what a deleted object leaves behind, in any state', async () => {
    await resource.create({ metadata: { name: 'service' } });
    await resource.create({ metadata: { name: 'endpoints' } });
    const [first = 0, outdated = 0] = [revisionOf('service'), revisionOf('endpoints')];
    await resource.update('endpoints', (object) => {
      object.data = { key: 'changed' };
    });
    await performer(-1).perform([remove('service', first), remove('endpoints', outdated, -2), remove('gone', 3, -3)]);
    expect([revisionOf('service'), revisionOf('endpoints')]).toEqual([undefined, undefined]);
  });

  test('do not happen if a limit refuses the request', async () => {
    reserve = () => ({ kind: 'forbidden', message: 'exceeded quota: q' });
    const refused = performer().perform([{ kind: 'reserve', request: quotaRequest }, put(encoded('a'), 0)]);
    await expect(refused).rejects.toThrow('configmaps "a" is forbidden: exceeded quota: q');
    const limit = { name: 'l', type: 'Namespace', qps: 1, burst: 1, cacheSize: 1 };
    const accept = { kind: 'accept', events: [{ limit, key: namespace }] } as const;
    const limited = performer();
    await limited.perform([accept]);
    await expect(limited.perform([accept, put(encoded('a'), 0)])).rejects.toThrow('limit reached on type Namespace for key default');
    expect([revisionOf('a'), settled]).toEqual([undefined, []]);
  });

  test.each([
    ['unknown-outcome', true],
    ['unavailable', false],
  ] as const)('that fail as %s count as stored: %s', async (code, mayBeStored) => {
    resource.store.collection.put = () => Promise.reject(new StorageError(code, 'the connection broke'));
    const failed = performer().perform([{ kind: 'reserve', request: quotaRequest }, put(encoded('a'), 0)]);
    await expect(failed).rejects.toThrow('the connection broke');
    expect(settled).toEqual([[7, mayBeStored]]);
  });

  test('are numbered anew for each job, without the reservations of attempts that stored nothing', () => {
    const effects = new PlannedEffects();
    const write = { collection: configMaps, object: encoded('a'), expect: 0, generatesName: false };
    const first = effects.reserve(quotaRequest);
    effects.settle(first, false);
    const second = effects.reserve(quotaRequest);
    expect(effects.put(write)).toBe(-1);
    expect(effects.delete({ collection: configMaps, namespace, name: 'b', expect: 4 })).toBe(-2);
    effects.settle(second, true);
    expect(effects.take().map(({ kind }) => kind)).toEqual(['reserve', 'put', 'delete']);
    expect(effects.put(write)).toBe(-1);
  });
});
