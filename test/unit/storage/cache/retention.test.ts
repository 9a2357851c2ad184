import { describe, expect, test } from '@jest/globals';
import { Retention } from '../../../../runtime/storage/cache/retention.ts';

describe('retention', () => {
  test('moves with time, and keeps the newest commits', () => {
    const retention = new Retention(10_000, 1000);
    retention.record(1, 0, 0);
    retention.record(2, 0, 500);
    retention.record(3, 0, 2000);
    retention.record(4, 0, 20_000);
    expect(retention.expire(10_000)).toBeUndefined();
    expect(retention.expire(11_000)).toBe(2);
    expect(retention.expire(11_000)).toBeUndefined();
    expect(retention.expire(90_000)).toBe(3);
    expect(retention.expire(90_000)).toBeUndefined();
  });

  test('drops first what exceeds the budget', () => {
    const retention = new Retention(10_000, 1000);
    for (let revision = 2; revision <= 12; revision += 1) retention.record(revision, 100, 0);
    expect(retention.overflow()).toBe(2);
    retention.record(13, 300, 0);
    expect(retention.overflow()).toBe(5);
    expect(retention.overflow()).toBeUndefined();
  });

  test('keeps one commit that is larger than the budget', () => {
    const retention = new Retention(10_000, 1000);
    retention.record(2, 5000, 0);
    expect(retention.overflow()).toBeUndefined();
  });
});
