import { describe, expect, test } from '@jest/globals';
import { restoreObjectMeta } from '../../../../../runtime/extensions/crd/conversion/restore-object-meta.ts';

describe('the metadata of converted objects', () => {
  const original = { metadata: { name: 'a', uid: 'u', labels: { old: 'x' }, finalizers: ['f'] } };
  const restored = (metadata: unknown) => {
    const converted = { metadata } as never;
    return restoreObjectMeta(original, converted) ?? (converted as { metadata: unknown }).metadata;
  };
  test.each<[string, unknown, unknown]>([
    [
      'that of the original, except for labels and annotations',
      { labels: { new: 'y' }, uid: 'other' },
      { name: 'a', uid: 'u', labels: { new: 'y' }, finalizers: ['f'] },
    ],
    ['without labels if the webhook returns none', {}, { name: 'a', uid: 'u', finalizers: ['f'] }],
    ['missing', undefined, 'missing metadata in converted object'],
    ['a list', [], 'invalid metadata of type []interface {} in converted object'],
    ['labels that are a string', { labels: 'x' }, 'invalid metadata.labels of type string in converted object'],
    ['a label that is a number', { labels: { a: 1.5 } }, 'metadata.labels[a] must be a string, but is float64 in converted object'],
  ])('%s', (_name, metadata, want) => {
    expect(restored(metadata)).toEqual(want);
  });

  test('invalid labels are rejected, unless the original has them', () => {
    expect(restored({ labels: { 'a b': 'x' } })).toContain('metadata.labels: Invalid value: "a b"');
    const bad = { metadata: { labels: { 'a b': 'x' } } };
    expect(restoreObjectMeta(bad, structuredClone(bad))).toBeUndefined();
  });
});
