import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emitAll } from '../../codegen/emit/index.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import type { ApiGroup } from '../../runtime/machinery/api-group.ts';
import { root, temporaryFolder } from '../support/generated-project.ts';
import { HttpClient, type HttpResponse } from '../support/http-client.ts';
import { Kubectl, testKubectl } from '../support/kubectl.ts';

const schemas = join(root, 'schemas/examples/library');
const protobuf = 'application/vnd.kubernetes.protobuf';
const of = (version: string, resource: string, name = ''): string =>
  `/apis/library.example.com/${version}/namespaces/default/${resource}${name && `/${name}`}`;

describe("a generated API group beside Kubernetes' groups", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let group: ApiGroup;
  let server: RunningServer;
  let http: HttpClient;

  beforeAll(async () => {
    folder = await temporaryFolder('example-served');
    const model = await loadModel(schemas, { overlays: join(schemas, 'overlays') });
    await emitAll(model, { out: folder.path, schemas });
    const entry = pathToFileURL(join(folder.path, 'library/index.ts')).href;
    group = ((await import(entry)) as { default: ApiGroup }).default;
    server = await startServer({ groups: [group] });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
    await folder?.remove();
  });

  const send = (method: string, path: string, body: object, type = 'application/json'): Promise<HttpResponse> =>
    http.send(method, path, JSON.stringify(body), type);
  const book = (name: string, spec: object): object => ({
    apiVersion: 'library.example.com/v1',
    kind: 'Book',
    metadata: { name },
    spec,
  });
  const branch = (name: string, spec: object, more: object = {}): object => ({
    apiVersion: 'library.example.com/v1',
    kind: 'Branch',
    metadata: { name },
    spec,
    ...more,
  });

  test('discovery has both groups and both versions', async () => {
    const { json } = await http.get('/apis');
    const groups = new Map(json.groups.map((group: { name: string }) => [group.name, group]));
    expect(groups.has('apps')).toBe(true);
    expect(groups.get('library.example.com')).toMatchObject({
      preferredVersion: { groupVersion: 'library.example.com/v1', version: 'v1' },
      versions: [{ version: 'v1' }, { version: 'v1beta1' }],
    });
    const list = await http.get('/apis/library.example.com/v1');
    expect(list.json.resources.map(({ name }: { name: string }) => name)).toEqual([
      'books',
      'branches',
      'branches/scale',
      'branches/status',
    ]);
  });

  test('OpenAPI v3 and v2 have it and all other groups', async () => {
    const { paths } = (await http.get('/openapi/v3')).json;
    const document = (await http.get(paths['apis/library.example.com/v1'].serverRelativeURL)).json;
    expect(document.components.schemas['com.example.library.v1.BookSpec'].required).toEqual(['title']);
    const v2 = (await http.get('/openapi/v2')).json;
    expect(v2.definitions).toHaveProperty(['com.example.library.v1beta1.Book']);
    expect(v2.definitions).toHaveProperty(['io.k8s.api.core.v1.Pod']);
    expect(v2.paths).toHaveProperty([of('v1', 'books').replace('default', '{namespace}')]);
  });

  test('one object is served in both versions', async () => {
    const made = await send('POST', of('v1beta1', 'branches'), {
      ...branch('both', {}),
      apiVersion: 'library.example.com/v1beta1',
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ apiVersion: 'library.example.com/v1beta1', spec: { desks: 1 } });
    const read = (await http.get(of('v1', 'branches', 'both'))).json;
    expect(read).toEqual({ ...made.json, apiVersion: 'library.example.com/v1' });
    await send('PATCH', of('v1', 'branches', 'both'), { spec: { address: 'A' } }, 'application/merge-patch+json');
    const list = (await http.get(of('v1beta1', 'branches'))).json;
    expect(list).toMatchObject({ apiVersion: 'library.example.com/v1beta1', kind: 'BranchList' });
    expect(list.items).toEqual([expect.objectContaining({ spec: { address: 'A', desks: 1 } })]);
    expect((await http.send('DELETE', of('v1beta1', 'branches', 'both'))).status).toBe(200);
    expect((await http.get(of('v1', 'branches', 'both'))).status).toBe(404);
  });

  test('status and spec are written separately', async () => {
    await send('POST', of('v1', 'branches'), branch('parts', { desks: 2 }, { status: { openDesks: 9 } }));
    const path = of('v1', 'branches', 'parts');
    expect((await http.get(path)).json).not.toHaveProperty('status');
    const reported = await send('PUT', `${path}/status`, branch('parts', { desks: 7 }, { status: { openDesks: 1 } }));
    expect(reported.json).toMatchObject({
      metadata: { generation: 1 },
      spec: { desks: 2 },
      status: { openDesks: 1 },
    });
    const wanted = await send('PUT', path, branch('parts', { desks: 3 }));
    expect(wanted.json).toMatchObject({
      metadata: { generation: 2 },
      spec: { desks: 3 },
      status: { openDesks: 1 },
    });
  });

  test('the scale subresource shows and changes replicas', async () => {
    const status = { openDesks: 2, selector: 'a=b' };
    await send('POST', of('v1', 'branches'), branch('scaled', { desks: 4 }));
    const path = of('v1', 'branches', 'scaled');
    await send('PUT', `${path}/status`, branch('scaled', {}, { status }));
    const scale = (await http.get(`${path}/scale`)).json;
    expect(scale).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      spec: { replicas: 4 },
      status: { replicas: 2, selector: 'a=b' },
    });
    expect((await send('PUT', `${path}/scale`, { ...scale, spec: { replicas: 0 } })).status).toBe(200);
    expect((await http.get(path)).json).toMatchObject({ spec: { desks: 0 }, status });
  });

  test('round-trips through protobuf', async () => {
    const spec = {
      title: '',
      isbn: '978-0123456789',
      pages: 12,
      shelf: '3b',
      weight: '1500m',
      authors: ['B', 'A'],
      chapters: [{ name: 'one', firstPage: 1 }, { name: 'two' }],
      notes: { z: '1', a: '' },
      cover: 'AQID',
      published: '2026-01-02T03:04:05Z',
    };
    const made = (await send('POST', of('v1', 'books'), book('wire', spec))).json;
    expect(made.spec).toEqual({ ...spec, binding: 'Paperback' });
    const path = of('v1', 'books', 'wire');
    const wire = await http.get(path, { headers: { accept: protobuf } });
    expect(wire.headers['content-type']).toBe(protobuf);
    expect(wire.body.subarray(0, 4).toString('latin1')).toBe('k8s\0');
    const put = await http.send('PUT', path, wire.body, protobuf);
    expect([put.status, put.json]).toEqual([200, made]);
  });

  test('Tables have the columns of the overlay', async () => {
    await send('POST', of('v1', 'books'), book('table', { title: 'T', pages: 7 }));
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { json } = await http.get(of('v1', 'books', 'table'), { headers: { accept } });
    expect(json.kind).toBe('Table');
    expect(json.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'Title', 'Pages', 'Binding', 'Age']);
    expect(json.rows[0].cells.slice(0, 4)).toEqual(['table', 'T', 7, 'Paperback']);
  });

  test('lists are merged by their keys, and objects are selected by their fields', async () => {
    await send('POST', of('v1', 'books'), book('merge', { title: 'M', binding: 'Audio', chapters: [{ name: 'one' }] }));
    const patch = { spec: { chapters: [{ name: 'one', firstPage: 2 }, { name: 'two' }] } };
    const type = 'application/strategic-merge-patch+json';
    const { json } = await send('PATCH', of('v1', 'books', 'merge'), patch, type);
    expect(json.spec.chapters).toEqual([{ name: 'one', firstPage: 2 }, { name: 'two' }]);
    const heard = (await http.get(`${of('v1', 'books')}?fieldSelector=spec.binding%3DAudio`)).json;
    expect(heard.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['merge']);
  });

  test.each([
    [{}, 'spec.title: Required value'],
    [{ title: 'T', binding: 'Vinyl' }, 'spec.binding: Unsupported value: "Vinyl": supported values: "Hardcover", "Paperback", "Audio"'],
    [{ title: 'T', pages: 0 }, 'spec.pages: Invalid value: 0: spec.pages in body should be greater than or equal to 1'],
    [{ title: 'T', authors: ['A', 'A'] }, 'spec.authors[1]: Duplicate value: "A"'],
    [{ title: 'T', chapters: [{ name: 'a' }, { name: 'a' }] }, 'spec.chapters[1]: Duplicate value: {"name":"a"}'],
    [{ title: 'T', chapters: [{}] }, 'spec.chapters[0].name: Required value'],
  ])('rejects %j', async (spec, why) => {
    const { status, json } = await send('POST', of('v1', 'books'), book('bad', spec));
    expect([status, json.message]).toEqual([422, `Book.library.example.com "bad" is invalid: ${why}`]);
  });

  test('rejects a book without a spec, and one with a field of the wrong type', async () => {
    const { spec: _, ...bare } = book('bad', {}) as { spec: object };
    expect((await send('POST', of('v1', 'books'), bare)).json.message).toBe(
      'Book.library.example.com "bad" is invalid: spec: Required value',
    );
    expect((await send('POST', of('v1', 'books'), book('bad', { title: 1 }))).json).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: expect.stringContaining('cannot unmarshal number into Go struct field BookSpec.spec.title of type string'),
    });
  });

  test('two catalogs with one group-version are rejected', async () => {
    await expect(startServer({ groups: [group, group] })).rejects.toThrow('two catalogs have the group-version library.example.com/v1');
  });

  testKubectl('kubectl works with it', async () => {
    const kubectl = await Kubectl.for(server.kubeconfig);
    try {
      const names = await kubectl.ok(['api-resources', '--api-group=library.example.com', '--no-headers']);
      expect(names.trim().split('\n')).toEqual([
        expect.stringMatching(/^books +bk +library.example.com\/v1 +true +Book$/),
        expect.stringMatching(/^branches +br +library.example.com\/v1 +true +Branch$/),
      ]);
      await kubectl.ok(['apply', '-f', '-'], { stdin: JSON.stringify(book('k', { title: 'K', pages: 3 })) });
      expect(await kubectl.ok(['get', 'bk', 'k', '-o', 'wide', '--no-headers'])).toMatch(/^k +K +3 +Paperback +\d+[ms]/);
      const explained = await kubectl.ok(['explain', 'books.spec.chapters']);
      expect(explained).toMatch(/FIELD: chapters <\[\]Chapter>/);
      expect(explained).toMatch(/name\s+<string> -required-/);
      await kubectl.ok(['apply', '-f', '-'], { stdin: JSON.stringify(branch('k', {})) });
      await kubectl.ok(['scale', 'branch', 'k', '--replicas=6']);
      expect(await kubectl.ok(['get', 'br', 'k', '-o', 'jsonpath={.spec.desks}'])).toBe('6');
      await kubectl.ok(['delete', 'bk,br', 'k']);
    } finally {
      await kubectl.close();
    }
  });
});
