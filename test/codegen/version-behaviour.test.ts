import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import type { AnyConverter } from '../../runtime/machinery/api-group.ts';
import { AdmissionWebhookServer, allow } from '../support/admission-webhook.ts';
import { HttpClient, type HttpResponse } from '../support/http-client.ts';
import { newStorePlace } from '../support/store-place.ts';
import { WatchStream } from '../support/watch-stream.ts';
import {
  widgetPath as at,
  widgetVersions as versions,
  type WidgetGroup,
  widget,
  widgetConverter,
  widgetGroup,
} from '../support/widget-group.ts';

const names = ({ json }: HttpResponse): string[] =>
  json.items?.map(({ metadata }: { metadata: { name: string } }) => metadata.name) ?? [json.message];

/** The name of widgets whose conversion fails. */
let broken: string | undefined;
const fragile = ({ toStorage, fromStorage }: AnyConverter): AnyConverter => ({
  toStorage,
  fromStorage(object) {
    if (broken !== undefined && (object as { metadata: { name?: string } }).metadata.name === broken)
      throw new Error('the converter has a bug');
    return fromStorage(object);
  },
});

describe('a kind with three versions whose schemas differ', () => {
  let group: WidgetGroup;
  let server: RunningServer;
  let http: HttpClient;
  let hooks: AdmissionWebhookServer;

  const send = (method: string, path: string, body: object, type = 'application/json'): Promise<HttpResponse> =>
    http.send(method, path, JSON.stringify(body), type);
  const create = async (version: string, name: string, spec: object): Promise<void> => {
    const { status, json } = await send('POST', at(version), widget(version, name, spec));
    expect([status, json.message]).toEqual([201, undefined]);
  };

  beforeAll(async () => {
    group = await widgetGroup('v1');
    const converters = {
      v1beta1: fragile(widgetConverter('v1beta1', 'v1')),
      v1alpha1: fragile(widgetConverter('v1alpha1', 'v1')),
    };
    server = await startServer({ groups: [group.with(converters)], history: 'all', requestLog: 100 });
    http = HttpClient.for(server);
    hooks = await AdmissionWebhookServer.open();
    await create('v1', 'one', { width: 3, height: 4, replicas: 2 });
    await create('v1beta1', 'two', { size: '5x6', count: 1 });
    await create('v1alpha1', 'three', { dims: [7, 8] });
  });
  afterAll(async () => {
    http?.close();
    await hooks?.server.close();
    await server?.close();
    await group?.remove();
  });

  test.each([
    {
      version: 'v1',
      want: [
        { width: 3, height: 4, replicas: 2 },
        { width: 7, height: 8 },
        { width: 5, height: 6, replicas: 1 },
      ],
    },
    { version: 'v1beta1', want: [{ size: '3x4', count: 2 }, { size: '7x8' }, { size: '5x6', count: 1 }] },
    { version: 'v1alpha1', want: [{ dims: [3, 4], count: 2 }, { dims: [7, 8] }, { dims: [5, 6], count: 1 }] },
  ])('is listed at $version', async ({ version, want }) => {
    const { json } = await http.get(at(version));
    expect([json.apiVersion, json.kind]).toEqual([`shop.example.com/${version}`, 'WidgetList']);
    expect(json.items.map(({ spec }: { spec: object }) => spec)).toEqual(want);
    // items have the fields of the stored version
    expect(json.items.map(Object.keys)).toEqual(want.map(() => ['metadata', 'spec']));
  });

  test.each([
    ['v1', 'spec.width=3', ['one']],
    ['v1', 'spec.width!=3', ['three', 'two']],
    ['v1', 'spec.size=3x4', ['field label not supported: spec.size']],
    ['v1beta1', 'spec.size=3x4', ['one']],
    ['v1beta1', 'spec.size!=3x4', ['three', 'two']],
    ['v1beta1', 'spec.size=3x4,metadata.name=two', []],
    ['v1beta1', 'spec.width=3', ['field label not supported: spec.width']],
    ['v1alpha1', 'metadata.name=one', ['one']],
    ['v1alpha1', 'spec.dims=3', ['"spec.dims" is not a known field selector: only "metadata.name", "metadata.namespace"']],
  ])('%s selects by its own fields: %s', async (version, selector, want) => {
    expect(names(await http.get(`${at(version)}?fieldSelector=${encodeURIComponent(selector)}`))).toEqual(want);
  });

  test('a watch selects by the fields of its version', async () => {
    const watch = await WatchStream.open(server, `${at('v1beta1')}?watch=1&fieldSelector=spec.size%3D9x9`);
    await create('v1', 'watched', { width: 9, height: 9 });
    const resized = { spec: { width: 8 } };
    expect((await send('PATCH', at('v1', 'watched'), resized, 'application/merge-patch+json')).status).toBe(200);
    const events = await watch.take(2);
    watch.close();
    expect(events.map(({ type, object }) => [type, object.apiVersion, object.spec])).toEqual([
      ['ADDED', 'shop.example.com/v1beta1', { size: '9x9' }],
      ['DELETED', 'shop.example.com/v1beta1', { size: '9x9' }],
    ]);
    await http.send('DELETE', at('v1', 'watched'));
  });

  test.each([
    ['v1', ['Name', 'Width'], ['one', 3]],
    ['v1beta1', ['Name', 'Size'], ['one', '3x4']],
  ])('%s has its own columns', async (version, columns, cells) => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { json } = await http.get(at(version, 'one'), { headers: { accept } });
    expect(json.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(columns);
    expect(json.rows[0].cells).toEqual(cells);
    expect(json.rows[0].object.apiVersion).toBe('meta.k8s.io/v1');
  });

  test.each(versions)('is scaled at %s, which every version sees', async (version) => {
    await create('v1', `scaled-${version}`, { width: 1, height: 1, replicas: 1 });
    const { json: scale } = await http.get(at(version, `scaled-${version}`, '/scale'));
    const written = await send('PUT', at(version, `scaled-${version}`, '/scale'), { ...scale, spec: { replicas: 5 } });
    expect([written.status, written.json.message, written.json.spec]).toEqual([200, undefined, { replicas: 5 }]);
    for (const other of versions) expect((await http.get(at(other, `scaled-${version}`, '/scale'))).json.spec).toEqual({ replicas: 5 });
    await http.send('DELETE', at(version, `scaled-${version}`));
  });

  test.each([
    ['v1', { phase: 'Ready', replicas: 1 }],
    ['v1beta1', { state: 'Ready', ready: 1 }],
    ['v1alpha1', { state: 'Ready', ready: 1 }],
  ])('has its status written at %s, and its spec left as it is', async (version, status) => {
    await create('v1', 'status', { width: 1, height: 2 });
    const { json } = await http.get(at(version, 'status'));
    const changed = { ...json, spec: {}, status };
    expect((await send('PUT', at(version, 'status', '/status'), changed)).json.status).toEqual(status);
    const { json: stored } = await http.get(at('v1', 'status'));
    expect([stored.spec, stored.status]).toEqual([
      { width: 1, height: 2 },
      { phase: 'Ready', replicas: 1 },
    ]);
    await http.send('DELETE', at('v1', 'status'));
  });

  test('webhooks with matchPolicy Equivalent get the version of their rule', async () => {
    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'widgets' },
      webhooks: [
        {
          name: 'widgets.example.com',
          clientConfig: hooks.on('/validate', allow),
          rules: [
            {
              apiGroups: ['shop.example.com'],
              apiVersions: ['v1beta1'],
              operations: ['CREATE', 'UPDATE'],
              resources: ['widgets'],
            },
          ],
          matchPolicy: 'Equivalent',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    };
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    expect((await send('POST', path, configuration)).status).toBe(201);
    await server.settled();
    await create('v1', 'reviewed', { width: 2, height: 3 });
    const [{ kind, requestKind, object }] = hooks.take('/validate');
    expect([kind.version, requestKind.version, object.spec]).toEqual(['v1beta1', 'v1', { size: '2x3' }]);
    await http.send('DELETE', `${path}/widgets`);
    await http.send('DELETE', at('v1', 'reviewed'));
  });

  test('policies with matchPolicy Equivalent see the version of their rule', async () => {
    const admission = '/apis/admissionregistration.k8s.io/v1';
    const policy = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'sizes' },
      spec: {
        matchConstraints: {
          matchPolicy: 'Equivalent',
          resourceRules: [
            {
              apiGroups: ['shop.example.com'],
              apiVersions: ['v1alpha1'],
              operations: ['CREATE'],
              resources: ['widgets'],
            },
          ],
        },
        validations: [{ expression: 'object.spec.dims[0] < 100', message: 'too wide' }],
      },
    };
    const binding = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'sizes' },
      spec: { policyName: 'sizes', validationActions: ['Deny'] },
    };
    expect((await send('POST', `${admission}/validatingadmissionpolicies`, policy)).status).toBe(201);
    expect((await send('POST', `${admission}/validatingadmissionpolicybindings`, binding)).status).toBe(201);
    await server.settled();
    const { status, json } = await send('POST', at('v1'), widget('v1', 'wide', { width: 100, height: 1 }));
    expect([status, json.message]).toEqual([422, expect.stringContaining('too wide')]);
    await http.send('DELETE', `${admission}/validatingadmissionpolicybindings/sizes`);
    await http.send('DELETE', `${admission}/validatingadmissionpolicies/sizes`);
  });

  test('its history is read at each version', async () => {
    await create('v1', 'past', { width: 1, height: 1 });
    const { json } = await http.get(at('v1', 'past'));
    await send('PATCH', at('v1', 'past'), { spec: { width: 2 } }, 'application/merge-patch+json');
    const then = `?resourceVersion=${json.metadata.resourceVersion}&resourceVersionMatch=Exact`;
    expect((await http.get(at('v1beta1', 'past', then))).json.spec).toEqual({ size: '1x1' });
    const watch = await WatchStream.open(server, `${at('v1beta1')}?watch=1&resourceVersion=${json.metadata.resourceVersion}`);
    expect((await watch.take(1)).map(({ type, object }) => [type, object.spec])).toEqual([['MODIFIED', { size: '2x1' }]]);
    watch.close();
    await http.send('DELETE', at('v1', 'past'));
  });

  test('a fork and a restored snapshot have its objects at each version', async () => {
    const fork = await server.fork();
    const snapshot = fork.snapshot();
    const other = HttpClient.for(fork);
    expect((await other.send('DELETE', at('v1beta1', 'one'))).status).toBe(200);
    expect((await other.get(at('v1alpha1', 'one'))).status).toBe(404);
    await fork.restore(snapshot);
    expect((await other.get(at('v1alpha1', 'one'))).json.spec).toEqual({ dims: [3, 4], count: 2 });
    other.close();
    await fork.close();
  });

  describe('whose converter fails for one object', () => {
    const failed = 'conversion of shop.example.com/v1, Kind=Widget to shop.example.com/v1beta1 failed: the converter has a bug';
    beforeAll(() => {
      broken = 'broken';
    });
    afterAll(async () => {
      broken = undefined;
      await http.send('DELETE', at('v1', 'broken'));
    });

    test('ends watches with an ERROR event, and answers reads with 500', async () => {
      const watch = await WatchStream.open(server, `${at('v1beta1')}?watch=1`);
      const initial = await watch.take(3);
      expect(initial.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'ADDED']);
      await create('v1', 'broken', { width: 1, height: 1 });
      const [event] = await watch.rest();
      expect([event.type, event.object.code]).toEqual(['ERROR', 500]);
      expect(event.object.message).toContain(failed);
      for (const path of [at('v1beta1'), at('v1beta1', 'broken')]) {
        for (const accept of ['application/json', 'application/json;as=Table;v=v1;g=meta.k8s.io']) {
          const { status, json } = await http.get(path, { headers: { accept } });
          expect([status, json.message]).toEqual([500, expect.stringContaining(failed)]);
        }
      }
    });

    test('serves the other version, and the other objects', async () => {
      expect((await http.get(at('v1'))).json.items).toHaveLength(4);
      expect((await http.get(at('v1beta1', 'one'))).json.spec).toEqual({ size: '3x4', count: 2 });
    });

    test('deletes it at the stored version', async () => {
      expect((await http.send('DELETE', at('v1', 'broken'))).status).toBe(200);
      expect((await http.get(at('v1beta1'))).json.items).toHaveLength(3);
    });
  });
});

