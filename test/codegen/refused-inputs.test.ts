import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isHandWritten, readOpenApiFile } from '../../codegen/import/openapi-file.ts';
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

test.each([
  { given: '[.spec.model]', want: true },
  { given: 'spec.model', want: true },
  { given: '{ spec.model: spec.model }', want: false },
])('selectable fields as $given', async ({ given, want }) => {
  await mkdir(join(folder, 'shop.example.com'));
  await writeFile(
    join(folder, 'shop.example.com/v1.yaml'),
    `resources:\n  orders:\n    shortNames: [o]\n    selectableFields: ${given}\n`,
  );
  const problems = new ProblemList();
  await readOverlays(folder, problems);
  expect(problems.map((problem) => problem).map(problemLine)).toEqual(
    want
      ? [
          'overlays/shop.example.com/v1.yaml:4#/resources/orders/selectableFields: is a map of labels to paths, as { spec.model: spec.model }',
        ]
      : [],
  );
});
