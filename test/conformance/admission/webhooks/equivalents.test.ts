import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allow, patching, rule } from '../../../support/admission-webhook.ts';
import { ConversionWebhook } from '../../../support/conversion-webhook.ts';
import { configMap, configMaps, WebhookFixture } from './webhook-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
type Any = any;

const fixture = WebhookFixture.forSuite();
const group = 'convert.example.com';

describe('a webhook for another version of a custom resource', () => {
  let conversion: ConversionWebhook;

  beforeAll(async () => {
    // v1 has `size`, v2 has `length`
    conversion = await ConversionWebhook.open((object) => ({
      ...object,
      size: undefined,
      length: undefined,
      ...(object.apiVersion === `${group}/v1` ? { length: object.size } : { size: object.length }),
    }));
    const schema = (field: string): Any => ({
      openAPIV3Schema: {
        type: 'object',
        properties: { [field]: { type: 'integer' }, note: { type: 'string', default: `of ${field}` } },
      },
    });
    await fixture.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        conversion: conversion.conversion,
        versions: [
          { name: 'v1', served: true, storage: true, schema: schema('size') },
          { name: 'v2', served: true, storage: false, schema: schema('length') },
        ],
      },
    });
    const path = `/apis/${group}/v2/namespaces/default/things`;
    while ((await fixture.suite.http.get(path)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 5));
  });
  afterAll(() => conversion.close());

  const thing = (name: string): Any => ({ kind: 'Thing', apiVersion: `${group}/v1`, metadata: { name }, size: 3 });
  const things = (namespace: string, name = ''): string => `/apis/${group}/v1/namespaces/${namespace}/things${name && `/${name}`}`;

  test('gets the objects at that version, and its patch is converted back and pruned', async () => {
    const namespace = await fixture.namespace();
    const rules = [rule('things', '*', `${group}/v2`)];
    const hook = patching({ op: 'replace', path: '/length', value: 5 }, { op: 'add', path: '/unknown', value: 'pruned' });
    await fixture.configure('Mutating', 'things', { rules: [{ ...rules[0], operations: ['CREATE'] }], hook }, namespace);
    await fixture.configure('Validating', 'things-check', { rules, hook: allow }, namespace);
    const made = await fixture.create(things(namespace), thing('one'));
    expect(made).toMatchObject({ apiVersion: `${group}/v1`, size: 5, note: 'of size' });
    expect(Object.keys(made).sort()).toEqual(['apiVersion', 'kind', 'metadata', 'note', 'size']);
    const [review] = fixture.hooks.take('/things');
    expect(review).toMatchObject({
      kind: { group, version: 'v2', kind: 'Thing' },
      requestKind: { group, version: 'v1', kind: 'Thing' },
      object: { apiVersion: `${group}/v2`, length: 3 },
    });
    fixture.hooks.take('/things-check');
    await fixture.send('DELETE', things(namespace, 'one'));
    expect(fixture.hooks.take('/things-check')).toMatchObject([
      { operation: 'DELETE', object: null, oldObject: { apiVersion: `${group}/v2`, length: 5 } },
    ]);
  });

  test('is not asked about an object that cannot be converted, and nothing is stored', async () => {
    const namespace = await fixture.namespace();
    const rules = [rule('things', 'CREATE', `${group}/v2`)];
    await fixture.configure('Validating', 'unconverted', { rules, hook: allow, failurePolicy: 'Ignore' }, namespace);
    conversion.respond = () => ({ status: 500, body: 'no' });
    try {
      const { status, json } = await fixture.send('POST', things(namespace), thing('one'));
      expect([status, json.message]).toEqual([500, expect.stringContaining(`conversion webhook for ${group}/v1, Kind=Thing failed`)]);
    } finally {
      conversion.respond = undefined;
    }
    expect((await fixture.send('GET', things(namespace, 'one'))).status).toBe(404);
    expect(fixture.hooks.take('/unconverted')).toEqual([]);
  });
});

describe('webhooks about deletions', () => {
  const rules = [rule('configmaps', 'DELETE')];

  test('are asked about each object of a collection, and one denial does not keep the others', async () => {
    const namespace = await fixture.namespace();
    for (const name of ['a', 'b', 'c']) await fixture.create(configMaps(namespace), configMap(name));
    const hook = ({ oldObject }: Any) => ({ allowed: oldObject.metadata.name !== 'b' });
    await fixture.configure('Validating', 'collection', { rules, hook }, namespace);
    const { status } = await fixture.send('DELETE', configMaps(namespace));
    expect(status).toBe(400);
    const names = fixture.hooks.take('/collection').map(({ oldObject }) => oldObject.metadata.name);
    expect(names).toContain('b');
    expect((await fixture.send('GET', configMaps(namespace, 'b'))).status).toBe(200);
  });

  test('may not patch', async () => {
    const namespace = await fixture.namespace();
    await fixture.create(configMaps(namespace), configMap('one'));
    const hook = patching({ op: 'add', path: '/data', value: {} });
    await fixture.configure('Mutating', 'patches-deletion', { rules, hook }, namespace);
    const { json } = await fixture.send('DELETE', configMaps(namespace, 'one'));
    expect(json.message).toBe(
      'Internal error occurred: admission webhook "patches-deletion.example.com" attempted to modify the object, which is not supported for this operation',
    );
    expect((await fixture.send('GET', configMaps(namespace, 'one'))).status).toBe(200);
  });
});
