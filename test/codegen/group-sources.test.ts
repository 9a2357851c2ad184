import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
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

const meta = 'k8s.io.apimachinery.pkg.apis.meta.v1';
const shop = `syntax = "proto3";
package com.example.shop.v1;
import "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto";
import "common.proto";
message Order {
  ${meta}.ObjectMeta metadata = 1;
  OrderSpec spec = 2;
}
message OrderSpec {
  message Line {
    string article = 1;
    optional uint32 count = 2;
  }
  repeated Line lines = 1;
  repeated int64 numbers = 2;
  map<string, Line> gifts = 3;
  oneof payment {
    string card = 4;
    com.example.common.v1.Money cash = 5;
  }
  ${meta}.Time due_at = 6;
  bytes seal = 7;
  double weight = 8 [json_name = "grams"];
  bool paid = 9;
}
`;
const common = `syntax = "proto3";
package com.example.common.v1;
message Money { uint64 cents = 1; repeated double rates = 2; }
`;

describe('a group from a single source', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: RunningServer;
  let http: HttpClient;

  /** Returns the package generated from a source. */
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
    await mkdir(join(folder.path, 'shop'));
    await writeFile(join(folder.path, 'shop/shop.proto'), shop);
    await writeFile(join(folder.path, 'shop/common.proto'), common);
    const groups = [
      await groupOf(await readProtoFolder(protos), 'library'),
      await groupOf(await readProtoFolder(join(folder.path, 'shop')), 'shop'),
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

  const orders = '/apis/shop.example.com/v1/namespaces/default/orders';
  const spec = {
    lines: [{ article: 'a', count: 0 }, {}],
    numbers: [1, -2, 9007199254740991],
    gifts: { b: { article: 'c' } },
    cash: { cents: 5, rates: [0.5] },
    due_at: '2026-01-02T03:04:05Z',
    seal: 'AQID',
    grams: 1.5,
    paid: true,
  };

  test('proto3: nested messages, maps, oneofs, presence and other packages survive both encodings', async () => {
    const made = await send('POST', orders, { metadata: { name: 'one' }, spec });
    expect([made.status, made.json.message, made.json.spec]).toEqual([201, undefined, spec]);
    const wire = await as(`${orders}/one`, protobuf);
    expect((await http.send('PUT', `${orders}/one`, wire.body, protobuf)).json).toEqual(made.json);
    const both = await send('POST', orders, { metadata: { name: 'two' }, spec: { card: 'x', cash: {} } });
    expect([both.status, both.json.reason]).toEqual([422, 'Invalid']);
    expect((await send('POST', orders, { metadata: { name: 'two' }, spec: { lines: [{ count: -1 }] } })).status).toBe(400);
  });

  test('proto3: packed lists are read', async () => {
    const numbers = new BinaryWriter().int64(7).int64(-8).finish();
    const order = new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .bytes(new BinaryWriter().tag(1, WireType.LengthDelimited).string('packed').finish())
      .tag(2, WireType.LengthDelimited)
      .bytes(new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(numbers).finish())
      .finish();
    const typeMeta = new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .string('shop.example.com/v1')
      .tag(2, WireType.LengthDelimited)
      .string('Order')
      .finish();
    const unknown = new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .bytes(typeMeta)
      .tag(2, WireType.LengthDelimited)
      .bytes(order)
      .finish();
    const made = await http.send('POST', orders, Buffer.concat([Buffer.from('k8s\0'), unknown]), protobuf);
    expect([made.status, made.json.spec]).toEqual([201, { numbers: [7, -8] }]);
  });

  test('.proto: fields of which Kubernetes has no JSON are refused with their lines', async () => {
    const fields: readonly (readonly [field: string, why: string])[] = [
      ['float f', 'a float: write double'],
      ['repeated sint64 f', 'a sint64: write int64'],
      ['map<string, fixed32> f', 'a fixed32: write uint32'],
      ['map<int32, string> f', 'a map whose keys are no strings'],
      ['E f', 'an enum: write string'],
      ['google.protobuf.Timestamp f', `google.protobuf.Timestamp: write ${meta}.Time`],
      ['google.protobuf.Struct f', 'google.protobuf.Struct: write k8s.io.apimachinery.pkg.runtime.RawExtension'],
      ['google.protobuf.StringValue f', 'google.protobuf.StringValue: write an optional scalar'],
    ];
    const refused = join(folder.path, 'refused');
    await mkdir(refused);
    const text = [
      'syntax = "proto3"; package com.example.refused.v1;',
      'import "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto";',
      ...['timestamp', 'struct', 'wrappers'].map((name) => `import "google/protobuf/${name}.proto";`),
      `enum E { A = 0; } message M { ${meta}.ObjectMeta metadata = 1;`,
      ...fields.map(([field], index) => `${field}${index} = ${index + 2};`),
      '}',
    ];
    await writeFile(join(refused, 'refused.proto'), text.join('\n'));
    const failure = await readProtoFolder(refused).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(failure.split('\n')).toEqual(
      fields.map(([, why], index) => `${refused}/refused.proto:${index + 7}#/M/f${index}: Kubernetes has no JSON for ${why}`),
    );
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

  test('.proto files without kinds, or that do not compile, are rejected', async () => {
    const bare = join(folder.path, 'bare');
    await mkdir(bare);
    const file = join(bare, 'm.proto');
    await writeFile(file, 'syntax = "proto2"; package a.v1; message M { optional string f = 1; }');
    await expect(readProtoFolder(bare)).rejects.toThrow("has no message with Kubernetes' ObjectMeta as metadata");
    await writeFile(file, 'message {');
    await expect(readProtoFolder(bare)).rejects.toThrow('m.proto:1:');
  });
});
