import { describe, expect, test } from '@jest/globals';
import { SlabAllocator } from '../../../../runtime/storage/mvcc/slab-allocator.ts';
import { StoredValue } from '../../../../runtime/storage/mvcc/stored-value.ts';

const size = 2048;
const count = 10_000;

function fill(slabs: SlabAllocator): StoredValue[] {
  return Array.from({ length: count }, (_, at) => {
    const value = new StoredValue(`k${at}`, Buffer.alloc(size, at % 251), at, at);
    slabs.pack(value);
    return value;
  });
}

function checkContent(values: readonly StoredValue[]): void {
  for (const { value, modRevision } of values) {
    if (value.length !== size || value.some((byte) => byte !== modRevision % 251)) {
      throw new Error(`other bytes in value ${modRevision}`);
    }
  }
}

describe('slabs', () => {
  test('hold values side by side, with little waste', () => {
    const slabs = new SlabAllocator();
    const values = fill(slabs);
    checkContent(values);
    expect(slabs.held).toBeLessThan(count * size * 1.1);
    expect(new Set(values.map(({ bytes }) => bytes)).size).toBeLessThan(40);
  });

  test('values with their own buffer stay in place', () => {
    const slabs = new SlabAllocator();
    const value = new StoredValue('large', Buffer.alloc(200_000, 1), 1, 1);
    const { bytes } = value;
    slabs.pack(value);
    expect(value.bytes).toBe(bytes);
    slabs.release(value);
    expect(slabs.isSparse).toBe(false);
  });

  test('live values of sparse slabs are moved and the slabs freed; readers of old bytes keep them', () => {
    const slabs = new SlabAllocator();
    const values = fill(slabs);
    const before = slabs.held;
    const live = values.filter((_, at) => at % 4 === 0);
    const held = values[1].value;
    for (const value of values) if (!live.includes(value)) slabs.release(value);
    expect(slabs.isSparse).toBe(true);
    const sparse = slabs.sparse();
    for (const value of live) slabs.moveFrom(sparse, value);
    slabs.abandon(sparse);
    checkContent(live);
    expect(slabs.held).toBeLessThan(before * 0.4);
    expect(slabs.isSparse).toBe(false);
    expect(held.every((byte) => byte === 1)).toBe(true);
  });

  test('a slab without live values is freed at once', () => {
    const slabs = new SlabAllocator();
    for (const value of fill(slabs)) slabs.release(value);
    expect(slabs.held).toBeLessThan(3 * 2 ** 20);
    expect(slabs.isSparse).toBe(false);
  });

  test('values stay in place and count until they are discarded', () => {
    const slabs = new SlabAllocator();
    const values = Array.from({ length: count }, (_, at) => {
      const value = new StoredValue(`k${at}`, slabs.write('ä'.repeat(size / 2)), at, at);
      const { byteOffset } = value.bytes;
      slabs.pack(value);
      expect(value.start).toBe(byteOffset);
      return value;
    });
    expect(values.every(({ value }) => Buffer.from(value).toString() === 'ä'.repeat(size / 2))).toBe(true);
    expect(slabs.held).toBeLessThan(count * size * 1.1);
    for (let at = 0; at < count; at += 1) slabs.discard(slabs.write('x'.repeat(size)));
    expect(slabs.held).toBeLessThan(count * size * 1.2);
  });

  test('a value is packed once', () => {
    const slabs = new SlabAllocator();
    const value = new StoredValue('a', Buffer.from('text'), 1, 1);
    slabs.pack(value);
    const { start } = value;
    slabs.pack(value);
    expect(value.start).toBe(start);
    expect(Buffer.from(value.value).toString()).toBe('text');
    expect(Buffer.from(value.at(9).value).toString()).toBe('text');
  });
});
