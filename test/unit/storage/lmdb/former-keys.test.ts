import { describe, expect, test } from '@jest/globals';
import { catalog } from '../../../../generated/v1.35/catalog.ts';
import { upgradedKey } from '../../../../runtime/storage/lmdb/former-keys.ts';
import { keyPrefix } from '../../../../runtime/storage/object-store/keys.ts';

describe('keys of format 2', () => {
  const resources = catalog.groupVersions
    .flatMap(({ resources }) => resources)
    .filter(({ stored, storageGroup }) => stored && storageGroup === undefined);

  test.each(resources)('of $resource $group $version become those of format 3', (facts) => {
    const { group, resource } = facts;
    const old = `/registry/${group === '' ? 'core' : group}/${resource}/`;
    for (const rest of ['a', 'ns/a', 'a/b/c']) expect(upgradedKey(old + rest)).toBe(keyPrefix(facts) + rest);
  });

  test.each([
    '/registry/example.com/robots/ns/a',
    '/registry/networking.k8s.io/gateways/ns/a',
    '/registry/library/books/a',
    '/registry/pods',
    'other',
  ])('%s stays', (key) => expect(upgradedKey(key)).toBe(key));
});
