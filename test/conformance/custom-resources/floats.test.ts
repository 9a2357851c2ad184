import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Any, DefinitionFixture, instance, pathOf, version } from './definition-fixture.ts';

/**
 * Go distinguishes 5.0 and 1e3 from 5 and 1000 until they are stored. The responses are those of
 * apiextensions-apiserver.
 */

const fixture = DefinitionFixture.forSuite();
const merge = 'application/merge-patch+json';
const ops = 'application/json-patch+json';
const integer = { type: 'integer' };
const number = { type: 'number' };
const rule = { 'x-kubernetes-validations': [{ rule: 'self < 5' }] };
const list = { type: 'array', maxItems: 5 };

const spec = {
  type: 'object',
  properties: {
    replicas: integer,
    integer,
    number,
    text: { type: 'string' },
    flag: { type: 'boolean' },
    object: { type: 'object' },
    least: { ...number, minimum: 1.5 },
    halves: { ...number, multipleOf: 0.5 },
    choice: { ...number, enum: [1, 2.5] },
    ruled: { ...integer, ...rule },
    set: { ...list, 'x-kubernetes-list-type': 'set', items: number },
    map: {
      ...list,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', required: ['k'], properties: { k: integer } },
    },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
    either: { 'x-kubernetes-int-or-string': true },
  },
};
const status = { type: 'object', properties: { replicas: integer, number } };
const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status } } };
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

let crd: Any;
beforeAll(async () => {
  crd = await fixture.define({ versions: [version('v1', { schema, subresources: { status: {}, scale } })] });
});

let names = 0;
const body = (members: string, metadata = ''): string => {
  const { apiVersion, kind } = instance(crd, '');
  return JSON.stringify({ apiVersion, kind }).slice(0, -1).concat(`,"metadata":{"name":"n${names++}"${metadata}},"spec":${members}}`);
};
const create = (members: string, contentType?: string) => fixture.send('POST', pathOf(crd), body(members), contentType);
const notInt64 = (field: string, text: string): string =>
  `${field}: Invalid value: 0: ${field} accessor error: ${text} is of the type float64, expected int64`;

describe('a body', () => {
  test.each([
    ['{"integer":1.0}', { integer: 1 }],
    ['{"integer":1e3}', { integer: 1000 }],
    ['{"number":-0.0}', { number: 0 }],
    ['{"halves":1.0}', { halves: 1 }],
    ['{"choice":1.0}', { choice: 1 }],
    ['{"either":1.0}', { either: 1 }],
    ['{"set":[1,1.0]}', { set: [1, 1] }],
    ['{"map":[{"k":1},{"k":1.0}]}', { map: [{ k: 1 }, { k: 1 }] }],
    ['{"any":[1.0,{"a":2e1}]}', { any: [1, { a: 20 }] }],
  ])('with %s is accepted', async (members, want) => {
    const { status: code, json } = await create(members);
    expect([code, json.spec]).toEqual([201, want]);
  });

  test.each([
    ['{"replicas":5.0}', notInt64('.spec.replicas', '5')],
    ['{"replicas":1e3}', notInt64('.spec.replicas', '1000')],
    ['{"replicas":-0.0}', notInt64('.spec.replicas', '-0')],
    ['{"text":1.0}', 'spec.text: Invalid value: "number": spec.text in body must be of type string: "number"'],
    ['{"flag":1e0}', 'spec.flag: Invalid value: "number": spec.flag in body must be of type boolean: "number"'],
    ['{"object":1.0}', 'spec.object: Invalid value: "number": spec.object in body must be of type object: "number"'],
    ['{"least":1.0}', 'spec.least: Invalid value: 1: spec.least in body should be greater than or equal to 1.5'],
    ['{"choice":2e6}', 'spec.choice: Unsupported value: 2e+06: supported values: "1", "2.5"'],
    ['{"set":[1.0,1e0]}', 'spec.set[1]: Duplicate value: 1'],
    ['{"ruled":1.0}', 'spec.ruled: Invalid value: "integer": invalid data, expected int, got float64 evaluating rule: self < 5'],
  ])('with %s is refused', async (members, want) => {
    const { status: code, json } = await create(members);
    expect([code, json.message]).toEqual([422, expect.stringContaining(want)]);
  });

  test.each(['{"replicas":5.0,"least":2.0}', 'replicas: 1e3'])('in YAML has integers: %s', async (members) => {
    expect((await create(`{${members.replace(/[{}]/g, '')}}`, 'application/yaml')).status).toBe(201);
  });

  test.each([
    [',"generation":5.0', 201],
    [',"labels":{"a":1.0}', 400],
    [',"finalizers":1.0', 400],
  ])('with metadata %s is answered %i', async (metadata, want) => {
    expect((await fixture.send('POST', pathOf(crd), body('{}', metadata))).status).toBe(want);
  });
});

