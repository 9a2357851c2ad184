import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { yieldToEventLoop } from '../../../runtime/machinery/event-loop/yield.ts';
import { AdmissionWebhookServer, patching } from '../../support/admission-webhook.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import { engines } from '../../support/store-place.ts';
import { patchTypes, WriteFixture } from '../../support/write-fixture.ts';

const group = 'amp.example.com';
const apiVersion = `${group}/v1`;
const blobs = `/apis/${apiVersion}/blobs`;
const filled = `/apis/${apiVersion}/filleds`;
const templates = '/api/v1/namespaces/default/podtemplates';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const admission = '/apis/admissionregistration.k8s.io';
const mebibyte = 2 ** 20;
const long = (length: number): string => 'x'.repeat(length);

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const definition = (plural: string, kind: string, openAPIV3Schema: object) => ({
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural, singular: kind.toLowerCase(), kind },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
  },
});

type Any = Record<string, unknown>;
const blob = (name: string, members: Any, metadata: Any = {}): Any => ({
  apiVersion,
  kind: 'Blob',
  metadata: { name, ...metadata },
  ...members,
});
const template = (name: string, length: number, metadata: Any = {}): Any => ({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name, ...metadata },
  template: { metadata: {}, spec: { containers: [{ name: 'c', image: 'i', args: [long(length)] }] } },
});

const refusal = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'etcdserver: request is too large',
  code: 500,
};
const tooLarge = [500, refusal];

