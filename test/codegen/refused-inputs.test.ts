import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { importCommand } from '../../codegen/commands/import.ts';
import { isHandWritten, readOpenApiFile } from '../../codegen/import/openapi-file.ts';
import { normaliseSource, writeSchemas } from '../../codegen/import/write-schemas.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import { readOverlays } from '../../codegen/load/overlays.ts';
import { ProblemList, problemLine } from '../../codegen/load/schema-errors.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeloom-refused-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const kind = (name: string): object[] => [{ group: 'shop.example.com', version: 'v1', kind: name }];
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const document = (schemas: object, paths = {}): object => ({
  openapi: '3.0.0',
  info: {},
  paths,
  components: { schemas },
});
const order = { type: 'object', 'x-kubernetes-group-version-kind': kind('Order') };

const rows = [
  {
    what: 'metadata of a schema of its own',
    schemas: { Meta: { type: 'object' }, Order: { ...order, properties: { metadata: ref('Meta') } } },
    want: "#/components/schemas/Order/properties/metadata/$ref: the metadata of a kind is Kubernetes' ObjectMeta, not Meta: leave it out",
  },
  {
    what: 'metadata that adds to a schema of its own',
    schemas: { Meta: { type: 'object' }, Order: { ...order, properties: { metadata: { allOf: [ref('Meta')] } } } },
    want: "#/components/schemas/Order/properties/metadata/allOf/0/$ref: the metadata of a kind is Kubernetes' ObjectMeta, not Meta: leave it out",
  },
  {
    what: 'a kind as a member of another',
    schemas: {
      Order: { ...order, properties: { spec: { type: 'object', properties: { of: ref('Customer') } } } },
      Customer: { type: 'object', 'x-kubernetes-group-version-kind': kind('Customer') },
    },
    want: '#/components/schemas/Order/properties/spec/properties/of/$ref: Customer is a kind, which cannot be a member of another schema: give its members a schema without x-kubernetes-group-version-kind',
  },
];

