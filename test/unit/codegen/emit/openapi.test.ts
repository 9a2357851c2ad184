import { describe, expect, test } from '@jest/globals';
import { documentHash, documentText } from '../../../../codegen/emit/openapi-document.ts';
import { serveV2 } from '../../../../codegen/emit/openapi-v2.ts';
import { serveV3 } from '../../../../codegen/emit/openapi-v3.ts';
import type { OpenApiDocument, Operation, Parameter, Schema } from '../../../../codegen/load/openapi.ts';
import type { ApiModel, TypeModel } from '../../../../codegen/model/model.ts';
import { field, scalar, type } from '../model-fixture.ts';

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const query = (name: string, type = 'string'): Parameter => ({
  name,
  in: 'query',
  schema: { type, uniqueItems: true },
});
const read = (operationId: string, parameters: Parameter[] = []): Operation => ({
  operationId,
  parameters,
  responses: {
    200: {
      description: 'OK',
      content: { 'application/yaml': { schema: ref('W') }, 'application/json': { schema: ref('W') } },
    },
    401: { description: 'Unauthorized' },
  },
  'x-kubernetes-action': 'get',
});

function documentOf(schemas: Record<string, Schema>, paths: OpenApiDocument['paths'] = {}): OpenApiDocument {
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version: 'unversioned' }, paths, components: { schemas } };
}

type Served = { paths: Record<string, Record<string, never>>; definitions: Record<string, Schema>; parameters: object };
const v2 = (document: OpenApiDocument): Served => serveV2([serveV3(document, model())]) as unknown as Served;

const model = (types: readonly TypeModel[] = []): Pick<ApiModel, 'release' | 'types'> => ({
  release: 'v1.35',
  types: new Map(types.map((type) => [type.id, type])),
});

describe('the v3 document', () => {
  test('is that of the schemas, under the name of the release', () => {
    const given = documentOf({ W: { type: 'object', description: 'mine' } }, { '/w': { get: read('readW') } });
    const served = serveV3(given, model());
    expect(served).toMatchObject({ ...given, info: { title: 'Kubernetes', version: '1.35' } });
    expect(served.components).toHaveProperty('securitySchemes.BearerToken');
  });

  test('has no media types of CBOR, which is off by default', () => {
    const types = ['application/cbor', 'application/apply-patch+cbor', 'application/cbor-seq', 'application/yaml'];
    const content = Object.fromEntries(types.map((one) => [one, { schema: ref('W') }]));
    const responses = { 200: { description: 'OK', content } };
    const given = documentOf({}, { '/w': { get: { ...read('readW'), requestBody: { content }, responses } } });
    const { get } = serveV3(given, model()).paths['/w'];
    const want = { 'application/yaml': { schema: ref('W') } };
    expect([get?.requestBody?.content, get?.responses?.[200].content]).toEqual([want, want]);
  });

  const text: Schema = { type: 'string' };
  const enums: [string, Schema, Schema][] = [
    ['of a string', { ...text, default: '' }, { ...text, default: '', enum: ['X', 'Y'] }],
    ['of the elements of a list', { type: 'array', items: text }, { type: 'array', items: { ...text, enum: ['X', 'Y'] } }],
    [
      'of the values of a map',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: { ...text, enum: ['X', 'Y'] } },
    ],
    ['as the schema has them', { ...text, enum: ['Z'] }, { ...text, enum: ['Z'] }],
  ];
  test.each(enums)('has the values of an enum %s', (_, given, want) => {
    const fields = [field('a', scalar('string'), { enum: ['Y', 'X'] }), field('b', scalar('string'))];
    const W = type('', 'W', fields, { id: 'W' });
    const served = serveV3(documentOf({ W: { type: 'object', properties: { a: given, b: text } } }), model([W]));
    expect(served.components?.schemas?.W.properties).toEqual({ a: want, b: text });
  });

  test('is compact, with a line for each path and schema', () => {
    const text = documentText(documentOf({ A: { type: 'object' }, B: { type: 'string' } }, { '/a': {}, '/b': {} }));
    const lines = text.split('\n');
    expect(lines).toContain('"A":{"type":"object"},');
    expect(lines).toContain('"/b":{}');
    expect(JSON.parse(text)).toMatchObject({ components: { schemas: { B: { type: 'string' } } } });
  });

  test('has the sha512 of its bytes as its hash', () => {
    expect(documentHash('abc')).toMatch(/^DDAF35A1[0-9A-F]{120}$/);
  });
});

