import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateCommand } from '../../codegen/commands/generate.ts';
import { serveCrds } from '../../runtime/cli/crd-server.ts';
import { schemaProblems } from '../../runtime/extensions/crd/schema-problems.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { Corpus } from '../support/crd-corpus.ts';
import { compile, root, temporaryFolder } from '../support/generated-project.ts';
import { describeShared } from '../support/shared.ts';
import type { TestObject } from '../support/test-object.ts';

/** The verbs of a resource's generated client. Its kinds are known only at run time. */
interface Verbs {
  create(object: TestObject): Promise<TestObject>;
  get(name: string): Promise<TestObject>;
}
type Groups = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Verbs & { namespace?(name: string): Verbs }>>>>>>;

const camelCase = (text: string): string => text.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');

describeShared('clients of the custom resources of real projects', (shared) => {
  const corpus = new Corpus(join(shared, 'corpus'));
  const definitions = corpus.definitions().map(({ object }) => object);
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: RunningServer;
  let client: Groups & { close(): void };

  beforeAll(async () => {
    folder = await temporaryFolder('corpus-clients');
    const crds = join(shared, 'corpus/crds');
    const files = readdirSync(crds).flatMap((project) => readdirSync(join(crds, project)).map((file) => join(crds, project, file)));
    const argv = ['--crd', files.join(','), '--client', '--release', 'corpus', '--out', folder.path, '--runtime', join(root, 'runtime')];
    expect(await generateCommand(argv, { serveCrds, schemaProblems })).toBe(0);
    server = await startServer({ builtin: false });
    const { createClient } = (await import(pathToFileURL(join(folder.path, 'corpus/client.ts')).href)) as {
      createClient: unknown;
    };
    client = (await server.client(createClient as never)) as never;
    const own = (await server.client()).apiextensions.v1.customresourcedefinitions;
    // these projects' webhooks do not run
    for (const { spec, ...rest } of definitions)
      await own.create({ ...rest, spec: { ...spec, conversion: { strategy: 'None' } } } as never);
  }, 300_000);
  afterAll(async () => {
    client?.close();
    await server?.close();
    await folder?.remove();
  });

  test('compile', async () => {
    expect(await compile(folder.path)).toBe('');
  });

  test('write and read every sample', async () => {
    let count = 0;
    for (const { file, object } of corpus.samples('samples')) {
      const { apiVersion, kind, metadata } = object;
      const definition = definitions.find(
        ({ spec }) =>
          spec.names.kind === kind &&
          spec.versions.some((one: { name: string; served: boolean }) => one.served && apiVersion === `${spec.group}/${one.name}`),
      );
      if (definition === undefined) continue;
      const { group, names, scope } = definition.spec;
      const version = apiVersion?.slice(group.length + 1) ?? '';
      const groups =
        client[camelCase(group.split('.')[0])]?.[version]?.[camelCase(names.plural)] ??
        client[camelCase(group)][version][camelCase(names.plural)];
      const verbs = scope === 'Namespaced' && groups.namespace ? groups.namespace('default') : groups;
      const { namespace: _, ...meta } = metadata;
      const name = `s${count++}`;
      const made = await verbs.create({ ...object, metadata: { ...meta, name } }).catch((error: Error) => {
        throw new Error(`${file}: ${error.message}`);
      });
      expect(await verbs.get(name)).toEqual(made);
    }
    expect(count).toBeGreaterThan(300);
  }, 120_000);
});
