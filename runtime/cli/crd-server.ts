import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CrdServer, FaultOfDefinition } from '../../codegen/commands/generate.ts';
import type { CustomResourceDefinition } from '../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { isStatusError } from '../machinery/errors/status.ts';
import type { RunningServer } from '../server/running-server.ts';

type Client = Awaited<ReturnType<RunningServer['client']>>;
type Definitions = Client['apiextensions']['v1']['customresourcedefinitions'];
type Fault = Omit<FaultOfDefinition, 'definition'>;

/**
 * Starts a server in memory with CustomResourceDefinitions, to get their OpenAPI documents. Resolves to all faults of the definitions
 * if there are any.
 */
export async function serveCrds(definitions: readonly object[]): Promise<CrdServer | readonly FaultOfDefinition[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-crds-'));
  const { startServer } = await import('../server/server.ts');
  const server = await startServer({ builtin: false, anonymousAuth: false });
  const close = async (): Promise<void> => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const crds = (await server.client()).apiextensions.v1.customresourcedefinitions;
    const faults = await establish(crds, definitions as readonly CustomResourceDefinition[]);
    if (faults.length > 0) {
      await close();
      return faults;
    }
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
      groups: [...new Set((definitions as readonly CustomResourceDefinition[]).map(({ spec }) => spec.group))],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const numbered = (faults: readonly (readonly Fault[])[]): readonly FaultOfDefinition[] =>
  faults.flatMap((all, definition) => all.map((fault) => ({ definition, ...fault })));

/** Creates definitions, and waits until they are served. Resolves to why some are not. */
async function establish(crds: Definitions, definitions: readonly CustomResourceDefinition[]): Promise<readonly FaultOfDefinition[]> {
  const refused: (readonly Fault[])[] = [];
  for (const definition of definitions) refused.push(await create(crds, definition));
  const faults = numbered(refused);
  if (faults.length > 0) return faults;
  return numbered(await Promise.all(definitions.map(({ metadata }) => waitUntilEstablished(crds, metadata.name ?? ''))));
}

async function create(crds: Definitions, definition: CustomResourceDefinition): Promise<readonly Fault[]> {
  try {
    await crds.create(definition, { fieldValidation: 'Strict' });
    return [];
  } catch (error) {
    if (!isStatusError(error)) throw error;
    const { message = '', reason, details } = error.status;
    const causes = details?.causes ?? [];
    if (causes.length > 0) return causes.map(({ field = '', message: why = '' }) => ({ field: asWritten(field), message: why }));
    const unknown = [...message.matchAll(unknownField)].map(([text, path = '']) => ({
      field: path.replace(/\\(.)/g, '$1'),
      message: text,
    }));
    if (unknown.length > 0) return unknown;
    return [{ field: fieldOf(reason, message), message }];
  }
}

function fieldOf(reason: string | undefined, message: string): string {
  if (reason === 'AlreadyExists') return 'metadata.name';
  return /^the API version in the data| is registered for version /.test(message) ? 'apiVersion' : '';
}

/** In a message about strict decoding, as `unknown field "spec.foo"`. */
const unknownField = /unknown field "((?:[^"\\]|\\.)*)"/g;

/** Validation names what all versions have in common as if it stood before them. (apiextensions.CustomResourceDefinitionSpec) */
const asWritten = (field: string): string =>
  field
    .replace(/^spec\.validation(?=\.)/, 'spec.versions[0].schema')
    .replace(/^spec\.(?=subresources|additionalPrinterColumns|selectableFields)/, 'spec.versions[0].');

/** Seconds to wait until a definition is established, which takes milliseconds. */
const establishTimeout = 30;

async function waitUntilEstablished(crds: Definitions, name: string): Promise<readonly Fault[]> {
  for await (const { object } of crds.watch({
    fieldSelector: `metadata.name=${name}`,
    timeoutSeconds: establishTimeout,
  })) {
    const conditions = (object as CustomResourceDefinition).status?.conditions ?? [];
    const find = (type: string, status: string) => conditions.find((one) => one.type === type && one.status === status);
    const rejected = find('NamesAccepted', 'False');
    if (rejected) return [{ field: 'spec.names', message: rejected.message ?? '' }];
    if (find('Established', 'True')) return [];
  }
  return [{ field: 'metadata.name', message: `not established after ${establishTimeout} s` }];
}
