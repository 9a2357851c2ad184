import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeEnvelope } from '../../runtime/codec/protobuf.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../runtime/index.ts';
import type { ApiGroup } from '../../runtime/machinery/api-group.ts';
import type { ResourceDefinition } from '../../runtime/machinery/resource.ts';
import { temporaryFolder } from '../support/generated-project.ts';
import { HttpClient, type HttpResponse } from '../support/http-client.ts';
import { newStorePlace } from '../support/store-place.ts';
import type { TestObject } from '../support/test-object.ts';
import {
  widgetPath as at,
  widgetVersions as versions,
  type WidgetGroup,
  type WidgetVersion,
  widget,
  widgetConverter,
  widgetGroup,
} from '../support/widget-group.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const json = 'application/json';

const specs = {
  v1: { width: 3, height: 4, replicas: 2 },
  v1beta1: { size: '3x4', count: 2 },
  v1alpha1: { dims: [3, 4], count: 2 },
};

/** The group with all converters. */
const converted = (group: WidgetGroup, stored: WidgetVersion): ApiGroup =>
  group.with(Object.fromEntries(versions.filter((each) => each !== stored).map((each) => [each, widgetConverter(each, stored)])));

describe('a kind from .proto files whose versions differ', () => {
  let group: WidgetGroup;
  let own: ApiGroup;
  let server: RunningServer;
  let http: HttpClient;

  beforeAll(async () => {
    group = await widgetGroup('v1', '.proto');
    own = converted(group, 'v1');
    server = await startServer({ groups: [own], builtin: false, history: 'all' });
    http = HttpClient.for(server);
    const made = await http.send('POST', at('v1'), JSON.stringify(widget('v1', 'one', specs.v1)), json);
    expect([made.status, made.json.message]).toEqual([201, undefined]);
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
    await group?.remove();
  });

  const get = (path: string, accept = protobuf): Promise<HttpResponse> => http.get(path, { headers: { accept } });
  const send = (method: string, path: string, body: Uint8Array | string, type = protobuf, accept = protobuf): Promise<HttpResponse> =>
    http.send(method, path, body, type, { headers: { accept } });

  async function definitionOf(version: string): Promise<ResourceDefinition> {
    const found = own.catalog.groupVersions.find((each) => each.version === version);
    const [definition] = (await found?.load()) ?? [];
    return definition;
  }

  /** The object in an envelope, read by the generated codec of the version that the envelope names. */
  async function decoded(bytes: Uint8Array): Promise<TestObject> {
    const { apiVersion, kind, raw } = decodeEnvelope(bytes);
    const { type } = await definitionOf(apiVersion.split('/')[1]);
    return { ...type.protobuf?.decode(new BinaryReader(raw), raw.length), apiVersion, kind } as TestObject;
  }

  test.each(versions)('is read at %s in protobuf as in JSON', async (version) => {
    const wire = await get(at(version, 'one'));
    expect([wire.status, wire.headers['content-type']]).toEqual([200, protobuf]);
    const object = await decoded(wire.body);
    expect([object.apiVersion, object.kind, object.spec]).toEqual([`shop.example.com/${version}`, 'Widget', specs[version]]);
    expect(object).toEqual((await get(at(version, 'one'), json)).json);
  });

  test.each(versions)('is created, replaced and deleted at %s in protobuf', async (version) => {
    const name = `made-${version}`;
    const made = await http.send('POST', at('v1'), JSON.stringify(widget('v1', name, specs.v1)), json);
    expect(made.status).toBe(201);
    const wire = (await get(at(version, name))).body;
    const same = await send('PUT', at(version, name), wire);
    expect([same.status, await decoded(same.body)]).toEqual([200, await decoded(wire)]);
    expect((await get(at('v1', name), json)).json.metadata.resourceVersion).toBe(made.json.metadata.resourceVersion);
    const gone = await send('DELETE', at(version, name), '', json);
    expect([gone.status, gone.headers['content-type']]).toEqual([200, protobuf]);
    // the bytes name a resourceVersion, which a new object must not have
    const refused = await send('POST', at(version), wire);
    expect([refused.status, decodeEnvelope(refused.body).kind]).toEqual([500, 'Status']);
  });

  test.each(versions)('is listed at %s in protobuf', async (version) => {
    const wire = await get(at(version, '', '?fieldSelector=metadata.name%3Done'));
    const { apiVersion, kind, raw } = decodeEnvelope(wire.body);
    expect([apiVersion, kind]).toEqual([`shop.example.com/${version}`, 'WidgetList']);
    // items are field 2, without envelopes
    const reader = new BinaryReader(raw);
    reader.uint32();
    reader.bytes();
    reader.uint32();
    const item = reader.bytes();
    const { type } = await definitionOf(version);
    expect(type.protobuf?.decode(new BinaryReader(item), item.length)).toMatchObject({ metadata: { name: 'one' }, spec: specs[version] });
    expect(reader.pos).toBe(reader.len);
  });

  test.each(versions)('is watched at %s in protobuf', async (version) => {
    const rest = '?watch=1&fieldSelector=metadata.name%3Done&timeoutSeconds=1&resourceVersion=0';
    const { body, headers } = await get(at(version, '', rest));
    expect(headers['content-type']).toBe(`${protobuf};stream=watch`);
    const event = body.subarray(4, 4 + body.readUInt32BE(0));
    // a WatchEvent: its type, and a RawExtension with an envelope
    const reader = new BinaryReader(event);
    reader.uint32();
    expect(reader.string()).toBe('ADDED');
    reader.uint32();
    const extension = new BinaryReader(reader.bytes());
    extension.uint32();
    const object = await decoded(extension.bytes());
    expect([object.apiVersion, object.spec]).toEqual([`shop.example.com/${version}`, specs[version]]);
  });

  test.each<[string, string, string, object]>([
    ['v1', 'application/merge-patch+json', '{"spec":{"width":5}}', { width: 5, height: 4, replicas: 2 }],
    ['v1beta1', 'application/strategic-merge-patch+json', '{"spec":{"size":"6x7"}}', { size: '6x7', count: 2 }],
    ['v1alpha1', 'application/json-patch+json', '[{"op":"replace","path":"/spec/dims/0","value":8}]', { dims: [8, 7], count: 2 }],
    ['v1beta1', 'application/apply-patch+yaml', JSON.stringify(widget('v1beta1', 'patched', { size: '9x9' })), { size: '9x9', count: 2 }],
  ])('is patched at %s by %s, and answered in protobuf', async (version, type, patch, spec) => {
    await http.send('POST', at('v1'), JSON.stringify(widget('v1', 'patched', specs.v1)), json);
    const force = type.includes('apply') ? '?fieldManager=me&force=true' : '';
    const answer = await send('PATCH', at(version, 'patched', force), patch, type);
    expect([answer.status, (await decoded(answer.body)).spec]).toEqual([200, spec]);
    expect(await decoded((await get(at(version, 'patched'))).body)).toEqual((await get(at(version, 'patched'), json)).json);
  });

  test.each(versions)('at %s, its status is replaced in protobuf', async (version) => {
    const status = version === 'v1' ? { phase: 'Open', replicas: 1 } : { state: 'Open', ready: 1 };
    const path = at(version, 'one', '/status');
    const { body } = await get(at(version, 'one'), json);
    const object = { ...JSON.parse(body.toString()), status };
    const set = await send('PUT', path, JSON.stringify(object), json);
    expect([set.status, (await decoded(set.body)).status]).toEqual([200, status]);
    const again = await send('PUT', path, set.body);
    expect([again.status, (await decoded(again.body)).status]).toEqual([200, status]);
  });

  test.each(versions)('has the bytes of another version refused at %s', async (version) => {
    const other = versions[(versions.indexOf(version) + 1) % versions.length];
    const wire = (await get(at(other, 'one'))).body;
    const refused = await send('PUT', at(version, 'one'), wire, protobuf, json);
    expect([refused.status, refused.json.message]).toEqual([
      400,
      `the API version in the data (shop.example.com/${other}) does not match the expected API version (shop.example.com/${version})`,
    ]);
  });

  test.each(versions)('has a history at %s in protobuf', async (version) => {
    const { json: before } = await get(at('v1', 'one'), json);
    await http.send('PATCH', at('v1', 'one'), '{"metadata":{"labels":{"a":"b"}}}', 'application/merge-patch+json');
    const then = `?resourceVersion=${before.metadata.resourceVersion}&resourceVersionMatch=Exact`;
    const past = decodeEnvelope((await get(at(version, '', `${then}&fieldSelector=metadata.name%3Done`))).body);
    expect([past.apiVersion, past.kind]).toEqual([`shop.example.com/${version}`, 'WidgetList']);
    const wire = await get(at(version, 'one', then));
    const object = await decoded(wire.body);
    expect([object.spec, object.metadata.labels]).toEqual([specs[version], undefined]);
    await http.send('PATCH', at('v1', 'one'), '{"metadata":{"labels":null}}', 'application/merge-patch+json');
  });
});

