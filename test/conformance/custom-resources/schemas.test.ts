import { describe, expect, test } from '@jest/globals';
import { type Any, conditionOf, DefinitionFixture, definition, definitions, instance, pathOf, version } from './definition-fixture.ts';

/** The effects of a schema on objects in requests and responses. */

const fixture = DefinitionFixture.forSuite();

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Creates a definition with this schema of spec. */
const withSpec = (spec: object, more: object = {}): Promise<Any> =>
  fixture.define({ versions: [version('v1', { schema: rootOf(spec), ...more })] });

const rootOf = (spec: object): object => ({ openAPIV3Schema: { type: 'object', properties: { spec } } });

const causesOf = ({ json }: { json?: Any }): string[] =>
  json.details.causes.map(({ reason, field, message }: Any) => `${reason} ${field}: ${message}`);

const create = (crd: Any, name: string, spec: unknown, query = '') =>
  fixture.send('POST', `${pathOf(crd)}${query}`, instance(crd, name, { spec }));

describe('an object that violates its schema', () => {
  test('is rejected with every cause and its path', async () => {
    const crd = await withSpec({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        size: { type: 'integer', minimum: 1 },
        color: { type: 'string', enum: ['red', 'blue'] },
        code: { type: 'string', pattern: '^[a-z]+$', maxLength: 3 },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port'],
          items: { type: 'object', required: ['port'], properties: { port: { type: 'integer' } } },
        },
      },
    });
    const response = await create(crd, 'bad', {
      size: 0,
      color: 'green',
      code: 'A',
      ports: [{ port: 1 }, { port: 1 }],
    });
    expect(response.status).toBe(422);
    expect(causesOf(response)).toEqual([
      'FieldValueInvalid spec.code: Invalid value: "A": spec.code in body should match \'^[a-z]+$\'',
      'FieldValueNotSupported spec.color: Unsupported value: "green": supported values: "red", "blue"',
      'FieldValueInvalid spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
      'FieldValueRequired spec.name: Required value',
      'FieldValueDuplicate spec.ports[1]: Duplicate value: {"port":1}',
    ]);
    expect(response.json.message).toMatch(/^Foo\.g\d+\.example\.com "bad" is invalid: \[spec\.code: Invalid value: "A": /);
    expect((await create(crd, 'good', { name: 'x', ports: [{ port: 1 }] })).status).toBe(201);
  });

  test('is rejected with a cause for a value of the wrong type', async () => {
    const crd = await withSpec({ type: 'object', properties: { size: { type: 'integer' } } });
    expect(causesOf(await create(crd, 'bad', { size: 'x' }))).toEqual([
      'FieldValueTypeInvalid spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    ]);
  });

  test('is matched by patterns in linear time', async () => {
    const crd = await withSpec({ type: 'object', properties: { text: { type: 'string', pattern: '^(a|a)*$' } } });
    expect((await create(crd, 'bad', { text: `${'a'.repeat(50_000)}b` })).status).toBe(422);
  });
});

test('integers beyond 2^53 and fractions keep their value', async () => {
  const crd = await withSpec({
    type: 'object',
    properties: { big: { type: 'integer', format: 'int64' }, part: { type: 'number' } },
  });
  const { apiVersion, kind } = instance(crd, 'x');
  const body = `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"x"},"spec":{"big":9007199254740993,"part":0.1}}`;
  expect((await fixture.send('POST', pathOf(crd), body)).status).toBe(201);
  expect((await fixture.get(`${pathOf(crd)}/x`)).body.toString()).toContain('"spec":{"big":9007199254740993,"part":0.1}');
});

describe('unknown fields', () => {
  const spec = {
    type: 'object',
    properties: {
      known: { type: 'string' },
      null: { type: 'string', nullable: true },
      open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: { spec: { type: 'object', properties: { a: { type: 'integer' } } } },
      },
    },
  };
  const template = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', zz: 1 }, spec: { a: 1, b: 2 }, other: 1 };
  const body = { known: null, null: null, more: 1, open: { any: [{ thing: null }] }, template };

  test('are pruned, also below preserved fields and in embedded resources, with a warning', async () => {
    const crd = await withSpec(spec);
    const response = await create(crd, 'x', body, '?fieldValidation=Warn');
    expect(response.status).toBe(201);
    expect(response.json.spec).toEqual({
      null: null,
      open: { any: [{ thing: null }] },
      template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { a: 1 } },
    });
    const warnings = String(response.headers.warning).match(/unknown field \\"([^"\\]+)/g);
    expect(warnings?.map((text) => text.slice('unknown field \\"'.length))).toEqual([
      'spec.more',
      'spec.template.other',
      'spec.template.spec.b',
      'spec.template.metadata.zz',
    ]);
  });

  test('are rejected if the client asks for it', async () => {
    const crd = await withSpec(spec);
    const response = await create(crd, 'x', { more: 1 }, '?fieldValidation=Strict');
    expect(response.status).toBe(400);
    expect(response.json.message).toContain('strict decoding error: unknown field "spec.more"');
  });

  test('are in the error of a patch, which shows the object as it was patched', async () => {
    const crd = await withSpec(spec);
    await create(crd, 'x', {});
    const patch = JSON.stringify({ spec: { template: { ...template, spec: { a: 1 } } } });
    const path = `${pathOf(crd)}/x?fieldValidation=Strict`;
    const { status, json } = await fixture.send('PATCH', path, patch, 'application/merge-patch+json');
    expect(status).toBe(422);
    expect(json.message).toContain(String.raw`\"metadata\":{\"name\":\"x\",\"zz\":1},\"other\":1`);
  });

  test('embedded metadata of the wrong type is rejected', async () => {
    const crd = await withSpec(spec);
    const labels = { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 1 } } };
    const response = await create(crd, 'x', { template: labels });
    expect(response.status).toBe(400);
    expect(response.json.message).toContain('spec.template.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number');
    const invalid = { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: '$' } } };
    expect(causesOf(await create(crd, 'x', { template: invalid }))[0]).toMatch(
      /^FieldValueInvalid spec\.template\.metadata\.labels: Invalid value: "\$": a valid label must be/,
    );
  });
});

