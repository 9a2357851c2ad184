import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emitAll } from '../../codegen/emit/index.ts';
import { readOpenApiFile } from '../../codegen/import/openapi-file.ts';
import { normaliseSource, writeSchemas } from '../../codegen/import/write-schemas.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import { keywordNames } from '../../codegen/load/user-schemas/keywords.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import type { ApiGroup } from '../../runtime/machinery/api-group.ts';
import { compile, temporaryFolder } from '../support/generated-project.ts';
import { HttpClient } from '../support/http-client.ts';
import { honoured, refused, type Schema } from './keywords.table.ts';

/** The forms of a document, given the schemas of kinds. */
const documents: Record<string, (schemas: Record<string, Schema>) => object> = {
  'OpenAPI 3.0': (schemas) => ({ openapi: '3.0.3', info, components: { schemas } }),
  'OpenAPI 3.1': (schemas) => ({ openapi: '3.1.0', info, components: { schemas } }),
  'Swagger 2.0': (schemas) => ({ swagger: '2.0', info, definitions: inSwagger(schemas) }),
};
const forms = [...Object.keys(documents), 'CRD'] as const;
const info = { title: 'Keywords', version: 'v1' };

const inSwagger = (schemas: object): object =>
  JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/definitions/')) as object;

/** `oa30.example.com`, one group for each form. */
const groupOf = (form: string): string => `${form.toLowerCase().replace(/[^a-z0-9]/g, '')}.example.com`;
/** The rows are members of one kind. */
const member = (row: number): string => `row${row}`;

/** Returns a row's schema in a form; undefined if the form cannot express it. */
const schemaIn = (row: (typeof honoured)[number], form: string): Schema | undefined => {
  const own = row.in?.[form];
  return own === null ? undefined : (own ?? row.schema);
};

/** Returns the schemas of all rows that a form can express. */
const membersIn = (form: string): Record<string, Schema> =>
  Object.fromEntries(
    honoured.flatMap((row, index) => {
      const schema = schemaIn(row, form);
      return schema === undefined || (form === 'CRD' && row.components) ? [] : [[member(index), schema] as const];
    }),
  );

describe('every keyword of a schema is honoured or refused', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: RunningServer;
  let http: HttpClient;

  async function groupFor(form: string): Promise<ApiGroup> {
    const gvk = { group: groupOf(form), version: 'v1', kind: 'Row' };
    const row = { type: 'object', properties: membersIn(form), 'x-kubernetes-group-version-kind': [gvk] };
    const schemas: Record<string, Schema> = Object.assign({ Row: row }, ...honoured.map(({ components }) => components));
    const name = groupOf(form).split('.')[0];
    const file = join(folder.path, `${name}.json`);
    await writeFile(file, JSON.stringify(documents[form](schemas)));
    const out = join(folder.path, 'schemas', name);
    await writeSchemas(normaliseSource(await readOpenApiFile(file), name), out);
    await emitAll(await loadModel(out), { out: folder.path, schemas: out });
    const entry = pathToFileURL(join(folder.path, name, 'index.ts')).href;
    return ((await import(entry)) as { default: ApiGroup }).default;
  }

  const definition = (): object => {
    const group = groupOf('CRD');
    const openAPIV3Schema = { type: 'object', properties: membersIn('CRD') };
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `rows.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'rows', kind: 'Row' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    };
  };

  beforeAll(async () => {
    folder = await temporaryFolder('keywords');
    const groups: ApiGroup[] = [];
    for (const form of Object.keys(documents)) groups.push(await groupFor(form));
    server = await startServer({ groups, builtin: false });
    http = HttpClient.for(server);
    const crds = (await server.client()).apiextensions.v1.customresourcedefinitions;
    await crds.create(definition() as never);
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
    await folder?.remove();
  });

  test('generated code compiles', async () => {
    expect(await compile(folder.path)).toBe('');
  });

  const post = async (form: string, index: number, value: unknown) => {
    const group = groupOf(form);
    const path = `/apis/${group}/v1/namespaces/default/rows`;
    const metadata = { generateName: 'x' };
    const object = {
      apiVersion: `${group}/v1`,
      kind: 'Row',
      metadata,
      ...(value === undefined ? {} : { [member(index)]: value }),
    };
    return http.send('POST', path, JSON.stringify(object), 'application/json');
  };

  const cells = honoured.flatMap((row, index) =>
    forms
      .filter((form) => schemaIn(row, form) !== undefined && !(form === 'CRD' && row.components))
      .map((form) => ({ keyword: row.keyword, form, row, index })),
  );
  test.each(cells)('$keyword in $form', async ({ form, row, index }) => {
    for (const value of row.accepts) {
      const { status, json } = await post(form, index, value);
      expect([status, json.message, value]).toEqual([201, undefined, value]);
      expect(json[member(index)]).toEqual(row.becomes ?? value);
    }
    for (const value of row.refuses) {
      const { status, json } = await post(form, index, value);
      expect([status, json.reason, value]).toEqual([422, 'Invalid', value]);
    }
  });

  test.each(Object.keys(documents))('%s: a keyword that is not honoured is refused with its line', async (form) => {
    const schemas: Record<string, Schema> = {
      Thing: {
        type: 'object',
        properties: Object.fromEntries(refused.map(({ schema }, index) => [`p${index}`, schema])),
        'x-kubernetes-group-version-kind': [{ group: 'refused.example.com', version: 'v1', kind: 'Thing' }],
      },
    };
    const file = join(folder.path, 'refused.json');
    await writeFile(file, JSON.stringify(documents[form](schemas), null, 1));
    const failure = await readOpenApiFile(file).then(
      () => '',
      (error: Error) => error.message,
    );
    const at = form === 'Swagger 2.0' ? '#/definitions/Thing' : '#/components/schemas/Thing';
    const want = refused.map(({ keyword, why }, index) => `${at}/properties/p${index}${keyword}: ${why}`);
    const got = failure.split('\n').map((line) => line.replace(/^.*refused\.json:\d+/, ''));
    expect(got).toEqual(want);
    expect(failure).toMatch(/refused\.json:\d+#/);
  });

  test('the table has every keyword', () => {
    const text = JSON.stringify([honoured, refused]);
    expect(keywordNames.filter((name) => !text.includes(`"${name}":`))).toEqual(['x-kubernetes-group-version-kind']);
  });
});