describe.each(['OpenAPI', '.proto'] as const)('objects of a kind from %s whose stored version changes', (source) => {
  let groups: Readonly<Record<'v1' | 'v1beta1', WidgetGroup>>;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    const [v1, v1beta1] = await Promise.all([widgetGroup('v1', source), widgetGroup('v1beta1', source)]);
    groups = { v1, v1beta1 };
    folder = await temporaryFolder('versions');
  });
  afterAll(async () => {
    await Promise.all(Object.values(groups ?? {}).map((each) => each.remove()));
    await folder?.remove();
  });

  /** Runs something on a server with the group. */
  async function on<T>(
    stored: 'v1' | 'v1beta1',
    options: ServerOptions,
    act: (http: HttpClient, server: RunningServer) => Promise<T>,
  ): Promise<T> {
    const server = await startServer({ builtin: false, ...options, groups: [converted(groups[stored], stored)] });
    const http = HttpClient.for(server);
    try {
      return await act(http, server);
    } finally {
      http.close();
      await server.close();
    }
  }

  const create = async (http: HttpClient): Promise<void> => {
    for (const version of versions) {
      const body = JSON.stringify(widget(version, version, specs[version]));
      expect((await http.send('POST', at(version), body, json)).status).toBe(201);
    }
  };
  const expectAll = async (http: HttpClient): Promise<void> => {
    for (const version of versions) {
      const { items } = (await http.get(at(version))).json;
      expect(items.map(({ spec }: TestObject) => spec)).toEqual(versions.map(() => specs[version]));
      for (const name of versions) expect((await http.get(at(version, name))).json.spec).toEqual(specs[version]);
    }
  };

  test.each<['v1' | 'v1beta1', 'v1' | 'v1beta1']>([
    ['v1', 'v1'],
    ['v1', 'v1beta1'],
    ['v1beta1', 'v1'],
  ])('come from a snapshot file of %s to a server that stores %s', async (before, after) => {
    const file = join(folder.path, `${before}-${after}.yaml`);
    const uid = await on(before, {}, async (http, server) => {
      await create(http);
      await server.saveSnapshot(file);
      return (await http.get(at('v1', 'v1'))).json.metadata.uid;
    });
    const text = await readFile(file, 'utf8');
    expect(text.match(/^kind: Widget$/gm)).toHaveLength(3);
    await on(after, { snapshot: file }, async (http, server) => {
      await expectAll(http);
      expect((await http.get(at('v1', 'v1'))).json.metadata.uid).toBe(uid);
      // and back to the same file
      const again = join(folder.path, 'again.yaml');
      await server.saveSnapshot(again);
      expect(await readFile(again, 'utf8')).toBe(text);
    });
    await on(after, { fixtures: file }, expectAll);
  });

  test.each(versions)('come from a snapshot file that has %s', async (version) => {
    const file = join(folder.path, `only-${version}.yaml`);
    const documents = versions.map((name) => ({
      ...widget(version, name, specs[version]),
      metadata: { name, namespace: 'default', uid: name, creationTimestamp: '2026-01-02T03:04:05Z' },
    }));
    await writeFile(file, documents.map((each) => JSON.stringify(each)).join('\n---\n'));
    for (const stored of ['v1', 'v1beta1'] as const) {
      await on(stored, { snapshot: file }, expectAll);
      await on(stored, { fixtures: file }, expectAll);
    }
  });

  test('stay readable on the disk', async () => {
    const { options, dispose } = await newStorePlace('lmdb');
    await on('v1beta1', options, create);
    await on('v1', options, async (http) => {
      await expectAll(http);
      const { metadata } = (await http.get(at('v1', 'v1'))).json;
      const patch = '{"metadata":{"labels":{"a":"b"}}}';
      expect((await http.send('PATCH', at('v1alpha1', 'v1'), patch, 'application/merge-patch+json')).status).toBe(200);
      const { json: written } = await http.get(at('v1', 'v1'));
      expect([written.metadata.uid, written.spec]).toEqual([metadata.uid, specs.v1]);
    });
    await on('v1beta1', options, expectAll);
    await dispose();
  });
});
