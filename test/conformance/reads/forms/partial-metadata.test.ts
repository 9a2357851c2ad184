import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../../support/manual-clock.ts';
import { storages } from '../../../support/object-fixture.ts';
import { as, cbor, formsForSuite, lines, protobuf, watchShortly } from './forms.ts';

describe.each(storages)('over %s storage', (storage) => {
  const clock = new ManualClock();
  const forms = formsForSuite(storage, clock);

  describe('PartialObjectMetadata', () => {
    const onlyMetadata = (object: object) => expect(Object.keys(object).sort()).toEqual(['apiVersion', 'kind', 'metadata']);

    test.each(['v1', 'v1beta1'])('of %s is an object, a list and a watch', async (version) => {
      const apiVersion = `meta.k8s.io/${version}`;
      const one = await forms.fixture.get(`${forms.maps}/a`, {}, as('PartialObjectMetadata', version));
      expect(one.json).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion, metadata: { name: 'a' } });
      onlyMetadata(one.json);
      const list = await forms.fixture.get(forms.maps, {}, as('PartialObjectMetadataList', version));
      expect(list.json).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion });
      onlyMetadata(list.json.items[0]);
      const [added, end] = lines(
        (await watchShortly(forms, clock, { allowWatchBookmarks: 'true' }, as('PartialObjectMetadata', version))).body,
      );
      expect(added).toMatchObject({ type: 'ADDED', object: { kind: 'PartialObjectMetadata', apiVersion } });
      expect(end).toMatchObject({ type: 'BOOKMARK', object: { kind: 'PartialObjectMetadata', apiVersion } });
    });

    test.each([protobuf, cbor, 'application/yaml'])('is encoded as %s', async (type) => {
      const response = await forms.fixture.get(forms.maps, {}, as('PartialObjectMetadataList', 'v1', type));
      expect([response.status, response.headers['content-type']]).toEqual([200, type]);
      expect(response.body.includes('PartialObjectMetadataList')).toBe(true);
    });

    test('of an unknown group or version is not acceptable', async () => {
      const list = await forms.fixture.get(forms.maps, {}, as('PartialObjectMetadata'));
      expect([list.status, list.json.reason, list.json.message]).toEqual([
        406,
        'NotAcceptable',
        'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
      ]);
      const one = await forms.fixture.get(`${forms.maps}/a`, {}, as('PartialObjectMetadataList'));
      expect([one.status, one.json.message]).toEqual([
        406,
        'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
      ]);
    });
  });
});
