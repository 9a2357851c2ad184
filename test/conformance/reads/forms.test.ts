import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { decodeCbor, encodeCbor, isCbor } from '../../../runtime/codec/cbor.ts';
import { decodeEnvelope } from '../../../runtime/codec/protobuf.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { ObjectFixture, type Query, storages, whileTimePasses, withQuery } from '../../support/object-fixture.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const cbor = 'application/cbor';
const as = (kind: string, version = 'v1', type = 'application/json') => `${type};as=${kind};v=${version};g=meta.k8s.io`;

describe.each(storages)('over %s storage', (storage) => {
  const clock = new ManualClock();
  let fixture: ObjectFixture;
  let plain: ObjectFixture;
  let maps: string;

  beforeAll(async () => {
    [fixture, plain] = await Promise.all([
      ObjectFixture.open(storage, { clock, featureGates: ['CBORServingAndStorage=true'] }),
      ObjectFixture.open(storage, { featureGates: ['APIResponseCompression=false'] }),
    ]);
    maps = await fixture.fresh();
    await fixture.put(maps, 'a', { data: { n: '1' } }, { is: 'a' });
  });
  afterAll(() => Promise.all([fixture.close(), plain.close()]));

  /** Returns the bytes of a watch that ends by itself after the initial events. */
  const shortWatch = (query: Query, accept: string) =>
    whileTimePasses(fixture, clock, fixture.get(maps, { watch: '1', timeoutSeconds: 1, ...query }, accept));

  const lines = (body: Buffer) =>
    body
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  describe('Statuses', () => {
    test.each([
      [as('Table'), 'application/json'],
      [as('PartialObjectMetadata'), 'application/json'],
      [as('Table', 'v1', 'application/yaml'), 'application/yaml'],
      [`${as('PartialObjectMetadata', 'v1', protobuf)},application/json`, protobuf],
    ])('of deletions cannot be Tables or metadata: %s', async (accept, contentType) => {
      await fixture.put(maps, 'gone');
      const { status, headers, body } = await fixture.client.send('DELETE', `${maps}/gone`, undefined, undefined, {
        headers: { accept },
      });
      expect([status, headers['content-type'], body.includes('Success')]).toEqual([200, contentType, true]);
      expect((await fixture.get(`${maps}/gone`)).status).toBe(404);
    });

    test('of actions without such an encoding are rejected before anything changes', async () => {
      const pods = maps.replace('configmaps', 'pods');
      await fixture.put(pods, 'kept', { spec: { containers: [{ name: 'c', image: 'i' }] } });
      const body = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'kept' } });
      const evict = (accept: string) =>
        fixture.client.send('POST', `${pods}/kept/eviction`, body, 'application/json', { headers: { accept } });
      expect((await evict(as('Table'))).status).toBe(406);
      expect((await fixture.get(`${pods}/kept`)).json.metadata.deletionTimestamp).toBeUndefined();
      const evicted = await evict(as('PartialObjectMetadata'));
      expect([evicted.status, evicted.json.kind]).toEqual([201, 'Status']);
    });
  });

  describe('Tables', () => {
    test.each(['v1', 'v1beta1'])('of %s are lists, objects and watches', async (version) => {
      const list = await fixture.get(maps, { limit: 1 }, as('Table', version));
      const one = await fixture.get(`${maps}/a`, {}, as('Table', version));
      for (const { json } of [list, one]) {
        expect(json).toMatchObject({ kind: 'Table', apiVersion: `meta.k8s.io/${version}` });
        expect(json.rows[0].cells.slice(0, 2)).toEqual(['a', 1]);
        expect(json.rows[0].object).toMatchObject({
          kind: 'PartialObjectMetadata',
          apiVersion: `meta.k8s.io/${version}`,
          metadata: { name: 'a', labels: { is: 'a' } },
        });
      }
      expect(one.json.metadata.resourceVersion).toBe(one.json.rows[0].object.metadata.resourceVersion);
      expect(Number(list.json.metadata.resourceVersion)).toBeGreaterThan(0);
    });

    test.each([
      ['None', null],
      ['Metadata', { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }],
      ['Object', { kind: 'ConfigMap', apiVersion: 'v1', data: { n: '1' } }],
    ])('with includeObject=%s', async (includeObject, object) => {
      const { json } = await fixture.get(maps, { includeObject }, as('Table'));
      if (object === null) expect(json.rows[0].object).toBeNull();
      else expect(json.rows[0].object).toMatchObject(object);
    });

    test('with another includeObject are rejected', async () => {
      const { status, json } = await fixture.get(maps, { includeObject: 'All' }, as('Table'));
      expect([status, json.message]).toEqual([
        400,
        `Unable to convert to Table as requested: includeObject: Invalid value: "All": must be 'Metadata', 'Object', 'None', or empty`,
      ]);
    });

    test('have headers once in a watch, and mark the end of initial events with any includeObject', async () => {
      const query = { includeObject: 'None', allowWatchBookmarks: 'true' };
      const { body, headers } = await shortWatch(query, as('Table'));
      expect(headers['content-type']).toBe('application/json');
      const [added, end] = lines(body);
      expect(added).toMatchObject({ type: 'ADDED', object: { kind: 'Table', rows: [{ object: null }] } });
      expect(added.object.columnDefinitions).toHaveLength(3);
      expect(end).toMatchObject({
        type: 'BOOKMARK',
        object: { columnDefinitions: null, rows: [{ object: { kind: 'PartialObjectMetadata' } }] },
      });
      expect(end.object.rows[0].object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    });

    test('have headers in a bookmark that comes first', async () => {
      const query = { labelSelector: 'is=nothing', allowWatchBookmarks: 'true' };
      const [end] = lines((await shortWatch(query, as('Table'))).body);
      expect(end.type).toBe('BOOKMARK');
      expect(end.object.columnDefinitions).toHaveLength(3);
    });

    test('have conditions on rows of completed pods', async () => {
      const pods = maps.replace('configmaps', 'pods');
      for (const phase of ['Running', 'Succeeded', 'Failed']) {
        const name = phase.toLowerCase();
        await fixture.put(pods, name, { spec: { containers: [{ name: 'c', image: 'i' }] } });
        const body = JSON.stringify({ status: { phase } });
        await fixture.client.send('PATCH', `${pods}/${name}/status`, body, 'application/merge-patch+json');
      }
      const { json } = await fixture.get(pods, {}, as('Table'));
      const condition = { type: 'Completed', status: 'True' };
      expect(json.rows.map(({ conditions }: { conditions?: unknown }) => conditions)).toEqual([
        [{ ...condition, reason: 'Failed', message: 'The pod failed.' }],
        undefined,
        [{ ...condition, reason: 'Succeeded', message: 'The pod has completed successfully.' }],
      ]);
    });

    test('of a scale have the columns of scales', async () => {
      const sets = maps.replace('/api/v1', '/apis/apps/v1').replace('configmaps', 'replicasets');
      const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      await fixture.put(sets, 'a', { spec: { replicas: 3, selector: { matchLabels: { a: 'b' } }, template } });
      const { json } = await fixture.get(`${sets}/a/scale`, {}, as('Table'));
      expect(json.columnDefinitions.map(({ name, format }: { name: string; format: string }) => name + format)).toEqual([
        'Name',
        'Desired',
        'Available',
        'Age',
      ]);
      expect(json.rows[0].cells.slice(0, 3)).toEqual(['a', 3, 0]);
    });

    test('list flow schemas in the order of their precedence', async () => {
      const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
      const spec = (matchingPrecedence: number) => ({
        spec: { matchingPrecedence, priorityLevelConfiguration: { name: 'catch-all' } },
      });
      await fixture.put(path, 'a-late', spec(9_000));
      await fixture.put(path, 'b-early', spec(3));
      await fixture.put(path, 'c-late', spec(9_000));
      const { json } = await fixture.get(path, {}, as('Table'));
      const names: string[] = json.rows.map(({ cells }: { cells: string[] }) => cells[0]);
      expect(names.filter((name) => /^[abc]-/.test(name))).toEqual(['b-early', 'a-late', 'c-late']);
      const list = await fixture.get(path);
      expect(list.json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([...names].sort());
    });

    test('are in JSON and YAML only, and only for resources', async () => {
      const inYaml = await fixture.get(maps, {}, as('Table', 'v1', 'application/yaml'));
      expect([inYaml.status, inYaml.headers['content-type']]).toEqual([200, 'application/yaml']);
      expect((await fixture.get(maps, {}, as('Table', 'v1', protobuf))).status).toBe(406);
      expect((await fixture.get(maps, {}, as('Table', 'v1', cbor))).status).toBe(406);
      expect((await fixture.get(maps, {}, as('Table', 'v2'))).status).toBe(406);
      const or = await fixture.get(maps, {}, `${as('Table', 'v1', protobuf)},application/json`);
      expect([or.status, or.json.kind]).toEqual([200, 'ConfigMapList']);
    });
  });

  describe('PartialObjectMetadata', () => {
    const onlyMetadata = (object: object) => expect(Object.keys(object).sort()).toEqual(['apiVersion', 'kind', 'metadata']);

    test.each(['v1', 'v1beta1'])('of %s is an object, a list and a watch', async (version) => {
      const apiVersion = `meta.k8s.io/${version}`;
      const one = await fixture.get(`${maps}/a`, {}, as('PartialObjectMetadata', version));
      expect(one.json).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion, metadata: { name: 'a' } });
      onlyMetadata(one.json);
      const list = await fixture.get(maps, {}, as('PartialObjectMetadataList', version));
      expect(list.json).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion });
      onlyMetadata(list.json.items[0]);
      const [added, end] = lines((await shortWatch({ allowWatchBookmarks: 'true' }, as('PartialObjectMetadata', version))).body);
      expect(added).toMatchObject({ type: 'ADDED', object: { kind: 'PartialObjectMetadata', apiVersion } });
      expect(end).toMatchObject({ type: 'BOOKMARK', object: { kind: 'PartialObjectMetadata', apiVersion } });
    });

    test.each([protobuf, cbor, 'application/yaml'])('is encoded as %s', async (type) => {
      const response = await fixture.get(maps, {}, as('PartialObjectMetadataList', 'v1', type));
      expect([response.status, response.headers['content-type']]).toEqual([200, type]);
      expect(response.body.includes('PartialObjectMetadataList')).toBe(true);
    });

    test('of an unknown group or version is not acceptable', async () => {
      const list = await fixture.get(maps, {}, as('PartialObjectMetadata'));
      expect([list.status, list.json.reason, list.json.message]).toEqual([
        406,
        'NotAcceptable',
        'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
      ]);
      const one = await fixture.get(`${maps}/a`, {}, as('PartialObjectMetadataList'));
      expect([one.status, one.json.message]).toEqual([
        406,
        'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
      ]);
    });
  });

  describe('watches', () => {
    test('are length-delimited frames in protobuf', async () => {
      const { body, headers } = await shortWatch({ allowWatchBookmarks: 'true' }, `${protobuf};stream=watch`);
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
      const { status, body } = await shortWatch({}, accept);
      expect(status).toBe(406);
      // YAML includes JSON
      expect(parse(body.toString()).message).toBe(`only the following media types are accepted: ${supported}`);
    });

    test.each(['text/plain', 'application/*', 'application/xml;q=1'])('in %s are not acceptable', async (accept) => {
      const { body } = await shortWatch({}, accept);
      expect(JSON.parse(body.toString()).message).toBe(`406: Not Acceptable\n\nAvailable representations: ${all}, ${streams}`);
    });
  });

  describe('CBOR, behind CBORServingAndStorage', () => {
    const json = async (path: string) => (await fixture.get(path)).json;

    test('objects and lists are the same as in JSON', async () => {
      for (const path of [`${maps}/a`, maps]) {
        const { headers, body } = await fixture.get(path, {}, cbor);
        expect([headers['content-type'], isCbor(body)]).toEqual([cbor, true]);
        expect(decodeCbor(body)).toEqual(await json(path));
      }
    });

    test('objects can be written in it', async () => {
      const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'from-cbor' }, data: { n: 'ü' } };
      const made = await fixture.client.send('POST', maps, encodeCbor(object), cbor, { headers: { accept: cbor } });
      expect([made.status, made.headers['content-type']]).toEqual([201, cbor]);
      expect(decodeCbor(made.body)).toMatchObject(object);
      const options = encodeCbor({ kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] });
      const headers = { accept: cbor, 'content-length': String(options.length) };
      const gone = await fixture.client.send('DELETE', `${maps}/from-cbor`, options, cbor, { headers });
      expect(gone.status).toBe(200);
      expect(isCbor(gone.body)).toBe(true);
      expect((await fixture.client.send('DELETE', `${maps}/from-cbor`)).status).toBe(200);
    });

    test('malformed bytes are rejected', async () => {
      const { status } = await fixture.client.send('POST', maps, Uint8Array.of(0xd9, 0xd9, 0xf7, 0xff), cbor);
      expect(status).toBe(400);
    });

    test('errors are encoded in it', async () => {
      const { status, headers, body } = await fixture.get(`${maps}/absent`, {}, cbor);
      expect([status, headers['content-type']]).toEqual([404, cbor]);
      expect(decodeCbor(body)).toMatchObject({ kind: 'Status', reason: 'NotFound' });
    });

    test('is in the OpenAPI document of a group-version', async () => {
      const { headers, body } = await fixture.get('/apis/apps/v1', {}, cbor);
      expect([headers['content-type'], isCbor(body)]).toEqual([cbor, true]);
      expect(decodeCbor(body)).toEqual(await json('/apis/apps/v1'));
      for (const path of ['/api', '/apis', '/apis/apps']) expect((await fixture.get(path, {}, cbor)).status).toBe(406);
      expect((await plain.get('/apis/apps/v1', {}, cbor)).status).toBe(406);
    });

    test('watches are sequences', async () => {
      const { headers, body } = await shortWatch({ labelSelector: 'is=a' }, cbor);
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

  describe('64-bit integers', () => {
    const exact = '9007199254740993';

    test('are exact in every encoding', async () => {
      const pods = maps.replace('configmaps', 'pods');
      const body = `{"metadata":{"name":"big"},"spec":{"terminationGracePeriodSeconds":${exact},"containers":[{"name":"c","image":"i"}]}}`;
      expect((await fixture.client.send('POST', pods, body, 'application/json')).status).toBe(201);
      const accepted = ['application/json', 'application/yaml', protobuf, cbor];
      for (const accept of accepted) {
        const { body, headers } = await fixture.get(`${pods}/big`, {}, accept);
        expect(headers['content-type']).toBe(accept);
        // written in the same encoding, and unchanged
        const put = await fixture.client.send('PUT', `${pods}/big`, body, accept);
        expect([accept, put.status]).toEqual([accept, 200]);
        expect(put.body.toString()).toContain(`"terminationGracePeriodSeconds":${exact}`);
      }
      const whole = await fixture.get(pods, { includeObject: 'Object' }, as('Table'));
      expect(whole.body.toString()).toContain(`"terminationGracePeriodSeconds":${exact}`);
      expect((await fixture.get(pods, { pretty: 'true' })).body.toString()).toContain(`"terminationGracePeriodSeconds": ${exact}`);
    });
  });

  describe('responses', () => {
    test('are indented if asked for', async () => {
      for (const accept of ['application/json', as('Table'), as('PartialObjectMetadataList')]) {
        const { body, json } = await fixture.get(maps, { pretty: 'true' }, accept);
        expect(body.toString().trimEnd()).toBe(JSON.stringify(json, null, 2));
      }
      const curl = await fixture.client.get(maps, { headers: { 'user-agent': 'curl/8' } });
      expect(curl.body.toString()).toContain('\n  "kind"');
      const quiet = await fixture.client.get(withQuery(maps, { pretty: 'false' }), {
        headers: { 'user-agent': 'curl/8' },
      });
      expect(quiet.body.toString()).not.toContain('\n  ');
    });

    test('of more than 128 KiB are compressed for clients that accept gzip', async () => {
      const big = await fixture.fresh();
      await fixture.put(big, 'a', { data: { x: 'x'.repeat(200_000) } });
      const headers = { 'accept-encoding': 'gzip' };
      for (const path of [big, `${big}/a`]) {
        const bare = await fixture.client.get(path);
        const packed = await fixture.client.get(path, { headers });
        expect([bare.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
        expect(packed.headers.vary).toContain('Accept-Encoding');
        expect(gunzipSync(packed.body)).toEqual(bare.body);
      }
      expect((await fixture.client.get(maps, { headers })).headers['content-encoding']).toBeUndefined();
    });

    test('are not compressed while the gate APIResponseCompression is disabled', async () => {
      const big = await plain.fresh();
      await plain.put(big, 'a', { data: { x: 'x'.repeat(200_000) } });
      const response = await plain.client.get(big, { headers: { 'accept-encoding': 'gzip' } });
      expect(response.headers['content-encoding']).toBeUndefined();
    });
  });
});
