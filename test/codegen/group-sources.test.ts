import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emitAll } from '../../codegen/emit/index.ts';
import { readOpenApiFile } from '../../codegen/import/openapi-file.ts';
import { readProtoFolder } from '../../codegen/import/proto-folder.ts';
import type { ImportSource } from '../../codegen/import/source.ts';
import { normaliseSource, writeSchemas } from '../../codegen/import/write-schemas.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import type { ApiGroup } from '../../runtime/machinery/api-group.ts';
import { root, temporaryFolder } from '../support/generated-project.ts';
import { HttpClient, type HttpResponse } from '../support/http-client.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const pet = `
openapi: 3.0.0
info: { title: Zoo, version: v1 }
components:
  schemas:
    Pet:
      properties:
        spec: { type: object, properties: { legs: { type: integer, format: int64 } } }
      x-kubernetes-group-version-kind: [{ group: zoo.example.com, version: v1, kind: Pet }]
`;

describe('a group from a single source', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: RunningServer;
  let http: HttpClient;

  /** The package that is generated from a source. */
  async function groupOf(source: ImportSource, name: string): Promise<ApiGroup> {
    const schemas = join(folder.path, 'schemas', name);
    await writeSchemas(normaliseSource(source, name), schemas);
    await emitAll(await loadModel(schemas), { out: folder.path, schemas });
    const entry = pathToFileURL(join(folder.path, name, 'index.ts')).href;
    return ((await import(entry)) as { default: ApiGroup }).default;
  }

  beforeAll(async () => {
    folder = await temporaryFolder('group-sources');
    const protos = join(folder.path, 'proto');
    await cp(join(root, 'schemas/examples/library/proto/example.com'), join(protos, 'example.com'), {
      recursive: true,
    });
    await writeFile(join(folder.path, 'zoo.yaml'), pet);
    const groups = [
      await groupOf(await readProtoFolder(protos), 'library'),
      await groupOf(await readOpenApiFile(join(folder.path, 'zoo.yaml')), 'zoo'),
    ];
    server = await startServer({ groups, builtin: false, featureGates: ['CBORServingAndStorage=true'] });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
    await folder?.remove();
  });

  const send = (method: string, path: string, body: object, type = 'application/json'): Promise<HttpResponse> =>
    http.send(method, path, JSON.stringify(body), type);
  const as = (path: string, accept: string): Promise<HttpResponse> => http.get(path, { headers: { accept } });

  test('.proto: the kinds are those with metadata, in every version; JSON and protobuf agree', async () => {
    const { json } = await http.get('/apis/library.example.com/v1');
    expect(json.resources.map(({ name }: { name: string }) => name)).toEqual(['books', 'branches', 'branches/status']);
    const books = '/apis/library.example.com/v1/namespaces/default/books';
    const spec = { title: 'T', pages: 3, shelf: '3b', weight: '1500m', authors: ['B', 'A'], notes: { a: '1' } };
    const made = await send('POST', books, { metadata: { name: 'one' }, spec });
    expect([made.status, made.json.spec]).toEqual([201, spec]);
    const wire = await as(`${books}/one`, protobuf);
    expect(wire.headers['content-type']).toBe(protobuf);
    expect((await http.send('PUT', `${books}/one`, wire.body, protobuf)).json).toEqual(made.json);
    const older = await http.get('/apis/library.example.com/v1beta1/namespaces/default/books/one');
    expect(older.json.spec).toEqual(spec);
  });

  test('OpenAPI: JSON, YAML and CBOR, and no protobuf', async () => {
    const pets = '/apis/zoo.example.com/v1/namespaces/default/pets';
    expect((await send('POST', pets, { metadata: { name: 'one' }, spec: { legs: 4 } })).status).toBe(201);
    expect((await as(`${pets}/one`, 'application/yaml')).body.toString()).toContain('legs: 4');
    const cbor = await as(`${pets}/one`, 'application/cbor');
    expect([cbor.status, cbor.headers['content-type']]).toEqual([200, 'application/cbor']);
    expect((await as(`${pets}/one`, protobuf)).status).toBe(406);
    expect((await as(`${pets}/one`, `${protobuf},application/json`)).json.spec).toEqual({ legs: 4 });
  });

  test('.proto files without kinds, or with fields that JSON cannot represent, are rejected', async () => {
    const bare = join(folder.path, 'bare');
    await cp(join(folder.path, 'proto'), bare, { recursive: true });
    const file = join(bare, 'example.com/library/v1beta1/library.proto');
    await writeFile(file, 'syntax = "proto2"; package a.v1; message M { optional float f = 1; }');
    await writeFile(join(bare, 'example.com/library/v1/library.proto'), 'syntax = "proto2"; package b.v1;');
    await expect(readProtoFolder(bare)).rejects.toThrow("has no message with Kubernetes' ObjectMeta as metadata");
    const meta = '.k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta';
    const text = `syntax = "proto2"; package a.v1; import "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto";
      message M { optional ${meta} metadata = 1; optional float f = 2; }`;
    await writeFile(file, text);
    await expect(readProtoFolder(bare)).rejects.toThrow('Kubernetes has no JSON for the field');
    await writeFile(file, 'message {');
    await expect(readProtoFolder(bare)).rejects.toThrow();
  });
});
