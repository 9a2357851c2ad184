import { describe, expect, test } from '@jest/globals';
import { NameSet } from '../../../../../runtime/extensions/crd/controllers/accepted-names.ts';

describe('names in use', () => {
  test('become available once they are removed as often as they were added', () => {
    const names = new NameSet();
    names.add(['a', 'b', 'a']);
    names.delete(['a', 'b']);
    expect([names.has('a'), names.has('b')]).toEqual([true, false]);
    names.delete(['a', 'c']);
    expect(names.has('a')).toBe(false);
  });
});