describe('a document that cannot be honoured is refused with its line', () => {
  test.each(rows)('$what', async ({ schemas, want }) => {
    const file = join(folder, 'shop.json');
    await writeFile(file, JSON.stringify(document(schemas), null, 1));
    const message = await readOpenApiFile(file).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message.replace(/:\d+#/, ':N#')).toBe(`${file}:N${want}`);
    expect(message).not.toContain(':1#');
  });
});

test.each([
  { what: 'the paths of a web server', path: '/api/v1/applications', want: true },
  { what: 'the paths of its kinds', path: '/apis/shop.example.com/v1/namespaces/{namespace}/orders', want: false },
])('a document of several groups with $what', ({ path, want }) => {
  const other = { ...order, 'x-kubernetes-group-version-kind': [{ group: 'b.example.com', version: 'v1', kind: 'B' }] };
  expect(isHandWritten(document({ Order: order, B: other }, { [path]: { get: {} } }))).toBe(want);
});

/** Invalid overlays, with the place and the text of the error. */
const overlayRows: readonly (readonly [overlay: string, place: string, why: string])[] = [
  ['resorces: {}', ':1#/resorces', 'is unknown: there are writeRules, validatedByStrategies, types, resources, releases'],
  ['resources: { orders: { shortNames: o } }', ':1#/resources/orders/shortNames', 'is not a list'],
  ['resources: { orders: { categories: [1] } }', ':1#/resources/orders/categories/0', 'is not a string'],
  ['resources: { orders: { columns: {} } }', ':1#/resources/orders/columns', 'is not a list'],
  [
    'resources:\n  orders:\n    columns:\n      - { name: A, typ: integer }',
    ':4#/resources/orders/columns/0/typ',
    'is unknown: there are name, type, priority, undeclared, path, none, custom, description, format',
  ],
  [
    'resources:\n  orders:\n    columns:\n      - { name: A, type: int }',
    ':4#/resources/orders/columns/0/type',
    'is not one of string, integer, number, boolean, date',
  ],
  ...['[.spec.model]', 'spec.model'].map(
    (given) =>
      [
        `resources:\n  orders:\n    shortNames: [o]\n    selectableFields: ${given}`,
        ':4#/resources/orders/selectableFields',
        'is a map of labels to paths, as { spec.model: spec.model }',
      ] as const,
  ),
  ['resources: { orders: { scale: { specReplicas: spec.a } } }', ':1#/resources/orders/scale', 'lacks statusReplicas'],
  [
    'resources: { orders: { conversion: Converter } }',
    ':1#/resources/orders/conversion',
    'is not { strategy: Converter }, or { custom: <function> }',
  ],
  ['types: { Order: { rule: [] } }', ':1#/types/Order/rule', 'is unknown: there are defaults, rules, ownLimits, openEnums, keptEmpty'],
  [
    'types: { Order: { defaults: [{ field: spec, valu: 1 }] } }',
    ':1#/types/Order/defaults/0',
    'is not a default: { field, value }, { field, from } or { custom }',
  ],
];

describe('an overlay is refused with its line', () => {
  test.each(overlayRows)('%j', async (overlay, place, why) => {
    await mkdir(join(folder, 'shop.example.com'));
    await writeFile(join(folder, 'shop.example.com/v1.yaml'), `${overlay}\n`);
    const problems = new ProblemList();
    await readOverlays(folder, problems);
    const lines = problems.map((problem) => problem).map(problemLine);
    expect(lines).toEqual([`overlays/shop.example.com/v1.yaml${place}: ${why}`]);
  });

  test.each([
    ['columns: [{ name: Sum, path: spec.sum }]', 'columns/0', 'the schema has no spec.sum'],
    ['columns: [{ name: Sum }]', 'columns/0', 'the schema has no sum'],
    ['selectableFields: { spec.sum: spec.sum }', 'selectableFields/spec.sum', 'the schema has no spec.sum'],
    ['scale: { specReplicas: spec.count, statusReplicas: spec.no }', 'scale/statusReplicas', 'the schema has no spec.no'],
    ['storageVersion: v2', 'storageVersion', 'the versions of orders are v1'],
    ['conversion: { strategy: Converter }', 'conversion', 'orders has one version, which is stored: nothing is converted'],
  ])('a setting that has no effect: %s', async (setting, place, why) => {
    const file = join(folder, 'shop.json');
    const spec = { type: 'object', properties: { count: { type: 'integer' } } };
    await writeFile(file, JSON.stringify(document({ Order: { ...order, properties: { spec } } })));
    const out = join(folder, 'schemas');
    await writeSchemas(normaliseSource(await readOpenApiFile(file), 'shop'), out);
    await mkdir(join(folder, 'overlays/shop.example.com'), { recursive: true });
    await writeFile(join(folder, 'overlays/shop.example.com/v1.yaml'), `resources:\n  orders:\n    ${setting}\n`);
    await expect(loadModel(out, { overlays: join(folder, 'overlays') })).rejects.toThrow(
      `overlays/shop.example.com/v1.yaml:3#/resources/orders/${place}: ${why}`,
    );
  });
});

test.each([
  [{ pural: 'os' }, '/pural', 'is unknown: there are plural, scope, subresources, verbs'],
  [{ scope: 'cluster' }, '/scope', 'is not one of Namespaced, Cluster'],
  [{ subresources: ['stauts'] }, '/subresources/0', 'is not one of status, scale'],
  [{ verbs: 'create' }, '/verbs', 'is not a list'],
  ['orders', '', 'is not an object'],
])('x-kubeloom-resource as %j is refused', async (notes, place, why) => {
  const file = join(folder, 'shop.json');
  await writeFile(file, JSON.stringify(document({ Order: { ...order, 'x-kubeloom-resource': notes } }), null, 1));
  await expect(readOpenApiFile(file)).rejects.toThrow(`#/components/schemas/Order/x-kubeloom-resource${place}: ${why}`);
});

const proto = `syntax = "proto3";
// Orders of the shop.
package com.example.shop.v1;
import "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto";

/*
 * An order.
 */
message Order {
  k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta metadata = 1;
  OrderSpec spec = 2;
}

message OrderSpec {
  string item = 1 [json_name = "thing"];
  message Part {
    string name = 1;
  }
  repeated Part parts = 2;
}
`;
const upTo = (part: string): string => proto.slice(0, proto.indexOf(part) + part.length);

describe('an import names the files of its user, and their lines', () => {
  const list = { type: 'array', items: { type: 'string' } };
  const schema = (spec: object, more = {}): object => document({ Order: { ...order, properties: { spec } }, ...more });

  test.each<{ what: string; files: Record<string, string | object>; from?: string; more?: string[]; want: string[] }>([
    {
      what: 'a message that is cut off',
      files: { 'shop.proto': upTo('string item = 1') },
      want: ['FOLDER/shop.proto:14:19: message OrderSpec is not closed: the file has no } for it'],
    },
    {
      what: 'nested messages that are cut off',
      files: { 'proto/shop.proto': upTo('string name') },
      want: [
        'FOLDER/proto/shop.proto:14:19: message OrderSpec is not closed: the file has no } for it',
        'FOLDER/proto/shop.proto:16:16: message Part is not closed: the file has no } for it',
      ],
    },
    {
      what: 'options that are cut off',
      files: { 'shop.proto': upTo('[json_name') },
      want: [
        'FOLDER/shop.proto:14:19: message OrderSpec is not closed: the file has no } for it',
        'FOLDER/shop.proto:15:19: [ is not closed: the file has no ] for it',
      ],
    },
    {
      what: 'a comment that is cut off',
      files: { 'shop.proto': upTo('An order') },
      want: ['FOLDER/shop.proto:6:1: a comment is not closed: the file has no */ for it'],
    },
    {
      what: 'a message without its brace',
      files: { 'shop.proto': upTo('message OrderSp') },
      want: ['FOLDER/shop.proto:14:16: the file ends too early, after definition'],
    },
    {
      what: '.proto files beside a document',
      files: {
        'shop.json': schema({ type: 'string' }),
        'messages/shop.proto': proto.replace('string item', 'strin item'),
      },
      from: 'shop.json',
      more: ['--proto', 'FOLDER/messages'],
      want: ['FOLDER/messages/shop.proto:15:3: cannot find `strin` in this scope'],
    },
    {
      what: 'a field of which there is no JSON',
      files: { 'shop.proto': proto.replace('string item', 'float item') },
      want: ['FOLDER/shop.proto:15#/OrderSpec/item: Kubernetes has no JSON for a float: write double'],
    },
    {
      what: 'a message that contains itself',
      files: { 'shop.proto': proto.replace('string item = 1 [json_name = "thing"]', 'OrderSpec item = 1') },
      want: ['FOLDER/shop.proto:14#/OrderSpec: a schema cannot contain itself: OrderSpec -> OrderSpec'],
    },
    {
      what: 'a number that is a string in JSON',
      files: {
        'shop.proto': proto.replace('string item = 1 [json_name = "thing"]', 'int64 item = 1 [jstype = JS_STRING]'),
      },
      want: ['FOLDER/shop.proto:15#/OrderSpec/item: Kubernetes has no JSON for a number that is a string: write string'],
    },
    {
      what: 'a group, extensions',
      files: {
        'shop.proto': proto
          .replace('proto3', 'proto2')
          .replace(/^( +)(k8s|OrderSpec|string)/gm, '$1optional $2')
          .replace('optional string item = 1 [json_name = "thing"];', 'optional group Item = 1 { }')
          .replace('repeated Part', 'extensions 100 to 200; repeated Part'),
      },
      want: [
        'FOLDER/shop.proto:14#/OrderSpec: Kubernetes has no extensions: write them as fields',
        'FOLDER/shop.proto:15#/OrderSpec/item: Kubernetes has no JSON for a group: write a message, and a field of it',
      ],
    },
    {
      what: 'rules of another validator',
      files: {
        'shop.proto': proto.replace('\n\n/*', '\nimport "rules.proto";\n/*').replace('[json_name = "thing"]', '[(rules.max) = 3]'),
        'rules.proto':
          'syntax = "proto2"; package rules; import "google/protobuf/descriptor.proto"; extend google.protobuf.FieldOptions { optional int32 max = 1159; }',
      },
      want: [
        'FOLDER/shop.proto:15#/OrderSpec/item: Kubernetes has no JSON for rules of another validator: an overlay has rules, and OpenAPI has x-kubernetes-validations',
      ],
    },
    {
      what: 'a .proto file in place of its folder',
      files: { 'shop.proto': proto },
      from: 'shop.proto',
      want: ['kubeloom import: FOLDER/shop.proto is a .proto file: pass the folder that has all of them'],
    },
    {
      what: 'a schema that contains itself',
      files: { 'shop.json': schema(ref('Node'), { Node: { type: 'object', properties: { next: ref('Node') } } }) },
      from: 'shop.json',
      want: ['FOLDER/shop.json:N#/components/schemas/Node: a schema cannot contain itself: Node -> Node'],
    },
    {
      what: 'a schema that no value is valid for',
      files: { 'shop.json': schema({ allOf: [{ type: 'string' }, { type: 'integer' }] }) },
      from: 'shop.json',
      want: [
        'FOLDER/shop.json:N#/components/schemas/Order/properties/spec: no value is valid for all of allOf: type is both string and integer',
      ],
    },
    {
      what: 'an alternative with a default',
      files: { 'shop.json': schema({ ...list, anyOf: [{ maxItems: 1, default: [] }, { minItems: 3 }] }) },
      from: 'shop.json',
      want: ['FOLDER/shop.json:N#/components/schemas/Order: default has no effect in the alternatives of Order'],
    },
  ])('$what', async ({ files, from = '', more = [], want }) => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(folder, 'source', name, '..'), { recursive: true });
      const text = typeof content === 'string' ? content : JSON.stringify(content, null, 1);
      await writeFile(join(folder, 'source', name), text);
    }
    const source = join(folder, 'source');
    let said = '';
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += text;
      return true;
    });
    const flags = more.map((flag) => flag.replace('FOLDER', source));
    const code = await importCommand(['--from', join(source, from), ...flags, '--out', join(folder, 'out')]);
    jest.restoreAllMocks();
    const lines = said.split('\n').filter((line) => line !== '' && !/^(read|checking|\d+ problem)/.test(line));
    const got = lines.map((line) => line.replaceAll(source, 'FOLDER').replace(/(\.json):(?!1#)\d+#/, '$1:N#'));
    expect([code, got]).toEqual([1, want]);
    await expect(readdir(folder)).resolves.not.toContain('out');
  });
});
