import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { decodeEnvelope } from '../../../../runtime/codec/protobuf.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { ObjectFixture, storages, withQuery } from '../../../support/object-fixture.ts';
import { as, cbor, formsForSuite, protobuf, watchShortly } from './forms.ts';

describe.each(storages)('over %s storage', (storage) => {
  const clock = new ManualClock();
  const forms = formsForSuite(storage, clock);

  describe('Statuses', () => {
    test.each([
      [as('Table'), 'application/json'],
      [as('PartialObjectMetadata'), 'application/json'],
      [as('Table', 'v1', 'application/yaml'), 'application/yaml'],
      [`${as('PartialObjectMetadata', 'v1', protobuf)},application/json`, protobuf],
    ])('of deletions cannot be Tables or metadata: %s', async (accept, contentType) => {
      await forms.fixture.put(forms.maps, 'gone');
      const { status, headers, body } = await forms.fixture.client.send('DELETE', `${forms.maps}/gone`, undefined, undefined, {
        headers: { accept },
      });
      expect([status, headers['content-type'], body.includes('Success')]).toEqual([200, contentType, true]);
      expect((await forms.fixture.get(`${forms.maps}/gone`)).status).toBe(404);
    });

    test('of actions without such an encoding are rejected before anything changes', async () => {
      const pods = forms.maps.replace('configmaps', 'pods');
      await forms.fixture.put(pods, 'kept', { spec: { containers: [{ name: 'c', image: 'i' }] } });
      const body = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'kept' } });
      const evict = (accept: string) =>
        forms.fixture.client.send('POST', `${pods}/kept/eviction`, body, 'application/json', { headers: { accept } });
      expect((await evict(as('Table'))).status).toBe(406);
      expect((await forms.fixture.get(`${pods}/kept`)).json.metadata.deletionTimestamp).toBeUndefined();
      const evicted = await evict(as('PartialObjectMetadata'));
      expect([evicted.status, evicted.json.kind]).toEqual([201, 'Status']);
    });
  });

  describe('watches', () => {
    test('are length-delimited frames in protobuf', async () => {
      const { body, headers } = await watchShortly(forms, clock, { allowWatchBookmarks: 'true' }, `${protobuf};stream=watch`);
      expect(headers['content-type']).toBe(`${protobuf};stream=watch`);
      const frames: Buffer[] = [];
      for (let at = 0; at < body.length; at += 4 + body.readUInt32BE(at)) {
        frames.push(body.subarray(at + 4, at + 4 + body.readUInt32BE(at)));
      }
      const [added, ...bookmarks] = frames;
      expect(added.includes('ADDED')).toBe(true);
      const envelope = decodeEnvelope(added.subarray(added.indexOf('k8s\0')));
      expect([envelope.apiVersion, envelope.kind]).toEqual(['v1', 'ConfigMap']);
      expect(bookmarks.length).toBeGreaterThan(0);
      for (const frame of bookmarks) expect(frame.includes('BOOKMARK')).toBe(true);
    });

    const streams = `application/json;stream=watch, ${protobuf};stream=watch, application/cbor-seq`;
    const all = `application/json, application/yaml, ${protobuf}, ${cbor}`;
    test.each([
      ['application/yaml', streams],
      [as('Table', 'v1', cbor), all],
    ])('in %s are rejected', async (accept, supported) => {
      const { status, body } = await watchShortly(forms, clock, {}, accept);
      expect(status).toBe(406);
      // YAML includes JSON
      expect(parse(body.toString()).message).toBe(`only the following media types are accepted: ${supported}`);
    });

    test.each(['text/plain', 'application/*', 'application/xml;q=1'])('in %s are not acceptable', async (accept) => {
      const { body } = await watchShortly(forms, clock, {}, accept);
      expect(JSON.parse(body.toString()).message).toBe(`406: Not Acceptable\n\nAvailable representations: ${all}, ${streams}`);
    });
  });

  describe('64-bit integers', () => {
    const exact = '9007199254740993';

    test('are exact in every encoding', async () => {
      const pods = forms.maps.replace('configmaps', 'pods');
      const body = `{"metadata":{"name":"big"},"spec":{"terminationGracePeriodSeconds":${exact},"containers":[{"name":"c","image":"i"}]}}`;
      expect((await forms.fixture.client.send('POST', pods, body, 'application/json')).status).toBe(201);
      const accepted = ['application/json', 'application/yaml', protobuf, cbor];
      for (const accept of accepted) {
        const { body, headers } = await forms.fixture.get(`${pods}/big`, {}, accept);
        expect(headers['content-type']).toBe(accept);
        // written in the same encoding, and unchanged
        const put = await forms.fixture.client.send('PUT', `${pods}/big`, body, accept);
        expect([accept, put.status]).toEqual([accept, 200]);
        expect(put.body.toString()).toContain(`"terminationGracePeriodSeconds":${exact}`);
      }
      const whole = await forms.fixture.get(pods, { includeObject: 'Object' }, as('Table'));
      expect(whole.body.toString()).toContain(`"terminationGracePeriodSeconds":${exact}`);
      expect((await forms.fixture.get(pods, { pretty: 'true' })).body.toString()).toContain(`"terminationGracePeriodSeconds": ${exact}`);
    });
  });

  describe('responses', () => {
    test('are indented if asked for', async () => {
      for (const accept of ['application/json', as('Table'), as('PartialObjectMetadataList')]) {
        const { body, json } = await forms.fixture.get(forms.maps, { pretty: 'true' }, accept);
        expect(body.toString().trimEnd()).toBe(JSON.stringify(json, null, 2));
      }
      const curl = await forms.fixture.client.get(forms.maps, { headers: { 'user-agent': 'curl/8' } });
      expect(curl.body.toString()).toContain('\n  "kind"');
      const quiet = await forms.fixture.client.get(withQuery(forms.maps, { pretty: 'false' }), {
        headers: { 'user-agent': 'curl/8' },
      });
      expect(quiet.body.toString()).not.toContain('\n  ');
    });

    test('of more than 128 KiB are compressed for clients that accept gzip', async () => {
      const big = await forms.fixture.fresh();
      await forms.fixture.put(big, 'a', { data: { x: 'x'.repeat(200_000) } });
      const headers = { 'accept-encoding': 'gzip' };
      for (const path of [big, `${big}/a`]) {
        const bare = await forms.fixture.client.get(path);
        const packed = await forms.fixture.client.get(path, { headers });
        expect([bare.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
        expect(packed.headers.vary).toContain('Accept-Encoding');
        expect(gunzipSync(packed.body)).toEqual(bare.body);
      }
      expect((await forms.fixture.client.get(forms.maps, { headers })).headers['content-encoding']).toBeUndefined();
    });

    test('are not compressed while the gate APIResponseCompression is disabled', async () => {
      const plain = await ObjectFixture.open(storage, { featureGates: ['APIResponseCompression=false'] });
      const big = await plain.fresh();
      await plain.put(big, 'a', { data: { x: 'x'.repeat(200_000) } });
      const response = await plain.client.get(big, { headers: { 'accept-encoding': 'gzip' } });
      await plain.close();
      expect(response.headers['content-encoding']).toBeUndefined();
    });
  });
});
