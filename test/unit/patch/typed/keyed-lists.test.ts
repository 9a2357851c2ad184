import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../../runtime/machinery/object.ts';
import { type MergeSchema, text } from '../../../../runtime/machinery/schema/merge-schema.ts';
import { hasItemWithoutKey } from '../../../../runtime/patch/typed/keyed-lists.ts';
import { validateTyped } from '../../../../runtime/patch/typed/validate.ts';

const item: MergeSchema = { kind: 'struct', fields: { name: text, port: text, inner: () => node }, mapType: 'granular' };
const list: MergeSchema = { kind: 'list', items: () => item, listType: 'map', mapKeys: ['name', 'port'], keyDefaults: { port: '80' } };
const bare: MergeSchema = { kind: 'list', items: () => item, listType: 'map', mapKeys: ['name'] };
/** Contains itself. */
const node: MergeSchema = {
  kind: 'struct',
  fields: {
    bare: () => bare,
    list: () => list,
    plain: () => ({ kind: 'list', items: text, listType: 'atomic' }),
    byName: () => ({ kind: 'map', values: () => node, mapType: 'granular' }),
  },
  mapType: 'granular',
};

const isValid = (value: Json): boolean => {
  try {
    validateTyped(value, node, { allowDuplicates: true });
    return true;
  } catch {
    return false;
  }
};

describe('an item of a map list has a key, or validation refuses it', () => {
  test.each<[Json, boolean]>([
    [{}, false],
    [{ plain: ['a', 'a'] }, false],
    [{ bare: [{ name: 'a' }, { name: 'a' }] }, false],
    [{ bare: [{ name: 'a' }, {}] }, true],
    [{ bare: [null] }, true],
    [{ bare: null }, false],
    [{ list: [{}] }, false],
    [{ byName: { x: { bare: [{ port: '1' }] } } }, true],
    [{ bare: [{ name: 'a', inner: { bare: [{ name: 'b', inner: { bare: [{}] } }] } }] }, true],
    [{ bare: [{ name: 'a', inner: { bare: [{ name: 'b', inner: {} }] } }] }, false],
  ])('%j: %s', (value, want) => {
    expect([hasItemWithoutKey(value, node), isValid(value)]).toEqual([want, !want]);
  });
});
