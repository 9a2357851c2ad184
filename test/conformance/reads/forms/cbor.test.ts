import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeCbor, encodeCbor, isCbor } from '../../../../runtime/codec/cbor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { ObjectFixture, storages } from '../../../support/object-fixture.ts';
import { cbor, formsForSuite, watchShortly } from './forms.ts';

describe.each(storages)('over %s storage', (storage) => {
  const clock = new ManualClock();
  const forms = formsForSuite(storage, clock);
  let plain: ObjectFixture;

  beforeAll(async () => {
    plain = await ObjectFixture.open(storage);
  });
  afterAll(() => plain?.close());

  describe('CBOR, behind CBORServingAndStorage', () => {
    const json = async (path: string) => (await forms.fixture.get(path)).json;

    test('objects and lists are the same as in JSON', async () => {
      for (const path of [`${forms.maps}/a`, forms.maps]) {
        const { headers, body } = await forms.fixture.get(path, {}, cbor);
        expect([headers['content-type'], isCbor(body)]).toEqual([cbor, true]);
        expect(decodeCbor(body)).toEqual(await json(path));
      }
    });

    test('objects can be written in it', async () => {
      const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'from-cbor' }, data: { n: 'ü' } };
      const made = await forms.fixture.client.send('POST', forms.maps, encodeCbor(object), cbor, { headers: { accept: cbor } });
      expect([made.status, made.headers['content-type']]).toEqual([201, cbor]);
      expect(decodeCbor(made.body)).toMatchObject(object);
      const options = encodeCbor({ kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] });
      const headers = { accept: cbor, 'content-length': String(options.length) };
      const gone = await forms.fixture.client.send('DELETE', `${forms.maps}/from-cbor`, options, cbor, { headers });
      expect(gone.status).toBe(200);
      expect(isCbor(gone.body)).toBe(true);
      expect((await forms.fixture.client.send('DELETE', `${forms.maps}/from-cbor`)).status).toBe(200);
    });

    test('malformed bytes are rejected', async () => {
      const { status } = await forms.fixture.client.send('POST', forms.maps, Uint8Array.of(0xd9, 0xd9, 0xf7, 0xff), cbor);
      expect(status).toBe(400);
    });

    test('errors are encoded in it', async () => {
      const { status, headers, body } = await forms.fixture.get(`${forms.maps}/absent`, {}, cbor);
      expect([status, headers['content-type']]).toEqual([404, cbor]);
      expect(decodeCbor(body)).toMatchObject({ kind: 'Status', reason: 'NotFound' });
    });

    test('is in the OpenAPI document of a group-version', async () => {
      const { headers, body } = await forms.fixture.get('/apis/apps/v1', {}, cbor);
      expect([headers['content-type'], isCbor(body)]).toEqual([cbor, true]);
      expect(decodeCbor(body)).toEqual(await json('/apis/apps/v1'));
      for (const path of ['/api', '/apis', '/apis/apps']) expect((await forms.fixture.get(path, {}, cbor)).status).toBe(406);
      expect((await plain.get('/apis/apps/v1', {}, cbor)).status).toBe(406);
    });

    test('watches are sequences', async () => {
      const { headers, body } = await watchShortly(forms, clock, { labelSelector: 'is=a' }, cbor);
      expect(headers['content-type']).toBe('application/cbor-seq');
      expect(decodeCbor(body)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    });

    test('is not served while the gate is disabled', async () => {
      const path = await plain.fresh();
      expect((await plain.get(path, {}, cbor)).status).toBe(406);
      const body = encodeCbor({ metadata: { name: 'x' } });
      expect((await plain.client.send('POST', path, body, cbor)).status).toBe(415);
    });
  });
});