describe('a change', () => {
  let path: string;
  beforeAll(async () => {
    const { metadata } = (await create('{"replicas":1,"integer":1}')).json;
    path = `${pathOf(crd)}/${metadata.name}`;
  });

  test.each([
    [merge, '{"spec":{"replicas":5.0}}'],
    [ops, '[{"op":"add","path":"/spec/replicas","value":5e0}]'],
    [ops, '[{"op":"add","path":"/spec/any","value":5.0},{"op":"copy","from":"/spec/any","path":"/spec/replicas"}]'],
  ])('by %s %s is refused', async (type, patch) => {
    const { status: code, json } = await fixture.send('PATCH', path, patch, type);
    expect([code, json.message]).toEqual([422, expect.stringContaining(notInt64('.spec.replicas', '5'))]);
  });

  test('from 1 to 1.0 increases the generation each time', async () => {
    const { metadata } = await fixture.ok('GET', path);
    for (const more of [1, 2]) {
      const changed = await fixture.ok('PATCH', path, '{"spec":{"integer":1.0}}', merge);
      expect(changed.metadata.generation).toBe(metadata.generation + more);
    }
  });

  test('of the status to 2.0 is refused for replicas, and writes nothing the second time', async () => {
    const refused = await fixture.send('PATCH', `${path}/status`, '{"status":{"replicas":2.0}}', merge);
    expect(refused.json.message).toContain(notInt64('.status.replicas', '2'));
    const first = await fixture.ok('PATCH', `${path}/status`, '{"status":{"number":2}}', merge);
    const second = await fixture.ok('PATCH', `${path}/status`, '{"status":{"number":2.0}}', merge);
    expect(second.metadata).toEqual(first.metadata);
  });

  test('that adds 1.0 is not equal to 1', async () => {
    const patch = '[{"op":"add","path":"/spec/integer","value":1.0},{"op":"test","path":"/spec/integer","value":1}]';
    expect((await fixture.send('PATCH', path, patch, ops)).json.message).toContain('the server rejected our request');
  });

  test('that cannot be decoded is shown as it was written', async () => {
    const { json } = await fixture.send('PATCH', path, '{"metadata":1.0}', merge);
    expect(json.message).toContain(String.raw`\"metadata\":1.0,`);
    expect(json.message).toContain(': json: cannot unmarshal number into Go value of type v1.ObjectMeta');
  });

  test('by an apply has integers', async () => {
    const { apiVersion, kind } = instance(crd, '');
    const config = `{"apiVersion":"${apiVersion}","kind":"${kind}","spec":{"replicas":7.0}}`;
    const applied = await fixture.ok('PATCH', `${path}?fieldManager=t&force=true`, config, 'application/apply-patch+yaml');
    expect(applied.spec.replicas).toBe(7);
  });

  test.each([
    // upstream finds no kind to word the error of a body
    [
      'PUT',
      (text: string) => `{"metadata":{"name":"NAME"},"spec":{"replicas":${text}}}`,
      undefined,
      'no kind is registered for the type v1.Scale',
    ],
    [
      'PATCH',
      (text: string) => `{"spec":{"replicas":${text}}}`,
      merge,
      'json: cannot unmarshal number 5.0 into Go struct field ScaleSpec.spec.replicas of type int32',
    ],
  ])('by %s of the scale must be an integer', async (method, scaled, type, message) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const send = (text: string) => fixture.send(method, `${path}/scale`, scaled(text).replace('NAME', name), type);
    expect((await send('5.0')).json.message).toContain(message);
    expect((await send('5')).status).toBe(200);
  });
});
