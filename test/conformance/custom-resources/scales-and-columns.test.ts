import { describe, expect, test } from '@jest/globals';
import { ConversionWebhook } from '../../support/conversion-webhook.ts';
import { patchTypes } from '../../support/write-fixture.ts';
import { type Any, DefinitionFixture, definition, definitions, instance, pathOf, version } from './definition-fixture.ts';

/** The parts of a version of a definition besides its schema. */

const fixture = DefinitionFixture.forSuite();

const open = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const withVersion = (more: object): Promise<Any> => fixture.define({ versions: [version('v1', { schema: open, ...more })] });
const causesOf = ({ json }: Any): string[] => json.details.causes.map(({ field, message }: Any) => `${field}: ${message}`);
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const paths = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };

describe('a scale', () => {
  test('has no selector by default, no scale without replicas, and an update must set them', async () => {
    const crd = await withVersion({ subresources: { status: {}, scale: paths } });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'a', { spec: {} }));
    const at = `${pathOf(crd)}/a/scale`;
    const absent = await fixture.get(at);
    const message = 'Internal error occurred: the spec replicas field ".spec.size" does not exist';
    expect([absent.status, absent.json.message]).toEqual([500, message]);
    const labels = { metadata: { labels: { a: 'b' } } };
    const withoutReplicas = await fixture.send('PATCH', at, labels, 'application/merge-patch+json');
    expect([withoutReplicas.status, withoutReplicas.json.message]).toEqual([400, 'the spec replicas field ".spec.size" cannot be empty']);
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a', namespace: 'default' } };
    expect((await fixture.ok('PUT', at, { ...scale, spec: { replicas: 3 } })).spec).toEqual({ replicas: 3 });
    expect((await fixture.ok('GET', at)).status).toEqual({ replicas: 0 });
    expect((await fixture.ok('GET', `${pathOf(crd)}/a`)).spec).toEqual({ size: 3 });
  });

  // requests that kube-apiserver's handler of custom resources, which knows no Go types, cannot serve for a typed Scale
  const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 5 } };
  const unworded = 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"';
  const unconverted = (key: string): string =>
    `failed to convert new object (${key}; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1`;
  const { apply, strategic } = patchTypes;
  const put = 'application/json';
  test.each<{ what: string; type: string; sent: object; query?: string; gets: [code: number, message: unknown] }>([
    { what: 'a strategic patch', type: strategic, sent: {}, gets: [415, expect.anything()] },
    { what: 'another version', type: put, sent: { ...body, apiVersion: 'extensions/v1beta1' }, gets: [400, unworded] },
    { what: 'another kind', type: put, sent: { ...body, kind: 'Foo' }, gets: [400, unworded] },
    { what: 'an unknown field', type: put, sent: { ...body, x: 1 }, query: '?fieldValidation=Strict', gets: [400, unworded] },
    { what: 'an apply', type: apply, sent: body, query: '?fieldManager=x&force=true', gets: [500, unconverted('/a')] },
    {
      what: 'an apply in a namespace',
      type: apply,
      sent: { ...body, metadata: { name: 'a', namespace: 'default' } },
      query: '?fieldManager=x&force=true',
      gets: [500, unconverted('default/a')],
    },
    {
      what: 'an apply of what is there',
      type: apply,
      sent: { ...body, spec: { replicas: 2 } },
      query: '?fieldManager=x',
      gets: [200, undefined],
    },
  ])('answers $what as upstream does', async ({ type, sent, query = '', gets }) => {
    const crd = await withVersion({ subresources: { status: {}, scale: paths } });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'a', { spec: { size: 2 } }));
    const response = await fixture.send(type === put ? 'PUT' : 'PATCH', `${pathOf(crd)}/a/scale${query}`, sent, type);
    expect([response.status, response.json.message]).toEqual(gets);
  });

  test('has no protobuf in responses', async () => {
    const crd = await withVersion({ subresources: { status: {}, scale: paths } });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'a', { spec: { size: 2 } }));
    const at = `${pathOf(crd)}/a/scale`;
    expect((await fixture.get(at, {}, 'application/vnd.kubernetes.protobuf')).status).toBe(406);
    expect((await fixture.get(at, {}, 'application/vnd.kubernetes.protobuf,application/json')).json.kind).toBe('Scale');
  });

  test('has the selector at its path', async () => {
    const scale = { ...paths, labelSelectorPath: '.status.sel.text' };
    const crd = await withVersion({ subresources: { status: {}, scale } });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'a', { spec: { size: 2 } }));
    await fixture.merge(`${pathOf(crd)}/a/status`, { status: { size: 1, sel: { text: 'a=b' } } });
    expect((await fixture.ok('GET', `${pathOf(crd)}/a/scale`)).status).toEqual({ replicas: 1, selector: 'a=b' });
  });

  test('is not found if the definition does not have one', async () => {
    const crd = await withVersion({});
    await fixture.ok('POST', pathOf(crd), instance(crd, 'a'));
    for (const name of ['scale', 'status']) expect((await fixture.get(`${pathOf(crd)}/a/${name}`)).status).toBe(404);
  });

  test('needs paths in the spec and the status', async () => {
    const scale = { specReplicasPath: '.status.r', statusReplicasPath: '.spec.r', labelSelectorPath: 'sel' };
    const versions = [version('v1', { subresources: { scale } })];
    expect(causesOf(await fixture.send('POST', definitions, definition({ versions })))).toEqual([
      'spec.subresources.scale.specReplicasPath: Invalid value: ".status.r": should be a json path under .spec',
      'spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.r": should be a json path under .status',
      'spec.subresources.scale.labelSelectorPath: Invalid value: "sel": must be a simple json path starting with .',
    ]);
  });
});

