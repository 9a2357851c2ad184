import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { CrdServer } from '../../codegen/commands/generate.ts';
import type { RunningServer } from '../server/running-server.ts';
import { UsageError } from './flags.ts';

type Client = Awaited<ReturnType<RunningServer['client']>>;
type Definitions = Client['apiextensions']['v1']['customresourcedefinitions'];
type CustomResourceDefinition = Parameters<Definitions['create']>[0];

/**
 * Starts a server in memory with the CustomResourceDefinitions of some files, to get their OpenAPI documents.
 *
 * @throws UsageError for files without definitions, StatusError for invalid definitions
 */
export async function serveCrds(files: readonly string[]): Promise<CrdServer> {
  const definitions = (await Promise.all(files.map(readDefinitions))).flat();
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-crds-'));
  const { startServer } = await import('../server/server.ts');
  const server = await startServer({ builtin: false, anonymousAuth: false });
  const close = async (): Promise<void> => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const crds = (await server.client()).apiextensions.v1.customresourcedefinitions;
    for (const definition of definitions) await crds.create(definition);
    for (const { metadata } of definitions) await waitUntilEstablished(crds, metadata.name ?? '');
    const pem = async (name: string, text: string): Promise<string> => {
      const file = join(folder, name);
      await writeFile(file, text, { mode: 0o600 });
      return file;
    };
    return {
      url: server.url,
      certificateAuthority: await pem('ca.crt', server.caCertificate),
      clientCertificate: await pem('client.crt', server.clientCertificate),
      clientKey: await pem('client.key', server.clientKey),
      groups: [...new Set(definitions.map(({ spec }) => spec.group))],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readDefinitions(file: string): Promise<CustomResourceDefinition[]> {
  const text = await readFile(file, 'utf8');
  const documents = parseAllDocuments(text);
  const parseError = documents.flatMap(({ errors }) => errors)[0];
  if (parseError !== undefined) throw new UsageError(`${file}: ${parseError.message.split('\n')[0]}`);
  const found = documents.map((document) => document.toJS() as CustomResourceDefinition | null);
  const definitions = found.filter((object) => object?.kind === 'CustomResourceDefinition');
  if (definitions.length === 0) throw new UsageError(`${file} has no CustomResourceDefinition`);
  return definitions as CustomResourceDefinition[];
}

/** Seconds to wait for a definition to be established, which takes milliseconds. */
const establishTimeout = 30;

async function waitUntilEstablished(crds: Definitions, name: string): Promise<void> {
  for await (const { object } of crds.watch({
    fieldSelector: `metadata.name=${name}`,
    timeoutSeconds: establishTimeout,
  })) {
    const conditions = (object as CustomResourceDefinition).status?.conditions ?? [];
    const find = (type: string, status: string) => conditions.find((one) => one.type === type && one.status === status);
    const rejected = find('NamesAccepted', 'False');
    if (rejected) throw new UsageError(`${name}: ${rejected.message}`);
    if (find('Established', 'True')) return;
  }
  throw new UsageError(`${name} is not established after ${establishTimeout} s`);
}
