import { basename, dirname, join, resolve } from 'node:path';
import { readFolder } from '../import/folder.ts';
import { readServer } from '../import/live-server.ts';
import { addMissingTypes } from '../import/missing-types.ts';
import { readOpenApiFile } from '../import/openapi-file.ts';
import { readProtoFolder } from '../import/proto-folder.ts';
import type { ImportSource } from '../import/source.ts';
import { isSwagger, readSwagger } from '../import/swagger.ts';
import { collectDescriptions, normaliseSource, writeFiles, writeSchemas } from '../import/write-schemas.ts';
import { isFolder } from '../load/files.ts';
import { countOf, type Flag, type FlagValues, requiredFlag, runCommand, showProgress, textFlag } from './command.ts';

const flags = {
  from: {
    value: 'SOURCE',
    about:
      'folder with openapi/ (and proto/, field-facts.json), an OpenAPI v3 or Swagger 2.0 file, or the URL of a server',
  },
  out: { value: 'DIR', about: 'schemas folder to write; its contents are replaced' },
  release: { value: 'NAME', about: 'name of the release, as v1.35 (default: the last part of --out)' },
  proto: { value: 'DIR', about: 'folder of .proto files (default: proto/ in the source folder)' },
  'field-facts': {
    value: 'FILE',
    about: 'file with the facts of Go fields (default: field-facts.json in the source folder)',
  },
  base: { value: 'DIR', about: 'schemas folder with the types that the source refers to and does not have' },
  'keep-descriptions': { about: 'also write the descriptions of Kubernetes, to schemas/descriptions/<release>' },
  'certificate-authority': { value: 'FILE', about: 'CA that signed the server' },
  'client-certificate': { value: 'FILE', about: 'client certificate for the server' },
  'client-key': { value: 'FILE', about: 'key of the client certificate' },
  token: { value: 'TOKEN', about: 'bearer token for the server' },
  'insecure-skip-tls-verify': { about: 'do not check the server certificate' },
} satisfies Record<string, Flag>;

/** `kubeloom import`: upstream's documents to a normalised schemas folder. Resolves to the exit code. */
export function importCommand(argv: readonly string[]): Promise<number> {
  return runCommand({ name: 'import', about: 'Turn upstream API documents into a schemas folder.', flags, run }, argv);
}

async function run(values: FlagValues): Promise<void> {
  const from = requiredFlag(values, 'from');
  const out = resolve(requiredFlag(values, 'out'));
  const release = textFlag(values, 'release') ?? basename(out);
  const source = await withBase(await readSource(from, values), textFlag(values, 'base'));
  showProgress(`read ${countOf(source.documents.size, 'document')}, ${countOf(source.protos.size, '.proto file')}`);
  const files = normaliseSource(source, release);
  showProgress(`checking ${countOf(files.size, 'file')}`);
  await writeSchemas(files, out);
  showProgress(`wrote ${countOf(files.size, 'file')} to ${out}`);
  if (!values['keep-descriptions']) return;
  const descriptions = join(schemasRoot(out), 'descriptions', release);
  await writeFiles(collectDescriptions(source), descriptions);
  showProgress(`wrote descriptions to ${descriptions}`);
}

async function readSource(from: string, values: FlagValues): Promise<ImportSource> {
  const extra = { proto: textFlag(values, 'proto'), facts: textFlag(values, 'field-facts') };
  if (/^https?:\/\//.test(from)) {
    const options = {
      certificateAuthority: textFlag(values, 'certificate-authority'),
      clientCertificate: textFlag(values, 'client-certificate'),
      clientKey: textFlag(values, 'client-key'),
      token: textFlag(values, 'token'),
      insecureSkipTlsVerify: values['insecure-skip-tls-verify'] === true,
    };
    return readServer(from, options, extra, showProgress);
  }
  if (/\.ya?ml$/.test(from)) return readOpenApiFile(from, extra);
  if (!from.endsWith('.json')) {
    return (await hasOnlyProtos(from)) ? readProtoFolder(join(from, 'proto'), extra) : readFolder(from, extra);
  }
  return (await isSwagger(from)) ? readSwagger(from, extra) : readOpenApiFile(from, extra);
}

async function hasOnlyProtos(dir: string): Promise<boolean> {
  return (await isFolder(join(dir, 'proto'))) && !(await isFolder(join(dir, 'openapi')));
}

async function withBase(source: ImportSource, base: string | undefined): Promise<ImportSource> {
  return base === undefined ? source : addMissingTypes(source, await readFolder(base));
}

/** The folder called `schemas` that contains `out`, or else the parent of `out`. */
function schemasRoot(out: string): string {
  for (let dir = out; dir !== dirname(dir); dir = dirname(dir)) if (basename(dir) === 'schemas') return dir;
  return dirname(out);
}
