import { describe, expect, test } from '@jest/globals';
import { PrefixMap } from '../../../../runtime/storage/object-store/prefix-map.ts';

describe('values by the prefix of keys', () => {
  test.each([
    ['/registry/pods/ns/a', 'pods'],
    ['/registry/minions/a', 'nodes'],
    ['/registry/services/specs/ns/a', 'services'],
    ['/registry/services/specs/endpoints/a', 'services'],
    ['/registry/services/endpoints/ns/a', 'endpoints'],
    ['/registry/example.com/robots/ns/a', 'robots'],
    ['/registry/services/others/a', undefined],
    ['/registry/podsx/ns/a', undefined],
    ['/registry/pods', undefined],
    ['compact_rev_key', undefined],
  ])('the longest prefix of %s that is known is that of %s', (key, want) => {
    const values = new PrefixMap<string>();
    values.set('/registry/pods/', 'pods');
    values.set('/registry/minions/', 'nodes');
    values.set('/registry/services/specs/', 'services');
    values.set('/registry/services/endpoints/', 'endpoints');
    values.set('/registry/example.com/robots/', 'robots');
    expect(values.find(key)).toBe(want);
  });
});