test('defaults are set in writes, and in reads of objects stored before the defaults', async () => {
  const crd = await withSpec({
    type: 'object',
    properties: { a: { type: 'integer', default: 1 }, b: { type: 'integer' } },
  });
  expect((await create(crd, 'x', {})).json.spec).toEqual({ a: 1 });
  const schema = rootOf({
    type: 'object',
    properties: { a: { type: 'integer', default: 1 }, b: { type: 'integer', default: 2 } },
  });
  await fixture.merge(`${definitions}/${crd.metadata.name}`, { spec: { versions: [version('v1', { schema })] } });
  expect((await fixture.ok('GET', `${pathOf(crd)}/x`)).spec).toEqual({ a: 1, b: 2 });
  expect((await fixture.ok('GET', pathOf(crd))).items[0].spec).toEqual({ a: 1, b: 2 });
});

test('an invalid value that was stored earlier does not block an update as long as it does not change', async () => {
  const spec = (maximum: number) => ({
    type: 'object',
    properties: { n: { type: 'integer', maximum }, other: { type: 'string' } },
  });
  const crd = await withSpec(spec(10));
  await fixture.ok('POST', pathOf(crd), instance(crd, 'x', { spec: { n: 9 } }));
  const versions = [version('v1', { schema: rootOf(spec(3)) })];
  await fixture.merge(`${definitions}/${crd.metadata.name}`, { spec: { versions } });
  expect(await fixture.merge(`${pathOf(crd)}/x`, { spec: { other: 'y' } })).toMatchObject({
    spec: { n: 9, other: 'y' },
  });
  const patch = { spec: { n: 8 } };
  const response = await fixture.send('PATCH', `${pathOf(crd)}/x`, patch, 'application/merge-patch+json');
  expect(causesOf(response)).toEqual(['FieldValueInvalid spec.n: Invalid value: 8: spec.n in body should be less than or equal to 3']);
});

test('a write of the status validates the status and not the spec', async () => {
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { n: { type: 'integer' } } },
      status: { type: 'object', properties: { phase: { type: 'string', enum: ['Up'] } } },
    },
  };
  const crd = await fixture.define({
    versions: [version('v1', { schema: { openAPIV3Schema }, subresources: { status: {} } })],
  });
  await fixture.ok('POST', pathOf(crd), instance(crd, 'x', { spec: {} }));
  const put = (phase: string) => fixture.send('PATCH', `${pathOf(crd)}/x/status`, { status: { phase } }, 'application/merge-patch+json');
  expect((await put('Up')).json.status).toEqual({ phase: 'Up' });
  expect(causesOf(await put('Down'))).toEqual(['FieldValueNotSupported status.phase: Unsupported value: "Down": supported values: "Up"']);
});

