import { describe, expect, test } from '@jest/globals';
import { FormCache, type Forms } from '../../../../runtime/storage/cache/forms.ts';

describe('forms', () => {
  const make = (size: number) => () => new Uint8Array(size);

  test('stay within the budget', () => {
    const cache = new FormCache(100_000);
    for (let at = 0; at < 5000; at += 1) cache.get(new Map() as Forms, 'pb', make(1000));
    expect(cache.bytes).toBeLessThanOrEqual(100_000);
    expect(cache.bytes).toBeGreaterThan(90_000);
  });

  test('those asked for again stay longest', () => {
    const cache = new FormCache(100_000);
    const [hot, cold] = [new Map() as Forms, new Map() as Forms];
    const first = cache.get(hot, 'pb', make(1000));
    cache.get(cold, 'pb', make(1000));
    for (let at = 0; at < 500; at += 1) {
      cache.get(new Map() as Forms, 'pb', make(1000));
      expect(cache.get(hot, 'pb', make(1000))).toBe(first);
    }
    expect(cold.size).toBe(0);
  });

  test('of more than the budget, asked for again and again in order, a part stays', () => {
    const cache = new FormCache(100_000);
    const homes = Array.from({ length: 120 }, () => new Map() as Forms);
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

  test('one that would push out the others is not kept', () => {
    const cache = new FormCache(100_000);
    const home = new Map() as Forms;
    expect(cache.get(home, 'pb', make(50_000))).toHaveLength(50_000);
    expect(home.size).toBe(0);
  });
});
