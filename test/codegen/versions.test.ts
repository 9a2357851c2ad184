import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateFrom } from '../../codegen/commands/generate.ts';
import { importCommand } from '../../codegen/commands/import.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import type { AnyConverter, ApiGroup } from '../../runtime/machinery/api-group.ts';
import { compile, temporaryFolder } from '../support/generated-project.ts';
import { HttpClient, type HttpResponse } from '../support/http-client.ts';

const widget = (version: string, spec: object): object => ({
  type: 'object',
  required: ['spec'],
  properties: { spec: { type: 'object', properties: spec } },
  'x-kubernetes-group-version-kind': [{ group: 'shop.example.com', version, kind: 'Widget' }],
});

const document = {
  openapi: '3.0.0',
  info: { title: 'Shop', version: 'v1' },
  components: {
    schemas: {
      'v1.Widget': widget('v1', { width: { type: 'integer' }, height: { type: 'integer', default: 1 } }),
      'v1beta1.Widget': widget('v1beta1', { size: { type: 'string' } }),
    },
  },
};

interface V1 {
  apiVersion: string;
  spec?: { width?: number; height?: number };
}
interface Beta {
  apiVersion: string;
  spec?: { size?: string };
}

/** Replaces the next conversion. */
let instead: ((object: object) => object) | undefined;

const v1beta1 = {
  toStorage(object: Beta): V1 {
    if (instead !== undefined) return instead(object) as V1;
    const [width, height] = (object.spec?.size ?? '').split('x').filter(Boolean).map(Number);
    return { ...object, apiVersion: 'shop.example.com/v1', spec: { width, height } };
  },
  fromStorage({ spec: { width, height } = {}, ...rest }: V1): Beta {
    const size = [width, height].filter((each) => each !== undefined).join('x');
    return { ...rest, apiVersion: 'shop.example.com/v1beta1', spec: { size } };
  },
} as AnyConverter;

type Entry = (strategies: object, conversions: object) => ApiGroup;

