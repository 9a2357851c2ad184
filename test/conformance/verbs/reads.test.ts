import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { decodeCbor, encodeCbor } from '../../../runtime/codec/cbor.ts';
import { namesOf } from '../../support/object-fixture.ts';
import { engines } from '../../support/store-place.ts';
import type { WatchEvent } from '../../support/watch-stream.ts';
import { type Any, everySubject } from './subjects.ts';
import { testOf, VerbFixture } from './verb-fixture.ts';

const as = (kind: string, type = 'application/json') => `${type};as=${kind};v=v1;g=meta.k8s.io`;
const cbor = 'application/cbor';
const protobuf = 'application/vnd.kubernetes.protobuf';

/** `ADDED a` */
const summary = ({ type, object }: WatchEvent): string => `${type} ${object.metadata?.name ?? object.rows?.[0].cells[0]}`;

describe.each(everySubject(engines))('reading %s, %s', (_title, storage, subject) => {
  let fixture: VerbFixture;
  const objects: Any[] = [];

  beforeAll(async () => {
    fixture = await VerbFixture.open(subject, storage);
    for (const [name, tier] of [
      ['a', 'web'],
      ['b', 'web'],
      ['c', 'db'],
      ['d', ''],
      ['e', ''],
    ]) {
      objects.push(await fixture.made(name as string, tier === '' ? {} : { 'metadata.labels': { tier } }));
    }
  });
  afterAll(() => fixture.close());

  /** Returns a separate collection for tests that write. */
  const elsewhere = async (): Promise<string> => fixture.fixture.fresh(`/apis/${fixture.apiVersion}`, subject.resource);
  const post = (path: string, name: string, fields: Any = {}): Promise<Any> =>
    fixture.send('POST', path, fixture.object(name, fields)).then((response) => fixture.good(response));

  describe('get and list', () => {
    test('return what was written, with the version of the list', async () => {
      const { json } = await fixture.get();
      expect([json.kind, json.apiVersion]).toEqual([`${subject.kind}List`, fixture.apiVersion]);
      expect(Number(json.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(objects[4].metadata.resourceVersion));
      expect((await fixture.get('a')).json).toEqual(objects[0]);
      // items of a typed list have no apiVersion and kind; items of other lists do
      const strip = ({ kind: _, apiVersion: __, ...rest }: Any): Any => rest;
      expect(json.items.map(strip)).toEqual(objects.map(strip));
    });

    test('of all namespaces, and of an empty one', async () => {
      const path = await elsewhere();
      await post(path, 'far');
      const { json } = await fixture.fixture.get(fixture.everywhere);
      expect(json.items.map(({ metadata }: Any) => metadata.name)).toEqual(expect.arrayContaining(['a', 'e', 'far']));
      expect((await fixture.fixture.get(fixture.path.replace(fixture.namespace, 'absent'))).json.items).toEqual([]);
    });

    test.each([
      ['tier=web', ['a', 'b']],
      ['tier!=web', ['c', 'd', 'e']],
      ['tier in (db,web),tier notin (web)', ['c']],
      ['!tier', ['d', 'e']],
      ['tier', ['a', 'b', 'c']],
    ])('select by labels: %s', async (labelSelector, names) => {
      expect(namesOf(await fixture.get('', { labelSelector }))).toEqual(names);
    });

    test('select by name and namespace, and by no other field', async () => {
      expect(namesOf(await fixture.get('', { fieldSelector: 'metadata.name=b' }))).toEqual(['b']);
      const here = `metadata.namespace=${fixture.namespace},metadata.name!=a`;
      expect(namesOf(await fixture.fixture.get(fixture.everywhere, { fieldSelector: here }))).toEqual(['b', 'c', 'd', 'e']);
      const { json } = await fixture.get('', { fieldSelector: `${subject.count}=1` });
      expect([json.code, json.message]).toEqual([400, expect.stringMatching(/field label not supported|is not a known field selector/)]);
    });

    test('in pages from one snapshot', async () => {
      const path = await elsewhere();
      for (const name of ['1', '2', '3', '4', '5']) await post(path, `p${name}`);
      const first = (await fixture.fixture.get(path, { limit: 2 })).json;
      expect([first.items.length, first.metadata.remainingItemCount]).toEqual([2, 3]);
      await post(path, 'p0');
      const second = (await fixture.fixture.get(path, { limit: 2, continue: first.metadata.continue })).json;
      const third = (await fixture.fixture.get(path, { limit: 2, continue: second.metadata.continue })).json;
      const names = [first, second, third].flatMap((page) => page.items.map(({ metadata }: Any) => metadata.name));
      expect(names).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
      // lists of custom resources always have it
      expect([third.metadata.continue || undefined, third.metadata.resourceVersion]).toEqual([undefined, first.metadata.resourceVersion]);
    });

    test('at an older version', async () => {
      const path = await elsewhere();
      const { resourceVersion } = (await post(path, 'old')).metadata;
      await post(path, 'new');
      const query = { resourceVersion, resourceVersionMatch: 'Exact' };
      expect(namesOf(await fixture.fixture.get(path, query))).toEqual(['old']);
    });
  });

  describe('watch', () => {
    test('sends every change, in order', async () => {
      const path = await elsewhere();
      const since = (await fixture.fixture.get(path)).json.metadata.resourceVersion;
      const watch = await fixture.fixture.watch(path, { resourceVersion: since });
      const made = await post(path, 'x');
      const { json } = await fixture.send('PUT', `${path}/x`, fixture.with(structuredClone(made), { count: 2 }));
      await fixture.send('DELETE', `${path}/x`);
      const events = await watch.take(3);
      watch.close();
      expect(events.map(summary)).toEqual(['ADDED x', 'MODIFIED x', 'DELETED x']);
      expect([events[0]?.object, events[1]?.object]).toEqual([made, json]);
      const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
      expect(versions).toEqual([...versions].sort((a, b) => a - b));
      // and again from the same version
      const replay = await fixture.fixture.watch(path, { resourceVersion: since });
      expect(await replay.take(3)).toEqual(events);
      replay.close();
    });

    test('sends objects that start and stop matching', async () => {
      const path = await elsewhere();
      const watch = await fixture.fixture.watch(path, { labelSelector: 'on=yes' });
      await post(path, 'x');
      const label = (on: string | null) =>
        fixture.send('PATCH', `${path}/x`, { metadata: { labels: { on } } }, 'application/merge-patch+json');
      await label('yes');
      await label('no');
      expect((await watch.take(2)).map(summary)).toEqual(['ADDED x', 'DELETED x']);
      watch.close();
    });

    test('sends initial events first, and marks their end', async () => {
      const query = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' };
      const watch = await fixture.watch(query);
      const events = await watch.take(6);
      watch.close();
      expect(events.slice(0, 5).map(summary)).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d', 'ADDED e']);
      expect(events[5]).toMatchObject({
        type: 'BOOKMARK',
        object: { kind: subject.kind, metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
      });
    });

    test('of one object, as Table and as metadata', async () => {
      const table = await fixture.watch({ fieldSelector: 'metadata.name=a' }, as('Table'));
      const [row] = await table.take(1);
      table.close();
      expect(row?.object).toMatchObject({ kind: 'Table', rows: [{ object: { kind: 'PartialObjectMetadata' } }] });
      const meta = await fixture.watch({ fieldSelector: 'metadata.name=a' }, as('PartialObjectMetadata'));
      const [one] = await meta.take(1);
      meta.close();
      expect(one?.object).toEqual({
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: objects[0].metadata,
      });
    });

    test('in CBOR is a sequence', async () => {
      const query = { fieldSelector: 'metadata.name=a', watch: '1', timeoutSeconds: 1 };
      const response = await fixture.get('', query, cbor);
      expect(response.headers['content-type']).toBe('application/cbor-seq');
      expect(response.body.toString('latin1')).toContain('ADDED');
    });

    testOf(subject, 'protobuf')('in protobuf is framed by lengths', async () => {
      const query = { fieldSelector: 'metadata.name=a', watch: '1', timeoutSeconds: 1 };
      const response = await fixture.get('', query, `${protobuf};stream=watch`);
      expect(response.headers['content-type']).toBe(`${protobuf};stream=watch`);
      expect(response.body.readUInt32BE(0)).toBe(response.body.length - 4);
    });

    test('in YAML is rejected', async () => {
      expect((await fixture.get('', { watch: '1' }, 'application/yaml')).status).toBe(406);
    });
  });

  describe('encodings', () => {
    test('JSON, YAML and CBOR have the same content', async () => {
      const yaml = await fixture.get('a', {}, 'application/yaml');
      expect([yaml.headers['content-type'], parse(yaml.body.toString())]).toEqual(['application/yaml', objects[0]]);
      const binary = await fixture.get('a', {}, cbor);
      expect([binary.headers['content-type'], decodeCbor(binary.body)]).toEqual([cbor, objects[0]]);
      expect(decodeCbor((await fixture.get('', {}, cbor)).body)).toEqual((await fixture.get()).json);
    });

    test.each([
      ['YAML', 'application/yaml', (object: Any) => stringify(object)],
      ['CBOR', cbor, (object: Any) => encodeCbor(object)],
    ])('%s is accepted like JSON', async (_form, type, encode) => {
      const name = `in-${_form.toLowerCase()}`;
      const path = await elsewhere();
      const made = await fixture.send('POST', path, encode(fixture.object(name, { count: 4 })), type, type);
      expect([made.status, made.headers['content-type']]).toEqual([201, type]);
      const json = (await fixture.fixture.get(`${path}/${name}`)).json;
      const put = await fixture.send('PUT', `${path}/${name}`, encode(fixture.with(json, { count: 5 })), type);
      expect([put.status, fixture.at(put.json, 'count')]).toEqual([200, 5]);
    });

    testOf(subject, 'protobuf')('protobuf is read and written', async () => {
      const path = await elsewhere();
      const made = await post(path, 'wire', { count: 3, text: 'x' });
      const wire = await fixture.fixture.get(`${path}/wire`, {}, protobuf);
      expect([wire.headers['content-type'], wire.body.subarray(0, 4).toString('latin1')]).toEqual([protobuf, 'k8s\0']);
      const put = await fixture.send('PUT', `${path}/wire`, wire.body, protobuf);
      expect([put.status, put.json]).toEqual([200, made]);
    });

    test('an unknown media type is NotAcceptable, unless another one is acceptable', async () => {
      const other = subject.lacks.protobuf === undefined ? 'application/xml' : protobuf;
      expect((await fixture.get('a', {}, other)).status).toBe(406);
      expect((await fixture.get('a', {}, `${other}, application/json`)).json).toEqual(objects[0]);
      expect((await fixture.send('POST', fixture.path, '<a/>', 'application/xml')).json).toMatchObject({
        code: 415,
        reason: 'UnsupportedMediaType',
      });
    });

    test('Tables have the columns of the kind, and the included objects', async () => {
      const { json } = await fixture.get('', {}, as('Table'));
      expect(json.kind).toBe('Table');
      const shown = json.columnDefinitions.filter(({ priority }: Any) => priority === 0);
      expect(shown.map(({ name }: Any) => name)).toEqual(subject.columns);
      expect(json.rows.map(({ cells }: Any) => cells[0])).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(json.rows[0].object.kind).toBe('PartialObjectMetadata');
      const whole = (await fixture.get('a', { includeObject: 'Object' }, as('Table'))).json;
      expect(whole.rows[0].object).toMatchObject({ kind: subject.kind, metadata: { name: 'a' } });
      expect((await fixture.get('a', { includeObject: 'None' }, as('Table'))).json.rows[0].object).toBeNull();
    });

    test('PartialObjectMetadata of an object and of a list', async () => {
      const one = (await fixture.get('a', {}, as('PartialObjectMetadata'))).json;
      expect(one).toEqual({
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: objects[0].metadata,
      });
      const all = (await fixture.get('', {}, as('PartialObjectMetadataList'))).json;
      expect(all.kind).toBe('PartialObjectMetadataList');
      expect(all.items.map(({ metadata }: Any) => metadata)).toEqual(objects.map(({ metadata }) => metadata));
    });
  });

  describe('discovery and OpenAPI', () => {
    test('name it, its verbs and subresources', async () => {
      const { json } = await fixture.fixture.get(`/apis/${fixture.apiVersion}`);
      const of = (name: string): Any => json.resources.find((one: Any) => one.name === name);
      expect(of(subject.resource)).toMatchObject({
        kind: subject.kind,
        namespaced: true,
        singularName: subject.kind.toLowerCase(),
        shortNames: subject.shortNames,
      });
      const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
      expect([...of(subject.resource).verbs].sort()).toEqual(verbs);
      expect([...of(`${subject.resource}/status`).verbs].sort()).toEqual(['get', 'patch', 'update']);
      expect(of(`${subject.resource}/scale`)).toMatchObject({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
    });

    test('OpenAPI has its paths', async () => {
      const { paths } = (await fixture.fixture.get('/openapi/v3')).json;
      const document = (await fixture.fixture.get(paths[`apis/${fixture.apiVersion}`].serverRelativeURL)).json;
      const path = fixture.path.replace(fixture.namespace, '{namespace}');
      expect(Object.keys(document.paths)).toEqual(
        expect.arrayContaining([path, `${path}/{name}`, `${path}/{name}/status`, `${path}/{name}/scale`]),
      );
    });
  });
});
