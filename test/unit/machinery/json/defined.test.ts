import { describe, expect, test } from '@jest/globals';
import { defined, setOrDelete } from '../../../../runtime/machinery/json/defined.ts';

describe('members that may be undefined', () => {
  test('are absent from the copy, and null is a value', () => {
    const given = { name: 'a', uid: undefined, time: null };
    expect(Object.entries(defined(given))).toEqual([
      ['name', 'a'],
      ['time', null],
    ]);
    expect(Object.keys(given)).toEqual(['name', 'uid', 'time']);
  });

  test('are set, or deleted for undefined', () => {
    const object: { name?: string; uid?: string } = { name: 'a' };
    setOrDelete(object, 'name', undefined);
    setOrDelete(object, 'uid', 'u');
    expect(Object.entries(object)).toEqual([['uid', 'u']]);
  });
});