describe('a group with two versions whose schemas differ', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let entry: Entry;
  let server: RunningServer;
  let http: HttpClient;

  const schemas = (): string => join(folder.path, 'schemas');
  const generated = async (): Promise<Entry> => {
    await generateFrom(schemas(), join(folder.path, 'generated'), {}, undefined);
    const index = pathToFileURL(join(folder.path, 'generated/widgets/index.ts')).href;
    return ((await import(index)) as { widgets: Entry }).widgets;
  };
  const at = (version: string, name = ''): string => `/apis/shop.example.com/${version}/namespaces/default/widgets${name && `/${name}`}`;
  const send = (method: string, path: string, body: object, type = 'application/json'): Promise<HttpResponse> =>
    http.send(method, path, JSON.stringify(body), type);
  const beta = (name: string, size: string): object => ({
    apiVersion: 'shop.example.com/v1beta1',
    kind: 'Widget',
    metadata: { name },
    spec: { size },
  });

  beforeAll(async () => {
    folder = await temporaryFolder('versions');
    const file = join(folder.path, 'widgets.json');
    await writeFile(file, JSON.stringify(document));
    expect(await importCommand(['--from', file, '--out', schemas(), '--release', 'widgets'])).toBe(0);
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
    await folder?.remove();
  });

  test('is not generated without a line that promises a converter', async () => {
    const refused = await generated().catch((error: Error) => error.message);
    expect(refused).toContain('widgets.v1beta1.shop.example.com differs from v1');
    expect(refused).toContain('spec.size: string in v1beta1, absent in v1');
    expect(refused).toContain('spec.width: absent in v1beta1, integer in v1');
    expect(refused).toContain('widgets: { conversion: { strategy: Converter } }');
  });

  test('is not served without its converter', async () => {
    const overlays = join(schemas(), 'overlays/shop.example.com');
    await mkdir(overlays, { recursive: true });
    await writeFile(join(overlays, 'v1beta1.yaml'), 'resources:\n  widgets: { conversion: { strategy: Converter } }\n');
    entry = await generated();
    await expect(startServer({ groups: [entry({}, { widgets: {} })], builtin: false })).rejects.toThrow(
      'widgets.shop.example.com: v1beta1 and v1 have different schemas, and the group has no converter',
    );
    server = await startServer({ groups: [entry({}, { widgets: { v1beta1 } })], builtin: false });
    http = HttpClient.for(server);
  });

  test('compiles', async () => {
    expect(await compile(join(folder.path, 'generated'))).toBe('');
  });

  test('converts what is written and read at either version', async () => {
    const made = await send('POST', at('v1beta1'), beta('one', '3x4'));
    expect([made.status, made.json.spec]).toEqual([201, { size: '3x4' }]);
    expect((await http.get(at('v1', 'one'))).json.spec).toEqual({ width: 3, height: 4 });
    const list = await http.get(at('v1beta1'));
    expect(list.json.items[0].spec).toEqual({ size: '3x4' });
    for (const version of ['v1beta1', 'v1']) {
      const { json } = await http.get(at(version, 'one'));
      const path = `${at(version, 'one')}?fieldValidation=Strict`;
      const replaced = await send('PUT', path, json);
      expect([replaced.status, replaced.json.spec]).toEqual([200, json.spec]);
    }
  });

  test('keeps the fields of v1 when a label is patched at v1beta1', async () => {
    const patch = { metadata: { labels: { a: 'b' } } };
    const patched = await send('PATCH', at('v1beta1', 'one'), patch, 'application/merge-patch+json');
    expect([patched.status, patched.json.spec]).toEqual([200, { size: '3x4' }]);
    const { json } = await http.get(at('v1', 'one'));
    expect([json.spec, json.metadata.labels]).toEqual([{ width: 3, height: 4 }, { a: 'b' }]);
  });

  test('fills in the defaults of the stored version', async () => {
    const made = await send('POST', at('v1beta1'), beta('low', '7'));
    expect([made.status, (await http.get(at('v1', 'low'))).json.spec]).toEqual([201, { width: 7, height: 1 }]);
  });

  test('applies at v1beta1, and records fields at that version', async () => {
    const path = `${at('v1beta1', 'applied')}?fieldManager=me&force=true`;
    for (const size of ['1x2', '5x6']) {
      const applied = await send('PATCH', path, beta('applied', size), 'application/apply-patch+yaml');
      expect([applied.status < 300, applied.json.spec]).toEqual([true, { size }]);
    }
    const { json } = await http.get(at('v1', 'applied'));
    expect(json.spec).toEqual({ width: 5, height: 6 });
    expect(json.metadata.managedFields[0]).toMatchObject({ apiVersion: 'shop.example.com/v1beta1', manager: 'me' });
  });

  test.each<[string, (object: object) => object, string]>([
    [
      'an exception',
      () => {
        throw new Error('no such size');
      },
      'no such size',
    ],
    ['another version', (object) => object, 'the converter returned apiVersion shop.example.com/v1beta1'],
    ['another name', (o) => ({ ...o, apiVersion: 'shop.example.com/v1', metadata: { name: 'x' } }), 'same name'],
    ['an unknown field', (o) => ({ ...o, apiVersion: 'shop.example.com/v1' }), 'unknown field "spec.size"'],
    ['nothing', () => undefined as never, 'the converter returned no object'],
  ])('answers 500 and changes nothing after %s', async (_what, change, message) => {
    const before = (await http.get(at('v1', 'one'))).json;
    const { json } = await http.get(at('v1beta1', 'one'));
    instead = change;
    const answer = await send('PUT', at('v1beta1', 'one'), { ...json, spec: { size: '8x8' } });
    instead = undefined;
    expect([answer.status, answer.json.reason]).toEqual([500, 'InternalError']);
    expect(answer.json.message).toContain(message);
    expect((await http.get(at('v1', 'one'))).json).toEqual(before);
  });
});