describe('a storage version that changes', () => {
  test('leaves objects readable at each version, and rewrites them with the next write', async () => {
    const place = await newStorePlace('lmdb');
    const [before, after] = await Promise.all([widgetGroup('v1beta1'), widgetGroup('v1')]);
    const options = { ...place.options, builtin: false } as const;
    const open = async (group: WidgetGroup, stored: 'v1' | 'v1beta1') => {
      const others = versions.filter((version) => version !== stored);
      const converters = Object.fromEntries(others.map((version) => [version, widgetConverter(version, stored)]));
      const server = await startServer({ ...options, groups: [group.with(converters)] });
      return { server, http: HttpClient.for(server) };
    };
    const close = async ({ server, http }: Awaited<ReturnType<typeof open>>): Promise<void> => {
      http.close();
      await server.close();
    };
    const old = await open(before, 'v1beta1');
    for (const name of ['one', 'two']) {
      const body = JSON.stringify(widget('v1', name, { width: 3, height: 4 }));
      expect((await old.http.send('POST', at('v1'), body, 'application/json')).status).toBe(201);
    }
    await close(old);

    const { server, http } = await open(after, 'v1');
    const want = { v1: { width: 3, height: 4 }, v1beta1: { size: '3x4' }, v1alpha1: { dims: [3, 4] } };
    for (const version of versions) {
      const { json } = await http.get(at(version, 'one'));
      expect([json.apiVersion, json.spec]).toEqual([`shop.example.com/${version}`, want[version]]);
      expect((await http.get(at(version))).json.items.map(({ spec }: { spec: object }) => spec)).toEqual([want[version], want[version]]);
    }
    expect(names(await http.get(`${at('v1')}?fieldSelector=spec.width%3D3`))).toEqual(['one', 'two']);
    expect(names(await http.get(`${at('v1beta1')}?fieldSelector=spec.size%3D3x4`))).toEqual(['one', 'two']);
    const { json: read } = await http.get(at('v1', 'one'));
    const { metadata } = (await http.get(at('v1'))).json;
    const watch = await WatchStream.open(server, `${at('v1')}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    // an unchanged write stores the object at the new version
    const { json: written } = await http.send('PUT', at('v1', 'one'), JSON.stringify(read), 'application/json');
    expect(written.metadata.resourceVersion).not.toBe(read.metadata.resourceVersion);
    const { json: again } = await http.send('PUT', at('v1', 'one'), JSON.stringify(written), 'application/json');
    expect(again.metadata.resourceVersion).toBe(written.metadata.resourceVersion);
    expect((await http.send('DELETE', at('v1alpha1', 'two'))).status).toBe(200);
    const seen = (await watch.take(2)).map(({ type, object }) => [type, object.apiVersion, object.spec]);
    expect(seen.at(-1)).toEqual(['DELETED', 'shop.example.com/v1', want.v1]);
    watch.close();
    await close({ server, http });
    await Promise.all([before.remove(), after.remove(), place.dispose()]);
  });

  test('that is no longer served still stores the objects', async () => {
    const group = await widgetGroup('v1');
    const converters = { v1beta1: widgetConverter('v1beta1', 'v1'), v1alpha1: widgetConverter('v1alpha1', 'v1') };
    const server = await startServer({
      groups: [group.with(converters)],
      builtin: false,
      runtimeConfig: ['shop.example.com/v1=false'],
    });
    const http = HttpClient.for(server);
    const body = JSON.stringify(widget('v1beta1', 'one', { size: '3x4' }));
    expect((await http.send('POST', at('v1beta1'), body, 'application/json')).status).toBe(201);
    expect((await http.get(at('v1'))).status).toBe(404);
    expect((await http.get(at('v1alpha1', 'one'))).json.spec).toEqual({ dims: [3, 4] });
    expect(names(await http.get(`${at('v1beta1')}?fieldSelector=spec.size%3D3x4`))).toEqual(['one']);
    http.close();
    await server.close();
    await group.remove();
  });
});
