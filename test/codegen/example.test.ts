import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emitAll } from '../../codegen/emit/index.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import type { ClientOptions } from '../../runtime/client/options.ts';
import { startServer } from '../../runtime/index.ts';
import type { Catalog } from '../../runtime/machinery/catalog.ts';
import { PruneContext } from '../../runtime/machinery/prune/context.ts';
import type { ResourceDefinition } from '../../runtime/machinery/resource.ts';
import { Field } from '../../runtime/machinery/validation/field.ts';
import type { FieldError } from '../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../runtime/machinery/validation/field-path.ts';
import { compile, root, temporaryFolder } from '../support/generated-project.ts';
import type { TestObject } from '../support/test-object.ts';

const schemas = join(root, 'schemas/examples/library');

/** A program with the generated client. Lines that must not compile are marked. */
const program = `
import { createClient } from './library/client.ts';
import type { Book } from './library/library.example.com/v1/types.ts';

export async function main(): Promise<string[]> {
  const client = createClient({ server: 'https://127.0.0.1:1' });
  const books = client.library.v1.books;
  const book: Book = await books.namespace('x').create({ metadata: { name: 'a' }, spec: { title: 'A', shelf: '3b' } });
  await books.namespace('x').update({ ...book, spec: { ...book.spec, pages: 3, shelf: 4, binding: 'Audio' } });
  for await (const event of books.watch({ labelSelector: 'a=b' })) console.log(event.type, event.object.spec.title);
  const scale = await client.library.v1.branches.namespace('x').getScale('b');
  console.log(scale.spec?.replicas);
  await client.library.v1beta1.branches.namespace('x').patchStatus('b', { status: { openDesks: 1 } }, { type: 'merge' });
  // @ts-expect-error a book has a title
  await books.namespace('x').create({ metadata: { name: 'a' }, spec: {} });
  // @ts-expect-error a page count is a number
  await books.namespace('x').update({ ...book, spec: { title: 'A', pages: 'three' } });
  // @ts-expect-error writing takes a namespace
  await books.delete('a');
  // @ts-expect-error books have no status
  await books.namespace('x').updateStatus(book);
  client.close();
  return (await books.list({ limit: 10 })).items.map((item) => item.metadata.name ?? '');
}
`;

/** The part of the generated client in the test below. The program above checks its types. */
interface LibraryClient {
  readonly library: Readonly<Record<'v1' | 'v1beta1', { readonly branches: { namespace(name: string): Branches } }>>;
  close(): void;
}

interface Branches {
  create(object: object): Promise<object>;
  get(name: string): Promise<object>;
  getScale(name: string): Promise<object>;
  updateScale(scale: object): Promise<object>;
  patchStatus(name: string, patch: object, options: object): Promise<object>;
}

describe('a generated API group', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let catalog: Catalog;

  beforeAll(async () => {
    folder = await temporaryFolder('example');
    const model = await loadModel(schemas, { overlays: join(schemas, 'overlays') });
    await emitAll(model, { out: folder.path, schemas });
    await writeFile(join(folder.path, 'program.ts'), program);
    const entry = pathToFileURL(join(folder.path, 'library/catalog.ts')).href;
    catalog = ((await import(entry)) as { catalog: Catalog }).catalog;
  });
  afterAll(() => folder.remove());

  async function definition(version: string, resource: string): Promise<ResourceDefinition> {
    const groupVersion = catalog.groupVersions.find((each) => each.version === version);
    const found = (await groupVersion?.load())?.find((each) => each.resource === resource);
    if (!found) throw new Error(`no ${resource} in ${version}`);
    return found;
  }

  test('compiles, and its client rejects wrong types', async () => {
    expect(await compile(folder.path)).toBe('');
  });

  test('has its group-versions, the preferred one first', () => {
    const names = catalog.groupVersions.map(({ group, version }) => `${group}/${version}`);
    expect(names).toEqual(['library.example.com/v1', 'library.example.com/v1beta1']);
  });

  test('reads, prunes and rejects objects', async () => {
    const { type } = await definition('v1', 'books');
    const book = {
      apiVersion: 'library.example.com/v1',
      kind: 'Book',
      metadata: { name: 'a' },
      spec: { title: 'A', odd: 1 },
    };
    const context = new PruneContext({ collectUnknown: true });
    expect(type.prune(book, context)).toMatchObject({ metadata: { name: 'a' }, spec: { title: 'A' } });
    expect(context.strictErrors).toEqual(['unknown field "spec.odd"']);
    expect(() => type.prune({ ...book, spec: { title: 1 } }, new PruneContext())).toThrow('cannot unmarshal number');
  });

  test('prints its columns', async () => {
    const { columns } = await definition('v1', 'books');
    const book: TestObject = {
      metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { title: 'A', pages: 7 },
    };
    const now = Date.parse('2026-01-01T00:00:30Z');
    expect(columns.map((column) => [column.name, column.cell(book, now)])).toEqual([
      ['Name', 'a'],
      ['Title', 'A'],
      ['Pages', 7],
      ['Binding', ''],
      ['Age', '30s'],
    ]);
  });

  test('has a scale and a status', async () => {
    const { subresources } = await definition('v1', 'branches');
    expect(subresources.map(({ name, gvk }) => [name, gvk.kind])).toEqual([
      ['scale', 'Scale'],
      ['status', 'Branch'],
    ]);
    expect(subresources[0].type?.kind).toBe('Scale');
    expect(subresources[0].scale?.specReplicas).toBe('spec.desks');
  });

  test('stores one version and serves both', async () => {
    const old = await definition('v1beta1', 'branches');
    expect(old.storageVersion).toBe((await definition('v1', 'branches')).storageVersion);
    const branch = {
      apiVersion: 'library.example.com/v1beta1',
      kind: 'Branch',
      metadata: { name: 'b' },
      spec: { desks: 2 },
    };
    const stored = old.conversion.toStorage(branch);
    expect(stored.apiVersion).toBe(`library.example.com/${old.storageVersion}`);
    expect(old.conversion.fromStorage(stored)).toEqual(branch);
  });

  test('accepts a valid object', async () => {
    const { type } = await definition('v1', 'books');
    const errors: FieldError[] = [];
    type.validate({ metadata: { name: 'a' }, spec: { title: 'A' } } as TestObject, Field.at(FieldPath.root, errors));
    expect(errors).toEqual([]);
  });

  test('is served, and used through its own client', async () => {
    const server = await startServer({ builtin: { catalog, strategies: {} } });
    const { createClient } = (await import(pathToFileURL(join(folder.path, 'library/client.ts')).href)) as {
      createClient(options: ClientOptions): LibraryClient;
    };
    const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
    const client = createClient({ server: url, ca, cert, key });
    try {
      const branches = client.library.v1.branches.namespace('x');
      const made = await branches.create({ metadata: { name: 'b' }, spec: { desks: 2 } });
      expect(made).toMatchObject({
        apiVersion: 'library.example.com/v1',
        metadata: { generation: 1 },
        spec: { desks: 2 },
      });
      const scale = await branches.getScale('b');
      await branches.updateScale({ ...scale, spec: { replicas: 5 } });
      await branches.patchStatus('b', { status: { openDesks: 4 }, spec: { desks: 9 } }, { type: 'merge' });
      const old = client.library.v1beta1.branches.namespace('x');
      expect(await old.get('b')).toMatchObject({
        apiVersion: 'library.example.com/v1beta1',
        metadata: { generation: 2 },
        spec: { desks: 5 },
        status: { openDesks: 4 },
      });
    } finally {
      client.close();
      await server.close();
    }
  });
});
