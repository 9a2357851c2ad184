import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConversionWebhook } from '../../support/conversion-webhook.ts';
import { type Any, conditionOf, DefinitionFixture, definitions, instance, pathOf, storages, version } from './definition-fixture.ts';

const hostPort = (fields: object): object => ({
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: Object.fromEntries(Object.keys(fields).map((name) => [name, { type: 'string' }])),
    },
  },
  selectableFields: Object.keys(fields).map((name) => ({ jsonPath: `.${name}` })),
});

const versions = [version('v1', hostPort({ hostPort: '' })), version('v2', hostPort({ host: '', port: '' }))];

/** v1 has "host:port", and v2 has two fields. */
function convert({ hostPort: both, host, port, ...rest }: Any, apiVersion: string): Any {
  if (apiVersion.endsWith('/v1')) return { ...rest, hostPort: `${host}:${port}` };
  const [first, second] = (both ?? '').split(':');
  return { ...rest, host: first, port: second };
}

describe.each(storages)('a definition with a conversion webhook in %s storage', (storage) => {
  let fixture: DefinitionFixture;
  let webhook: ConversionWebhook;
  let crd: Any;

  beforeAll(async () => {
    [fixture, webhook] = await Promise.all([DefinitionFixture.open(storage), ConversionWebhook.open(convert)]);
  });
  afterAll(async () => {
    await fixture.close();
    await webhook.close();
  });
  beforeEach(async () => {
    webhook.convert = convert;
    webhook.respond = undefined;
    crd = await fixture.define({ versions, conversion: webhook.conversion });
    webhook.reviews.length = 0;
  });

  const v1 = (): string => pathOf(crd, 'v1');
  const v2 = (): string => pathOf(crd, 'v2');
  const create = (name: string, at: 'v1' | 'v2', rest: object, labels = {}) => {
    const object = instance(crd, name, rest, at);
    object.metadata.labels = labels;
    return fixture.ok('POST', pathOf(crd, at), object);
  };
  const repoint = async (conversion: object): Promise<void> => {
    const path = `${definitions}/${crd.metadata.name}`;
    await fixture.merge(path, { spec: { conversion } });
  };

  test('serves an object at the other version', async () => {
    await create('a', 'v1', { hostPort: 'h:1' });
    expect(webhook.reviews).toEqual([]);
    expect(await fixture.ok('GET', `${v2()}/a`)).toMatchObject({
      apiVersion: `${crd.spec.group}/v2`,
      host: 'h',
      port: '1',
      metadata: { name: 'a', namespace: 'default' },
    });
    expect(webhook.reviews[0]).toMatchObject({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: { desiredAPIVersion: `${crd.spec.group}/v2`, objects: [{ kind: 'Foo', hostPort: 'h:1' }] },
    });
  });

  test('stores what is written at the other version at its storage version', async () => {
    const made = await create('a', 'v2', { host: 'h', port: '2' });
    expect(made).toMatchObject({ apiVersion: `${crd.spec.group}/v2`, host: 'h', port: '2' });
    expect(await fixture.ok('GET', `${v1()}/a`)).toMatchObject({ hostPort: 'h:2' });
    await fixture.merge(`${v2()}/a`, { port: '3' });
    expect(await fixture.ok('GET', `${v1()}/a`)).toMatchObject({ hostPort: 'h:3', metadata: { generation: 2 } });
  });

  test('calls the webhook once for a list', async () => {
    for (let n = 0; n < 20; n++) await create(`a${n}`, 'v1', { hostPort: `h:${n}` });
    webhook.reviews.length = 0;
    const list = await fixture.ok('GET', v2());
    expect(list.items.map(({ port }: Any) => Number(port)).sort((a: number, b: number) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n),
    );
    expect(webhook.reviews).toHaveLength(1);
    await fixture.ok('GET', v2());
    expect(webhook.reviews).toHaveLength(1);
  });

  test('calls the webhook several times for a list of large objects', async () => {
    for (const name of ['a', 'b', 'c']) {
      await create(name, 'v1', { hostPort: `h:${'1'.repeat(1_200_000)}` });
    }
    webhook.reviews.length = 0;
    const { items } = (await fixture.get(v2())).json;
    expect(items.map(({ metadata }: Any) => metadata.name)).toEqual(['a', 'b', 'c']);
    expect(webhook.reviews.map(({ request }) => request.objects.length)).toEqual([2, 1]);
  });

  test('sends events to watches of the other version, in order', async () => {
    await create('a', 'v1', { hostPort: 'h:1' });
    const watch = await fixture.fixture.watch(v2());
    await fixture.merge(`${v1()}/a`, { hostPort: 'h:2' });
    await create('b', 'v2', { host: 'k', port: '3' });
    await fixture.ok('DELETE', `${v1()}/a`);
    const events = await watch.take(4);
    watch.close();
    expect(events.map(({ type, object }) => `${type} ${object.metadata.name} ${object.host}:${object.port}`)).toEqual([
      'ADDED a h:1',
      'MODIFIED a h:2',
      'ADDED b k:3',
      'DELETED a h:2',
    ]);
    expect(new Set(events.map(({ object }) => object.apiVersion))).toEqual(new Set([`${crd.spec.group}/v2`]));
  });

  test('selects by the fields of each version, in lists and watches', async () => {
    await create('a', 'v1', { hostPort: 'one:80' });
    await create('b', 'v2', { host: 'two', port: '80' });
    await create('c', 'v2', { host: 'one', port: '8080' });
    const names = async (path: string, fieldSelector: string): Promise<string[]> =>
      (await fixture.get(path, { fieldSelector })).json.items.map(({ metadata }: Any) => metadata.name);
    expect(await names(v1(), 'hostPort=one:80')).toEqual(['a']);
    expect(await names(v2(), 'host=one')).toEqual(['a', 'c']);
    expect(await names(v2(), 'host=one,port=80')).toEqual(['a']);
    expect((await fixture.get(v1(), { fieldSelector: 'host=one' })).json).toMatchObject({
      code: 400,
      message: 'field label not supported: host',
    });
    const watch = await fixture.fixture.watch(v2(), { fieldSelector: 'host=one' });
    await watch.take(2);
    await fixture.merge(`${v2()}/b`, { host: 'one' });
    await fixture.merge(`${v1()}/a`, { hostPort: 'three:80' });
    await fixture.ok('DELETE', `${v2()}/c`);
    const events = await watch.take(3);
    watch.close();
    expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['ADDED b', 'DELETED a', 'DELETED c']);
  });

  test('applies across versions: fields are owned at the version they were applied at', async () => {
    const apply = (at: 'v1' | 'v2', manager: string, rest: object) =>
      fixture.send('PATCH', `${pathOf(crd, at)}/a?fieldManager=${manager}`, instance(crd, 'a', rest, at), 'application/apply-patch+yaml');
    expect((await apply('v1', 'one', { hostPort: 'h:1' })).status).toBe(201);
    const again = await apply('v1', 'one', { hostPort: 'h:1' });
    expect(again.status).toBe(200);
    const other = await apply('v2', 'two', { host: 'k', port: '1' });
    expect(other.status).toBe(409);
    expect(other.json.message).toContain('conflict');
  });

  test.each<[string, object | undefined, number, string]>([
    ['returns metadata', {}, 200, ''],
    ['returns none', undefined, 500, 'failed to prune fields: failed add back owned items: failed to convert pruned object at version'],
  ])('applies at another version convert an object without metadata, for which the webhook %s', async (_, metadata, status, message) => {
    const apply = (at: 'v1' | 'v2') => {
      const config = instance(crd, 'a', {}, at);
      config.metadata.labels = { a: at };
      return fixture.send('PATCH', `${pathOf(crd, at)}/a?fieldManager=one`, config, 'application/apply-patch+yaml');
    };
    webhook.convert = (object, apiVersion) => ({ metadata, ...convert(object, apiVersion) });
    await create('a', 'v1', { hostPort: 'h:1' });
    expect((await apply('v1')).status).toBe(200);
    const { status: actual, json } = await apply('v2');
    expect([actual, json.message ?? '', json.reason]).toEqual([status, expect.stringContaining(message), undefined]);
  });

  test('lets the webhook change labels and annotations, and no other metadata', async () => {
    await create('a', 'v1', { hostPort: 'h:1' }, { old: 'yes' });
    webhook.convert = (object, apiVersion) => ({
      ...convert(object, apiVersion),
      metadata: {
        ...object.metadata,
        labels: { new: 'yes' },
        annotations: { seen: 'yes' },
        finalizers: ['example.com/x'],
        generation: 99,
      },
    });
    const { metadata } = await fixture.ok('GET', `${v2()}/a`);
    expect(metadata).toMatchObject({ labels: { new: 'yes' }, annotations: { seen: 'yes' }, generation: 1 });
    expect(metadata.finalizers).toBeUndefined();
  });

  const success = (review: Any, more: object, response: object = {}): { body: unknown } => ({
    body: {
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      response: { uid: review.request.uid, result: { status: 'Success' }, convertedObjects: [], ...response },
      ...more,
    },
  });
  const converted = (review: Any, change: (object: Any) => Any): Any[] =>
    review.request.objects.map((object: Any) =>
      change({ ...object, apiVersion: review.request.desiredAPIVersion, metadata: { ...object.metadata } }),
    );

  test.each<[string, (review: Any) => { status?: number; body: unknown }, string]>([
    ['a failure', (review) => success(review, {}, { result: { status: 'Failed', message: 'not today' } }), 'failed: not today'],
    [
      'a failure without a message',
      (review) => success(review, {}, { result: { status: 'Failed' } }),
      "failed: response.result.status was 'Failed', not 'Success'",
    ],
    ['another uid', (review) => success(review, {}, { uid: 'x' }), 'failed: expected response.uid='],
    ['no response', (review) => success(review, { response: undefined }), 'failed: no response provided'],
    [
      'another kind',
      (review) => success(review, { kind: 'Other' }),
      'failed: no kind "Other" is registered for version "apiextensions.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'another version of the review',
      (review) => success(review, { apiVersion: 'apiextensions.k8s.io/v1beta1' }),
      'failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion',
    ],
    [
      'no kind',
      (review) => success(review, { kind: undefined }),
      'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=',
    ],
    [
      'a list',
      () => ({ body: [] }),
      "failed: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct {",
    ],
    ['half of JSON', () => ({ body: '{"kind":' }), "failed: couldn't get version/kind; json parse error: unexpected end"],
    ['nothing', () => ({ body: '' }), 'failed: 0-length response with status code: 200 and content type: application/json'],
    [
      'a response that is a list',
      (review) => success(review, { response: [] }),
      'failed: json: cannot unmarshal array into Go struct field ConversionReview.response of type v1.ConversionResponse',
    ],
    [
      'objects that are a string',
      (review) => success(review, {}, { convertedObjects: 'x' }),
      'failed: json: cannot unmarshal string into Go struct field ConversionResponse.response.convertedObjects of type []runtime.RawExtension',
    ],
    ['too few objects', (review) => success(review, {}), 'returned 0 objects, expected 1'],
    [
      'another version',
      (review) => success(review, {}, { convertedObjects: review.request.objects }),
      'returned invalid object at index 0: invalid groupVersion (expected',
    ],
    [
      'another name',
      (review) =>
        success(
          review,
          {},
          {
            convertedObjects: converted(review, (object) => ({
              ...object,
              metadata: { ...object.metadata, name: 'b' },
            })),
          },
        ),
      'returned invalid object: must have the same name: a != b',
    ],
    [
      'invalid labels',
      (review) =>
        success(
          review,
          {},
          {
            convertedObjects: converted(review, (object) => ({
              ...object,
              metadata: { ...object.metadata, labels: { a: 1 } },
            })),
          },
        ),
      'returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object',
    ],
    ['an error', () => ({ status: 500, body: 'x' }), 'failed: an error on the server ("unknown") has prevented'],
    [
      'a body that is too large',
      () => ({ body: { junk: 'x'.repeat(2 * 1024 * 1024) } }),
      'failed: unexpected error when reading response body',
    ],
  ])('fails requests if the webhook responds with %s', async (_name, respond, message) => {
    await create('a', 'v1', { hostPort: 'h:1' });
    webhook.respond = respond;
    for (const path of [`${v2()}/a`, v2()]) {
      const response = await fixture.get(path);
      expect(response.status).toBe(500);
      expect(response.json.message).toContain(`conversion webhook for ${crd.spec.group}/v1, Kind=Foo ${message}`);
    }
    expect((await fixture.get(`${v1()}/a`)).status).toBe(200);
  });

  test.each<[string, (object: Any) => unknown, string]>([
    ['null', () => null, 'unexpected end of JSON input'],
    ['a number', () => 5, 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
    ['an object without kind', () => ({ a: 1 }), `Object 'Kind' is missing in '{"a":1}'`],
  ])('fails requests if the webhook returns %s for an object', async (_, change, message) => {
    await create('a', 'v1', { hostPort: 'h:1' });
    webhook.respond = (review) => success(review, {}, { convertedObjects: converted(review, change) });
    expect((await fixture.get(`${v2()}/a`)).json).toMatchObject({ code: 500, message });
  });

  test('converts one by one what it cannot convert at once, so the error is that of one object', async () => {
    for (const name of ['a', 'b', 'c']) await create(name, 'v1', { hostPort: 'h:1' });
    webhook.respond = (review) =>
      review.request.objects.length > 1
        ? success(review, {}, { convertedObjects: [] })
        : success(review, {}, { convertedObjects: converted(review, (object) => convert(object, object.apiVersion)) });
    expect((await fixture.ok('GET', v2())).items).toHaveLength(3);
    await create('d', 'v1', { hostPort: 'h:1' });
    await create('e', 'v1', { hostPort: 'h:1' });
    webhook.respond = (review) => success(review, {}, { convertedObjects: [] });
    expect((await fixture.get(v2())).json.message).toBe(
      `conversion webhook for ${crd.spec.group}/v1, Kind=Foo returned 0 objects, expected 1`,
    );
  });

  test('cannot delete objects that the webhook fails to convert until it works again', async () => {
    await create('a', 'v1', { hostPort: 'h:1' });
    const path = `${definitions}/${crd.metadata.name}`;
    const stored = crd.spec.versions.map((one: Any) => ({ ...one, storage: one.name === 'v2' }));
    await fixture.merge(path, { spec: { versions: stored } });
    webhook.respond = () => ({ status: 500, body: 'x' });
    const gone = fixture.drop(crd);
    const held = await fixture.until(path, (one) => conditionOf(one, 'Terminating')?.reason === 'InstanceDeletionFailed');
    expect(conditionOf(held, 'Terminating').message).toContain('could not issue all deletes: conversion webhook for');
    webhook.respond = undefined;
    await gone;
  });

  test('reports a webhook that is not trusted or not reachable', async () => {
    await create('a', 'v1', { hostPort: 'h:1' });
    const { url } = webhook;
    const review = { conversionReviewVersions: ['v1'] };
    const failure = async (clientConfig: object): Promise<string> => {
      await repoint({ strategy: 'Webhook', webhook: { ...review, clientConfig } });
      return (await fixture.get(`${v2()}/a`)).json.message;
    };
    expect(await failure({ url, caBundle: null })).toContain(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
    expect(await failure({ url: 'https://127.0.0.1:1/convert' })).toContain(
      'Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });

  test('calls a webhook service at its address, under its name', async () => {
    await create('a', 'v1', { hostPort: 'h:1' });
    const port = Number(new URL(webhook.url).port);
    const { caBundle } = webhook.clientConfig;
    const read = async (service: object): Promise<string> => {
      const clientConfig = { url: null, caBundle, service: { namespace: 'default', path: '/convert', ...service } };
      await repoint({ strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } });
      const { status, json } = await fixture.get(`${v2()}/a`);
      return status === 200 ? 'converted' : json.message;
    };
    const services = '/api/v1/namespaces/default/services';
    const make = (name: string, spec: object): Promise<unknown> =>
      fixture.ok('POST', services, { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
    expect(await read({ name: 'absent' })).toContain(
      'Post "https://absent.default.svc:443/convert?timeout=30s": service "absent" not found',
    );
    await make('headless', { clusterIP: 'None', ports: [{ port: 443 }] });
    expect(await read({ name: 'headless' })).toContain('cannot route to service with ClusterIP "None"');
    await make('plain', { ports: [{ port: 80 }] });
    expect(await read({ name: 'plain' })).toContain('no service port 443 found for service "plain"');
    await make('hook', { type: 'ExternalName', externalName: 'localhost' });
    expect(await read({ name: 'hook', port })).toBe('converted');
    await make('other', { type: 'ExternalName', externalName: 'localhost' });
    expect(await read({ name: 'other', port })).toContain(`Post "https://other.default.svc:${port}/convert?timeout=30s"`);
  });
});
