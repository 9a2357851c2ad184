import { describe, expect, test } from '@jest/globals';
import { BoundedMap } from '../../../../runtime/machinery/collections/bounded-map.ts';

describe('a bounded map', () => {
  test('never holds more than its limit', () => {
    const map = new BoundedMap<number, string>(10);
    for (let key = 0; key < 1000; key++) {
      map.set(key, `${key}`);
      map.get(key % 7);
      expect(map.size).toBeLessThanOrEqual(10);
    }
  });

  test('keeps the half of its limit that was used last', () => {
    const map = new BoundedMap<number, string>(10);
    for (let key = 0; key < 1000; key++) map.set(key, `${key}`);
    for (let key = 995; key < 1000; key++) expect(map.get(key)).toBe(`${key}`);
    expect(map.get(900)).toBeUndefined();
  });

  test('keeps what is read, however much is added', () => {
    const map = new BoundedMap<number, string>(10);
    map.set(-1, 'kept');
    for (let key = 0; key < 1000; key++) {
      map.set(key, `${key}`);
      expect(map.get(-1)).toBe('kept');
    }
  });

  test('replaces and deletes entries of both generations', () => {
    const map = new BoundedMap<string, number>(4);
    for (const key of ['a', 'b', 'c']) map.set(key, 1);
    map.set('a', 2);
    expect(map.get('a')).toBe(2);
    map.delete('a');
    expect(map.get('a')).toBeUndefined();
    expect(map.size).toBe(2);
  });
});