test('columns show the values at their paths', async () => {
  const additionalPrinterColumns = [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Ready', type: 'string', jsonPath: '.spec.conditions[?(@.type=="Ready")].status' },
    { name: 'All', type: 'string', jsonPath: '.spec.conditions', priority: 1 },
    { name: 'Since', type: 'date', jsonPath: '.spec.since' },
  ];
  const crd = await withSpec({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, { additionalPrinterColumns });
  const conditions = [
    { type: 'Other', status: 'False' },
    { type: 'Ready', status: 'True' },
  ];
  await create(crd, 'x', { size: 3, conditions, since: 'yesterday' });
  await create(crd, 'y', {});
  const { columnDefinitions, rows } = (await fixture.get(pathOf(crd), {}, table)).json;
  expect(columnDefinitions.map(({ name, priority }: Any) => [name, priority])).toEqual([
    ['Name', 0],
    ['Size', 0],
    ['Ready', 0],
    ['All', 1],
    ['Since', 0],
  ]);
  expect(rows.map(({ cells }: Any) => cells)).toEqual([
    ['x', 3, 'True', '[{"status":"False","type":"Other"},{"status":"True","type":"Ready"}]', '<invalid>'],
    ['y', null, null, null, null],
  ]);
});

describe('rules', () => {
  const rules = (...all: object[]): object => ({
    type: 'object',
    properties: { n: { type: 'integer' }, name: { type: 'string', maxLength: 10 } },
    'x-kubernetes-validations': all,
  });

  test('fail with their message, reason and path', async () => {
    const crd = await withSpec(
      rules(
        { rule: 'self.n > 1' },
        { rule: 'self.n > 2', message: 'more, please', reason: 'FieldValueForbidden', fieldPath: '.n' },
        { rule: 'self.n > 3', messageExpression: '"not " + self.name' },
      ),
    );
    expect(causesOf(await create(crd, 'x', { n: 1, name: 'enough' }))).toEqual([
      'FieldValueInvalid spec: Invalid value: failed rule: self.n > 1',
      'FieldValueForbidden spec.n: Forbidden: more, please',
      'FieldValueInvalid spec: Invalid value: not enough',
    ]);
    expect((await create(crd, 'x', { n: 4 })).status).toBe(201);
  });

  test('do not run on structurally invalid objects', async () => {
    const crd = await withSpec(rules({ rule: 'self.n > 1' }));
    expect(causesOf(await create(crd, 'x', { n: 'x' }))).toEqual([
      'FieldValueTypeInvalid spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"',
      'FieldValueInvalid <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  test('of transitions see the old value', async () => {
    const crd = await withSpec(rules({ rule: 'self.n >= oldSelf.n', message: 'only up' }));
    await fixture.ok('POST', pathOf(crd), instance(crd, 'x', { spec: { n: 2 } }));
    const path = `${pathOf(crd)}/x`;
    const response = await fixture.send('PATCH', path, { spec: { n: 1 } }, 'application/merge-patch+json');
    expect(causesOf(response)).toEqual(['FieldValueInvalid spec: Invalid value: only up']);
    expect((await fixture.merge(path, { spec: { n: 3 } })).spec.n).toBe(3);
  });
});

describe('a definition is rejected', () => {
  test('with the causes at the paths of the internal type that upstream validates', async () => {
    const crd = definition({
      versions: [version('v1', { schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } } })],
      names: { shortNames: ['F'] },
    });
    const response = await fixture.send('POST', definitions, crd);
    expect(response.status).toBe(422);
    expect(causesOf(response).map((text) => text.split(': ').slice(0, 2).join(': '))).toEqual([
      'FieldValueInvalid spec.names.shortNames[0]: Invalid value',
      'FieldValueRequired spec.validation.openAPIV3Schema.properties[spec].type: Required value',
    ]);
  });

  test('for a rule that does not compile', async () => {
    const spec = { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.zzz' }] };
    const response = await fixture.send('POST', definitions, definition({ versions: [version('v1', { schema: rootOf(spec) })] }));
    expect(response.json.message).toContain("compilation failed: ERROR: <input>:1:5: undefined field 'zzz'");
  });

  test('for another scope or kind once it is established', async () => {
    const crd = await fixture.define();
    const response = await fixture.send(
      'PATCH',
      `${definitions}/${crd.metadata.name}`,
      { spec: { scope: 'Cluster', names: { kind: 'Bar' } } },
      'application/merge-patch+json',
    );
    expect(causesOf(response)).toEqual([
      'FieldValueInvalid spec.scope: Invalid value: "Cluster": field is immutable',
      'FieldValueInvalid spec.names.kind: Invalid value: "Bar": field is immutable',
    ]);
  });
});

test('OpenAPI documents have numbers beyond 2^53', async () => {
  const big = '9007199254740993';
  const spec = { type: 'object', properties: { exact: { type: 'integer' }, double: { type: 'integer' } } };
  const crd = definition({ versions: [version('v1', { schema: rootOf(spec) })] });
  const text = JSON.stringify(crd)
    .replace('"exact":{', `"exact":{"default":${big},"enum":[${big}],`)
    .replace('"double":{', `"double":{"minimum":${big},"maximum":${big},"multipleOf":${big},`);
  await fixture.ok('POST', definitions, text);
  await fixture.until(`${definitions}/${crd.metadata.name}`, (one) => conditionOf(one, 'Established')?.status === 'True');
  const double = '"maximum":9007199254740992,"minimum":9007199254740992,"multipleOf":9007199254740992';
  for (const [path, ...wanted] of [
    ['/openapi/v2', double, `"enum":[${big}]`],
    [`/openapi/v3/apis/${crd.spec.group}/v1`, double, `"enum":[${big}]`, `"default":${big}`],
  ]) {
    const { status, body } = await fixture.get(path);
    expect(status).toBe(200);
    for (const one of wanted) expect(body.toString()).toContain(one);
  }
});