test('without the status subresource the status is an ordinary field', async () => {
  const crd = await withVersion({});
  const made = await fixture.ok('POST', pathOf(crd), instance(crd, 'a', { spec: { x: 1 }, status: { y: 2 } }));
  expect(made).toMatchObject({ status: { y: 2 }, metadata: { generation: 1 } });
  const status = { y: 3 };
  expect(await fixture.merge(`${pathOf(crd)}/a`, { status })).toMatchObject({ status, metadata: { generation: 2 } });
  const labelled = await fixture.merge(`${pathOf(crd)}/a`, { metadata: { labels: { a: 'b' } } });
  expect(labelled.metadata.generation).toBe(2);
});

describe('columns', () => {
  const columns = [
    ['Integer', 'integer', '.spec.integer'],
    ['Number', 'number', '.spec.number'],
    ['String', 'string', '.spec.string'],
    ['Boolean', 'boolean', '.spec.boolean'],
    ['Date', 'date', '.spec.date'],
    ['First', 'string', '.spec.list[*].x'],
    ['Last', 'string', '.spec.list[-1:].x'],
    ['Found', 'string', '.spec.list[?(@.x=="b")].y'],
    ['Escaped', 'string', '.metadata.annotations.a\\.b/c'],
  ].map(([name, type, jsonPath]) => ({ name, type, jsonPath }));

  test('default to Name and Age, with descriptions', async () => {
    const crd = await withVersion({});
    const { columnDefinitions } = (await fixture.get(pathOf(crd), {}, table)).json;
    const columns = columnDefinitions.map(({ name, type, format, description }: Any) => [name, type, format, description]);
    expect(columns).toEqual([
      ['Name', 'string', 'name', expect.stringMatching(/^Name of the object/)],
      ['Age', 'date', '', expect.stringMatching(/^Time since/)],
    ]);
  });

  test('of a scale show its replicas', async () => {
    const crd = await withVersion({ subresources: { status: {}, scale: paths } });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'a', { spec: { size: 2 } }));
    const { columnDefinitions, rows } = (await fixture.get(`${pathOf(crd)}/a/scale`, {}, table)).json;
    expect(columnDefinitions.map(({ name, type, format }: Any) => [name, type, format])).toEqual([
      ['Name', 'string', 'name'],
      ['Desired', 'integer', ''],
      ['Available', 'integer', ''],
      ['Age', 'date', ''],
    ]);
    expect(rows[0].cells.slice(0, 3)).toEqual(['a', 2, 0]);
  });

  test('of partial metadata of the wrong kind are rejected in upstream’s words', async () => {
    const crd = await withVersion({});
    await fixture.ok('POST', pathOf(crd), instance(crd, 'a'));
    const as = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io`;
    expect((await fixture.get(pathOf(crd), {}, as('PartialObjectMetadata'))).json.message).toBe(
      'you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)',
    );
    expect((await fixture.get(`${pathOf(crd)}/a`, {}, as('PartialObjectMetadataList'))).json.message).toBe('content is not a list');
    expect((await fixture.get(`${pathOf(crd)}/absent`, {}, as('PartialObjectMetadataList'))).status).toBe(404);
    const accept = { headers: { accept: as('PartialObjectMetadataList') } };
    const patched = ['absent', 'a'].map(
      async (name) => (await fixture.fixture.client.send('PATCH', `${pathOf(crd)}/${name}`, '{}', patchTypes.merge, accept)).status,
    );
    expect(await Promise.all(patched)).toEqual([404, 500]);
    const bogus = { includeObject: 'Bogus' };
    const codes = ['absent', 'a'].map(async (name) => (await fixture.get(`${pathOf(crd)}/${name}`, bogus, table)).status);
    expect(await Promise.all(codes)).toEqual([404, 400]);
  });

  test('show only values of their type', async () => {
    const crd = await withVersion({ additionalPrinterColumns: columns });
    const list = [{ x: 'a' }, { x: 'b', y: 'found' }];
    const specs: Record<string, object> = {
      near: { integer: 2.7, number: 3, string: 5, boolean: null, date: 'never', list: [] },
      right: { integer: 3, number: 1.5, string: 't', boolean: true, date: '2020-01-01T00:00:00Z', list },
      wrong: { integer: 'x', number: 'y', string: { a: 1 }, boolean: 'z', date: 5, list: {} },
    };
    for (const [name, spec] of Object.entries(specs)) {
      const object = instance(crd, name, { spec });
      if (name === 'right') object.metadata.annotations = { 'a.b/c': 'note' };
      await fixture.ok('POST', pathOf(crd), object);
    }
    const { rows } = (await fixture.get(pathOf(crd), {}, table)).json;
    expect(rows.map(({ cells }: Any) => cells)).toEqual([
      ['near', 2, 3, '5', null, '<invalid>', null, null, null, null],
      ['right', 3, 1.5, 't', true, expect.stringMatching(/^\d+y/), 'a', 'b', 'found', 'note'],
      ['wrong', null, null, '{"a":1}', null, null, null, null, null, null],
    ]);
  });

  test('that are invalid are rejected', async () => {
    const additionalPrinterColumns = [
      { name: 'a', type: 'foo', jsonPath: 'x' },
      { name: '', type: 'string', jsonPath: '.a' },
    ];
    const versions = [version('v1', { additionalPrinterColumns })];
    expect(causesOf(await fixture.send('POST', definitions, definition({ versions })))).toEqual([
      'spec.additionalPrinterColumns[0].type: Invalid value: "foo": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "x": must be a simple json path starting with .',
      'spec.additionalPrinterColumns[1].name: Required value',
    ]);
  });
});

describe('selectable fields', () => {
  const properties = {
    s: { type: 'string' },
    n: { type: 'integer' },
    list: { type: 'array', items: { type: 'string' } },
    object: { type: 'object' },
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };

  test('select the events of watches, by the old and the new object', async () => {
    const crd = await withVersion({ schema, selectableFields: [{ jsonPath: '.spec.s' }, { jsonPath: '.spec.n' }] });
    const path = pathOf(crd);
    const watch = await fixture.fixture.watch(path, { fieldSelector: 'spec.s=on,spec.n!=0' });
    await fixture.ok('POST', path, instance(crd, 'a', { spec: { s: 'on', n: 0 } }));
    await fixture.merge(`${path}/a`, { spec: { n: 1 } });
    await fixture.merge(`${path}/a`, { spec: { n: 2 } });
    await fixture.merge(`${path}/a`, { spec: { s: 'off' } });
    await fixture.ok('POST', path, instance(crd, 'b', { spec: { s: 'on' } }));
    await fixture.ok('DELETE', `${path}/b`);
    const events = await watch.take(5);
    watch.close();
    expect(events.map(({ type, object }) => `${type} ${object.metadata.name} ${object.spec.n}`)).toEqual([
      'ADDED a 1',
      'MODIFIED a 2',
      'DELETED a 2',
      'ADDED b undefined',
      'DELETED b undefined',
    ]);
  });

  test.each(['Namespaced', 'Cluster'] as const)('are the only ones besides the name and the namespace: %s', async (scope) => {
    const crd = await fixture.define({ scope });
    const response = async (field: string): Promise<unknown[]> => {
      const { status, json } = await fixture.get(pathOf(crd), { fieldSelector: `${field}=x` });
      return [status, json.message];
    };
    expect(await response('metadata.name')).toEqual([200, undefined]);
    expect(await response('spec.s')).toEqual([400, 'field label not supported: spec.s']);
    expect(await response('metadata.namespace')).toEqual(
      scope === 'Namespaced' ? [200, undefined] : [400, 'field label not supported: metadata.namespace'],
    );
  });

  test('have a simple type, occur once and are not in metadata', async () => {
    const names = ['.spec.list', '.spec.object', '.spec.absent', '.metadata.name', '.spec.s', '.spec.s'];
    const selectableFields = names.map((jsonPath) => ({ jsonPath }));
    const versions = [version('v1', { schema, selectableFields })];
    const type = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    const absent = 'is an invalid path: does not refer to a valid field';
    expect(causesOf(await fixture.send('POST', definitions, definition({ versions })))).toEqual([
      `spec.selectableFields[0].jsonPath: Invalid value: ".spec.list": ${type}`,
      `spec.selectableFields[1].jsonPath: Invalid value: ".spec.object": ${type}`,
      `spec.selectableFields[2].jsonPath: Invalid value: ".spec.absent": ${absent}`,
      `spec.selectableFields[3].jsonPath: Invalid value: ".metadata.name": ${absent}`,
      'spec.selectableFields[5].jsonPath: Duplicate value: ".spec.s"',
    ]);
  });
});

test('a webhook that fails ends a watch of the other version with its error and fails every write through it', async () => {
  const webhook = await ConversionWebhook.open((object) => object);
  try {
    const crd = await fixture.define({ versions: [version('v1'), version('v2')], conversion: webhook.conversion });
    const v2 = pathOf(crd, 'v2');
    const watch = await fixture.fixture.watch(v2, { resourceVersion: crd.metadata.resourceVersion });
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'a', { x: 1 }));
    expect((await watch.next())?.type).toBe('ADDED');
    webhook.respond = () => ({ status: 500, body: 'x' });
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'b', { x: 1 }));
    const failure = { code: 500, message: expect.stringContaining(`conversion webhook for ${crd.spec.group}/v`) };
    expect(await watch.next()).toMatchObject({ type: 'ERROR', object: failure });
    expect(await watch.next()).toBeUndefined();
    const apply = 'application/apply-patch+yaml';
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'd', { x: 1 }));
    const rejected = [
      await fixture.send('POST', v2, instance(crd, 'c', {}, 'v2')),
      await fixture.send('PATCH', `${v2}/a`, { x: 2 }, 'application/merge-patch+json'),
      await fixture.send('PATCH', `${v2}/a?fieldManager=f`, instance(crd, 'a', { x: 3 }, 'v2'), apply),
      await fixture.send('DELETE', `${v2}/d`),
      await fixture.get(v2, {}, table),
    ];
    for (const { json } of rejected) expect(json).toMatchObject(failure);
    expect((await fixture.ok('GET', pathOf(crd, 'v1'))).items).toHaveLength(3);
    webhook.respond = undefined;
    expect((await fixture.ok('GET', v2)).items).toHaveLength(3);
  } finally {
    await webhook.close();
  }
});