describe('the v2 document', () => {
  const schemas: [string, Schema, Schema][] = [
    ['a reference has no other members', { allOf: [ref('X')], default: {} }, { $ref: '#/definitions/X' }],
    ['defaults are omitted', { type: 'string', default: '' }, { type: 'string' }],
    [
      'a union is a string',
      { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
      { format: 'int-or-string', type: 'string' },
    ],
    [
      'extensions stay',
      { type: 'array', items: ref('X'), 'x-kubernetes-list-type': 'set' } as Schema,
      { type: 'array', items: { $ref: '#/definitions/X' }, 'x-kubernetes-list-type': 'set' } as Schema,
    ],
    ['a schema of anything does not change', {}, {}],
  ];
  test.each(schemas)('%s', (_, given, want) => {
    const { definitions } = v2(documentOf({ W: { type: 'object', properties: { a: given } } }));
    expect(definitions.W).toEqual({ type: 'object', properties: { a: want } });
  });

  test('has media types in the order of upstream', () => {
    const { paths } = v2(documentOf({}, { '/w': { get: read('readW') } }));
    expect(paths['/w'].get).toEqual({
      consumes: ['*/*'],
      produces: ['application/json', 'application/yaml'],
      schemes: ['https'],
      operationId: 'readW',
      responses: {
        200: { description: 'OK', schema: { $ref: '#/definitions/W' } },
        401: { description: 'Unauthorized' },
      },
      'x-kubernetes-action': 'get',
    });
  });

  test('shares parameters, except for those that kubectl looks for', () => {
    const { paths, parameters: shared } = v2(documentOf({}, { '/a': { get: read('a', [query('pretty'), query('fieldValidation')]) } }));
    expect(shared).toEqual({ 'pretty-J9qGRGDH': { uniqueItems: true, type: 'string', name: 'pretty', in: 'query' } });
    expect((paths['/a'].get as { parameters: unknown }).parameters).toEqual([
      { $ref: '#/parameters/pretty-J9qGRGDH' },
      { uniqueItems: true, type: 'string', name: 'fieldValidation', in: 'query' },
    ]);
  });

  test.each([
    ['DeleteOptions', false, 'body-2Y1dVQaQ'],
    ['Patch', true, 'body-78PwaGsr'],
  ])('names the shared body %s as upstream, by its hash', (type, required, want) => {
    const content = { '*/*': { schema: ref(`io.k8s.apimachinery.pkg.apis.meta.v1.${type}`) } };
    const { parameters } = v2(documentOf({}, { '/w': { put: { ...read('w'), requestBody: { content, required } } } }));
    expect(Object.keys(parameters)).toEqual([want]);
  });

  test('says that the list of resources consumes what it returns', () => {
    const { paths } = v2(documentOf({}, { '/apis/w/v1/': { get: read('getWV1APIResources') } }));
    expect(paths['/apis/w/v1/'].get).toMatchObject({ consumes: ['application/json', 'application/yaml'] });
  });

  test('has the body among the parameters', () => {
    const content = {
      'application/apply-patch+yaml': { schema: ref('P') },
      'application/json-patch+json': { schema: ref('P') },
    };
    const patch = { ...read('patchW'), requestBody: { content, required: true } };
    const { paths } = v2(documentOf({}, { '/w': { patch } }));
    expect(paths['/w'].patch).toMatchObject({
      consumes: ['application/json-patch+json', 'application/apply-patch+yaml'],
      parameters: [{ in: 'body', name: 'body', required: true, schema: { $ref: '#/definitions/P' } }],
    });
  });
});
