import { describe, expect, test } from '@jest/globals';
import { LeaseManager } from '../../../../runtime/storage/etcd/lease-manager.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

describe('leases', () => {
  function newManager(options: { maxObjectCount?: number; reuseDurationSeconds?: number } = {}) {
    const clock = new ManualClock();
    const granted: number[] = [];
    const full: number[] = [];
    const grantLease = async (ttlSeconds: number) => ({ id: BigInt(granted.push(ttlSeconds)), ttlSeconds });
    const onLeaseFull = (count: number) => full.push(count);
    const manager = new LeaseManager({ client: { grantLease }, clock, onLeaseFull, ...options });
    return { manager, clock, granted, full };
  }

  test('are shared for a twentieth of the time, at most a minute, by which they last longer', async () => {
    const { manager, clock, granted } = newManager();
    const ids: bigint[] = [];
    for (const [ttl, advance] of [
      [100, 0],
      [100, 4_999],
      [100, 1],
      [3600, 0],
      [3600, 59_999],
      [3600, 1],
      [10, 0],
      [10, 0],
    ]) {
      clock.advance(advance);
      ids.push(await manager.getLease(ttl));
    }
    expect(ids).toEqual([1n, 1n, 2n, 3n, 3n, 4n, 5n, 6n]);
    expect(granted).toEqual([105, 105, 3660, 3660, 10, 10]);
  });

  test('have at most so many keys', async () => {
    const { manager, full } = newManager({ maxObjectCount: 3 });
    const ids = await Promise.all(Array.from({ length: 7 }, () => manager.getLease(3600)));
    expect(ids).toEqual([1n, 1n, 1n, 2n, 2n, 2n, 3n]);
    expect(full).toEqual([3, 3]);
  });

  test('that do not exist any more are not used again', async () => {
    const { manager } = newManager();
    await manager.forget(await manager.getLease(3600));
    expect(await manager.getLease(3600)).toBe(2n);
  });
});
