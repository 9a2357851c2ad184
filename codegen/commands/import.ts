import { basename, dirname, join, parse, resolve } from 'node:path';
import { readFolder } from '../import/folder.ts';
import { checkSameRelease, missingPieces } from '../import/missing-pieces.ts';
import { addMissingTypes } from '../import/missing-types.ts';
import { withOrigins } from '../import/origins.ts';
import { readSource } from '../import/read-source.ts';
import { releaseOf } from '../import/release.ts';
import type { ImportSource } from '../import/source.ts';
import { normaliseSource, writeDescriptions, writeSchemas } from '../import/write-schemas.ts';
import { isSchemaErrors, SchemaErrors } from '../load/schema-errors.ts';
import { checkReleaseName } from '../output/file-names.ts';
import {
  countOf,
  type Flag,
  FlagError,
  type FlagValues,
  requiredList,
  runCommand,
  type Suggest,
  showProgress,
  textFlag,
} from './command.ts';

const flags = {
  from: {
    value: 'SOURCE',
    repeated: true,
    about: 'folder or file with OpenAPI v3 or Swagger 2.0 documents, .proto files and Go types, or the URL of a server; may be repeated',
  },
  out: {
    value: 'DIR',
    about: 'schemas folder to write; what an earlier import wrote there is replaced (default: named by the version)',
  },
  release: { value: 'NAME', about: "name of the release (default: Kubernetes' minor, or else the last part of --out)" },
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

/** Runs `kubeloom import`: writes upstream's documents as a normalised schemas folder. Resolves to the exit code. */
export function importCommand(argv: readonly string[], suggest?: Suggest): Promise<number> {
  const about = 'Turn upstream API documents into a schemas folder.';
  return runCommand({ name: 'import', about, flags, run }, argv, suggest);
}

async function run(values: FlagValues): Promise<void> {
  const from = requiredList(values, 'from');
  const source = await withBase(await read(from, values), textFlag(values, 'base'));
  showProgress(`read ${countOf(source.documents.size, 'document')}, ${countOf(source.protos.size, '.proto file')}`);
  checkSameRelease(source);
  for (const line of missingPieces(source)) showProgress(line);
  const { out, release } = target(source, values);
  await writeRelease(source, release, out);
  if (!values['keep-descriptions']) return;
  const descriptions = join(schemasRoot(out), 'descriptions', release);
  await writeDescriptions(source, descriptions);
  showProgress(`wrote descriptions to ${descriptions}`);
}

/** Writes the schemas of a source to a folder. */
async function writeRelease(source: ImportSource, release: string, out: string): Promise<void> {
  const files = normaliseSource(source, release);
  showProgress(`checking ${countOf(files.size, 'file')}`);
  await withOrigins(source, () => writeSchemas(files, out)).catch((error: unknown) => {
    throw explained(error, source);
  });
  showProgress(`wrote ${countOf(files.size, 'file')} to ${out}`);
}

/** Adds a hint to an error: fields that only documents or only Go modules have come from different releases. */
function explained(error: unknown, { kind, version }: ImportSource): unknown {
  if (kind !== 'published' || version === undefined || !isSchemaErrors(error)) return error;
  if (!error.problems.some(({ message }) => /which the field facts have|the field facts have no|has no such/.test(message))) return error;
  const message = `the documents are not of ${version}, as the Go modules are: these have other fields`;
  return new SchemaErrors([{ file: '--from', pointer: '', message }, ...error.problems]);
}

/**
 * Imports documents into a folder below `schemas` named after their release: Kubernetes' minor, or else the release of
 * the first document. Resolves to the folder.
 *
 * @param minor the release of Kubernetes' documents
 */
export async function importBelow(schemas: string, from: readonly string[], minor?: string): Promise<string> {
  const source = await read(from, {});
  checkSameRelease(source);
  for (const line of missingPieces(source)) showProgress(line);
  const { name } = parse(from[0] ?? '');
  const release = (source.documents.has('api/v1.json') ? minor : undefined) ?? releaseOf(source, name) ?? name;
  checkReleaseName(release);
  const out = join(schemas, release);
  await writeRelease(source, release, out);
  return out;
}

function read(from: readonly string[], values: FlagValues): Promise<ImportSource> {
  return readSource(from, {
    extra: { proto: textFlag(values, 'proto'), facts: textFlag(values, 'field-facts') },
    server: {
      certificateAuthority: textFlag(values, 'certificate-authority'),
      clientCertificate: textFlag(values, 'client-certificate'),
      clientKey: textFlag(values, 'client-key'),
      token: textFlag(values, 'token'),
      insecureSkipTlsVerify: values['insecure-skip-tls-verify'] === true,
    },
    onProgress: showProgress,
  });
}

/** The folder to write and the name of the release. Each is the other's default. */
function target(source: ImportSource, values: FlagValues): { readonly out: string; readonly release: string } {
  const given = textFlag(values, 'out');
  const release = textFlag(values, 'release') ?? releaseOf(source, given === undefined ? undefined : basename(resolve(given)));
  if (release === undefined) throw new FlagError('the documents do not say their version: add --release v1.35, or --out');
  checkReleaseName(release);
  return { out: resolve(given ?? release), release };
}

async function withBase(source: ImportSource, base: string | undefined): Promise<ImportSource> {
  return base === undefined ? source : addMissingTypes(source, await readFolder(base));
}

/** The folder called `schemas` that contains `out`, or else the parent of `out`. */
function schemasRoot(out: string): string {
  for (let dir = out; dir !== dirname(dir); dir = dirname(dir)) if (basename(dir) === 'schemas') return dir;
  return dirname(out);
}