describe.each(engines)('an object stored in %s', (storage) => {
  let fixture: WriteFixture;
  let hooks: AdmissionWebhookServer;
  /** Sends a request like the client in the measurement of kube-apiserver: its name is in managed fields. */
  const send = (method: string, path: string, body: unknown, type = 'application/json'): Promise<HttpResponse> =>
    fixture.http.send(method, path, JSON.stringify(body), type, { headers: { 'user-agent': 'x' } });
  const create = async (path: string, object: unknown): Promise<void> => {
    expect((await send('POST', path, object)).json.message).toBeUndefined();
  };

  beforeAll(async () => {
    fixture = await WriteFixture.open({ storage });
    hooks = await AdmissionWebhookServer.open();
    await create(definitions, definition('blobs', 'Blob', anything));
    const items = {
      type: 'array',
      items: { type: 'object', properties: { d: { type: 'string', default: long(1_000) } } },
    };
    const text = { type: 'string' };
    await create(definitions, definition('filleds', 'Filled', { type: 'object', properties: { items, text } }));
    await fixture.served(blobs);
    await fixture.served(filled);
    const resourceRules = [{ apiGroups: [group], apiVersions: ['v1'], resources: ['blobs'], operations: ['CREATE'] }];
    await create(`${admission}/v1/mutatingwebhookconfigurations`, {
      metadata: { name: 'copies' },
      webhooks: [
        {
          name: 'copies.example.com',
          clientConfig: hooks.on('/copies', patching({ op: 'copy', from: '/a', path: '/b' })),
          rules: resourceRules,
          matchConditions: [{ name: 'name', expression: "object.metadata.name == 'webhook'" }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    const policy = (name: string, expression: string) => ({
      apiVersion: `admissionregistration.k8s.io/v1beta1`,
      kind: 'MutatingAdmissionPolicy',
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules },
        matchConditions: [{ name: 'name', expression: `object.metadata.name == '${name}'` }],
        failurePolicy: 'Fail',
        reinvocationPolicy: 'Never',
        mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
      },
    });
    const binding = (name: string) => ({
      apiVersion: `admissionregistration.k8s.io/v1beta1`,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name },
    });
    for (const [name, expression] of [
      ['policy-copy', "[JSONPatch{op: 'copy', from: '/a', path: '/b'}]"],
      ['policy-value', "[JSONPatch{op: 'add', path: '/b', value: object.a}]"],
    ]) {
      await create(`${admission}/v1beta1/mutatingadmissionpolicies`, policy(name, expression));
      await create(`${admission}/v1beta1/mutatingadmissionpolicybindings`, binding(name));
    }
  }, 60_000);
  afterAll(async () => {
    await hooks.close();
    await fixture.close();
  });

  /** This server's requests to etcd differ in size from kube-apiserver's by some bytes. */
  const less = storage === 'etcd' ? 300 : 0;

  // the lengths that kube-apiserver v1.35 accepts, found with the same requests
  test.each<[what: string, path: string, name: string, object: typeof template, created: number, updated: number]>([
    ['a custom resource', blobs, 'a', (name, n, meta) => blob(name, { a: long(n) }, meta), 1_572_575, 1_572_535],
    ['one with a long name', blobs, long(200), (name, n, meta) => blob(name, { a: long(n) }, meta), 1_571_975, 1_571_733],
    ['a built-in kind', templates, 'a', template, 1_572_503, 1_572_464],
    ['one with a long name', templates, long(200), template, 1_571_901, 1_571_660],
  ])('has the size of kube-apiserver to the byte: %s (%s)', async (_what, path, name, object, created, updated) => {
    const refused = await send('POST', path, object(name, created + less + 1));
    expect([refused.status, refused.json]).toEqual(tooLarge);
    const taken = await send('POST', path, object(name, created - less));
    // an object that does not fit is retried without managed fields
    expect(taken.status).toBe(201);
    if (less === 0) expect(taken.json.metadata.managedFields).toBeUndefined();
    expect((await fixture.remove(`${path}/${name}`)).status).toBe(200);
    const { json } = await send('POST', path, object(name, 1));
    const { resourceVersion } = json.metadata;
    const late = await send('PUT', `${path}/${name}`, object(name, updated + less + 1, { resourceVersion }));
    expect([late.status, late.json]).toEqual(tooLarge);
    expect((await fixture.get(`${path}/${name}`)).json).toEqual(json);
    expect((await send('PUT', `${path}/${name}`, object(name, updated - less, { resourceVersion }))).status).toBe(200);
    expect((await fixture.remove(`${path}/${name}`)).status).toBe(200);
  });

  test('of 2 MiB is not even sent', async () => {
    const refused = await send('POST', blobs, blob('big', { a: long(2_500_000) }));
    const message = /^rpc error: code = ResourceExhausted desc = trying to send message larger than max \(2500\d{3} vs\. 2097152\)$/;
    expect(refused.json).toEqual({ ...refusal, message: expect.stringMatching(message) });
  });

  test('keeps its managed fields if it is small enough with them', async () => {
    const { json } = await send('POST', blobs, blob('managed', { a: long(1_570_000) }));
    expect(json.metadata.managedFields).toHaveLength(1);
    const applied = blob('managed', { a: long(1_572_500) });
    const path = `${blobs}/managed`;
    // an apply needs managed fields
    const forced = await send('PATCH', `${path}?fieldManager=x&force=true`, applied, patchTypes.apply);
    expect(forced.json).toEqual(refusal);
    const patched = await send('PATCH', path, { a: long(1_572_500) }, patchTypes.merge);
    expect([patched.status, patched.json.metadata.managedFields]).toEqual([200, undefined]);
    await fixture.remove(`${blobs}/managed`);
  });

  /** A write whose result grows by `growth` bytes for each of `n`. */
  interface Growing {
    readonly what: string;
    readonly path: string;
    readonly name: string;
    readonly growth: number;
    /** The object to write first. */
    readonly old?: (n: number) => Any;
    readonly write: (path: string, n: number) => Promise<HttpResponse>;
  }
  const posting = (what: string, name: string, growth: number): Growing => ({
    what,
    path: blobs,
    name,
    growth,
    write: (path, n) => send('POST', path, blob(name, { a: long(n) })),
  });
  const changing = (what: string, method: string, body: (n: number) => unknown, type?: string, growth = 1): Growing => ({
    what,
    path: blobs,
    name: 'changed',
    growth,
    old: (n) => blob('changed', growth === 1 ? {} : { a: long(n) }),
    write: (path, n) => send(method, path, body(n), type),
  });
  const writes: readonly Growing[] = [
    posting('a creation', 'created', 1),
    changing('a JSON patch', 'PATCH', (n) => [{ op: 'add', path: '/a', value: long(n) }], patchTypes.json),
    changing('a copy', 'PATCH', () => [{ op: 'copy', from: '/a', path: '/b' }], patchTypes.json, 2),
    changing('a merge patch', 'PATCH', (n) => ({ a: long(n) }), patchTypes.merge),
    {
      what: 'a strategic merge patch',
      path: templates,
      name: 'changed',
      growth: 1,
      old: () => template('changed', 1),
      write: (path, n) => send('PATCH', path, template('changed', n), patchTypes.strategic),
    },
    {
      ...changing('an apply', 'PATCH', (n) => blob('changed', { a: long(n) }), patchTypes.apply),
      write: (path, n) =>
        send('PATCH', `${path}${path.includes('?') ? '&' : '?'}fieldManager=y`, blob('changed', { a: long(n) }), patchTypes.apply),
    },
    posting("a webhook's patch", 'webhook', 2),
    posting("a policy's copy", 'policy-copy', 2),
    posting("a policy's value", 'policy-value', 2),
    {
      what: 'defaults',
      path: filled,
      name: 'filled',
      growth: 1,
      write: (path, n) =>
        send('POST', path, {
          apiVersion,
          kind: 'Filled',
          metadata: { name: 'filled' },
          items: Array(500).fill({}),
          text: long(n),
        }),
    },
  ];

  test.each(writes)('may be just below 1.5 MiB, and not above, as $what leaves it', async (growing) => {
    const { path, name, growth, old, write } = growing;
    const target = old === undefined ? path : `${path}/${name}`;
    const reset = async (n: number): Promise<void> => {
      await fixture.remove(`${path}/${name}`);
      if (old !== undefined) await create(path, old(n));
    };
    await reset(1_000);
    const dry = await write(`${target}?dryRun=All`, 1_000);
    expect(dry.json.message).toBeUndefined();
    // protobuf has a shorter head than JSON
    const slack = path === templates ? 1_500 : 500;
    const under = 1_000 + Math.floor((1.5 * mebibyte - slack - dry.body.length) / growth);
    const over = under + 2 * slack;
    await reset(under);
    const taken = await write(target, under);
    expect([taken.status, taken.json.message]).toEqual([old === undefined ? 201 : 200, undefined]);
    await reset(over);
    const refused = await write(target, over);
    expect([refused.status, refused.json]).toEqual(tooLarge);
    await fixture.remove(`${path}/${name}`);
  });

  test('may have its defaults, however little of them was sent', async () => {
    const object = (count: number) => ({
      apiVersion,
      kind: 'Filled',
      metadata: { name: 'many' },
      items: Array(count).fill({}),
    });
    const refused = await send('POST', filled, object(15_000));
    expect([refused.status, refused.json]).toEqual(tooLarge);
    // a dry run does not store an object, but still refuses it
    expect((await send('POST', `${filled}?dryRun=All`, object(15_000))).json).toEqual(refusal);
    const made = await send('POST', filled, object(1_000));
    expect([made.status, made.json.items[999].d.length]).toEqual([201, 1_000]);
    expect((await fixture.remove(`${filled}/many`)).status).toBe(200);
  });

  test('is read without defaults that are too long for it, and can be deleted', async () => {
    const late = `/apis/${apiVersion}/lates`;
    const schema = (d: object) => ({
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'object', properties: { d, e: { type: 'string' } } } } },
    });
    await create(definitions, definition('lates', 'Late', schema({ type: 'string' })));
    await fixture.served(late);
    const items = Array(5_000).fill({});
    await create(late, { apiVersion, kind: 'Late', metadata: { name: 'long' }, items });
    await create(late, { apiVersion, kind: 'Late', metadata: { name: 'short' }, items: [{}] });
    const changed = definition('lates', 'Late', schema({ type: 'string', default: long(1_000) }));
    const patched = await send('PATCH', `${definitions}/lates.${group}`, { spec: changed.spec }, patchTypes.merge);
    expect(patched.status).toBe(200);
    const listed = async (): Promise<Any[]> => (await fixture.get(late)).json.items.map((one: Any) => one.items);
    const shown = async (): Promise<string[]> => (await listed()).map((one) => JSON.stringify(one));
    const short = JSON.stringify([{ d: long(1_000) }]);
    while ((await shown())[1] !== short) await yieldToEventLoop();
    // compares texts, because a difference would be long
    expect((await shown()).map((one, at) => one === [JSON.stringify(items), short][at])).toEqual([true, true]);
    // a write would store the items
    expect((await send('PATCH', `${late}/long`, { items: [...items, {}] }, patchTypes.merge)).json).toEqual(refusal);
    expect((await fixture.remove(`${late}/long`)).status).toBe(200);
  });
});
