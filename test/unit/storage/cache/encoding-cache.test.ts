import { describe, expect, test } from '@jest/globals';
import { EncodingCache, type EncodingOwner } from '../../../../runtime/storage/cache/encoding-cache.ts';

describe('cached encodings', () => {
  const newHome = (): EncodingOwner => ({ encodings: undefined });
  const make = (size: number) => () => new Uint8Array(size);

  test('stay within the budget', () => {
    const cache = new EncodingCache(() => 100_000);
    for (let at = 0; at < 5000; at += 1) cache.get(newHome(), 'pb', make(1000));
    expect(cache.bytes).toBeLessThanOrEqual(100_000);
    expect(cache.bytes).toBeGreaterThan(90_000);
  });

  test('stay longest if they are used again', () => {
    const cache = new EncodingCache(() => 100_000);
    const [hot, cold] = [newHome(), newHome()];
    const first = cache.get(hot, 'pb', make(1000));
    cache.get(cold, 'pb', make(1000));
    for (let at = 0; at < 500; at += 1) {
      cache.get(newHome(), 'pb', make(1000));
      expect(cache.get(hot, 'pb', make(1000))).toBe(first);
    }
    expect(cold.encodings).toBeUndefined();
  });

  test('that exceed the budget and are used repeatedly in order are kept in part', () => {
    const cache = new EncodingCache(() => 100_000);
    const homes = Array.from({ length: 120 }, () => newHome());
    let made = 0;
    const rounds = 20;
    for (let round = 0; round < rounds; round += 1) {
      for (const home of homes) {
        cache.get(home, 'pb', () => {
          made += 1;
          return new Uint8Array(1000);
        });
      }
    }
    expect(made).toBeLessThan(homes.length * rounds * 0.8);
  });

  test('that would evict the others are not cached', () => {
    const cache = new EncodingCache(() => 100_000);
    const home = newHome();
    expect(cache.get(home, 'pb', make(50_000))).toHaveLength(50_000);
    expect(home.encodings).toBeUndefined();
  });

  test('of one object are found and dropped separately', () => {
    const cache = new EncodingCache(() => 100_000);
    const home = newHome();
    const made = ['a', 'b', 'c'].map((key) => cache.get(home, key, make(100)));
    cache.cool();
    expect(home.encodings).toBeUndefined();
    for (const key of ['a', 'b', 'c']) cache.get(home, key, make(100));
    const kept = cache.get(home, 'b', make(100));
    cache.cool();
    expect(cache.get(home, 'b', make(100))).toBe(kept);
    expect(cache.get(home, 'a', make(100))).not.toBe(made[0]);
  });

  test('that are not used are evicted', () => {
    const cache = new EncodingCache(() => 100_000);
    const [hot, cold] = [newHome(), newHome()];
    const first = cache.get(hot, 'pb', make(1000));
    cache.get(cold, 'pb', make(1000));
    cache.get(hot, 'pb', make(1000));
    cache.cool();
    expect(cold.encodings).toBeUndefined();
    expect(cache.get(hot, 'pb', make(1000))).toBe(first);
    cache.cool();
    cache.cool();
    expect(cache.bytes).toBe(0);
  });

  test('may be more when more is stored', () => {
    let budget = 10_000;
    const cache = new EncodingCache(() => budget);
    for (let at = 0; at < 100; at += 1) cache.get(newHome(), 'pb', make(1000));
    expect(cache.bytes).toBeLessThanOrEqual(10_000);
    budget = 100_000;
    for (let at = 0; at < 200; at += 1) cache.get(newHome(), 'pb', make(1000));
    expect(cache.bytes).toBeGreaterThan(90_000);
  });
});
