import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type Flag, FlagError, helpText, readFlags } from './flags.ts';
import { readFolder } from './import/folder.ts';
import { lendFrom } from './import/lend.ts';
import { readServer } from './import/live-server.ts';
import { readOpenApiFile } from './import/openapi-file.ts';
import { readProtoFolder } from './import/proto-folder.ts';
import { ImportError, type ImportSource } from './import/source.ts';
import { isSwagger, readSwagger } from './import/swagger.ts';
import { collectDescriptions, normaliseSource, writeFiles, writeSchemas } from './import/write-schemas.ts';
import { isFolder } from './load/files.ts';
import { loadModel } from './load/load-model.ts';
import { isSchemaErrors, problemLine } from './load/schema-errors.ts';
import { distinctOperations } from './model/operations.ts';

const importFlags = {
  from: {
    value: 'SOURCE',
    about:
      'folder with openapi/ (and proto/, field-facts.json), an OpenAPI v3 or Swagger 2.0 file, or the URL of a server',
  },
  out: { value: 'DIR', about: 'schemas folder to write; what it had is replaced' },
  release: { value: 'NAME', about: 'name of the release, as v1.35 (default: the last part of --out)' },
  proto: { value: 'DIR', about: 'folder of .proto files (default: proto/ in the source folder)' },
  'field-facts': { value: 'FILE', about: 'facts of Go fields (default: field-facts.json in the source folder)' },
  base: { value: 'DIR', about: 'schemas folder that lends types the source refers to but does not have' },
  'keep-descriptions': { about: 'also keep the prose, in schemas/descriptions/<release>' },
  'certificate-authority': { value: 'FILE', about: 'CA that signed the server' },
  'client-certificate': { value: 'FILE', about: 'client certificate for the server' },
  'client-key': { value: 'FILE', about: 'key of the client certificate' },
  token: { value: 'TOKEN', about: 'bearer token for the server' },
  'insecure-skip-tls-verify': { about: 'do not check the server certificate' },
} satisfies Record<string, Flag>;

const generateFlags = {
  schemas: { value: 'DIR', about: 'schemas folder, as import writes it' },
  crd: { value: 'FILES', about: 'CustomResourceDefinitions in place of schemas, as a.yaml,b.yaml; with --client' },
  client: { about: 'only types and the client' },
  overlays: {
    value: 'DIR',
    about: 'folder of overlays (<group>/<version>.yaml; default: overlays/ in the schemas folder)',
  },
  out: { value: 'DIR', about: 'folder to write; the code goes into <out>/<release>' },
  release: { value: 'NAME', about: 'name of the release (default: what the schemas say)' },
  'include-unserved': { about: 'also the packages that no path serves' },
  runtime: {
    value: 'PATH',
    about: 'what generated code imports the runtime from: a folder, or kubeloom/runtime (the default)',
  },
} satisfies Record<string, Flag>;

/** `kubeloom import`: upstream documents to a normalised schemas folder. Resolves to the exit code. */
export function importCommand(argv: readonly string[]): Promise<number> {
  return command('import', importFlags, 'Turn upstream API documents into a schemas folder.', argv, async (flags) => {
    const from = required(flags, 'from');
    const out = resolve(required(flags, 'out'));
    const release = text(flags, 'release') ?? basename(out);
    const source = await withBase(await readSource(from, flags), text(flags, 'base'));
    progress(`read ${count(source.documents.size, 'document')}, ${count(source.protos.size, '.proto file')}`);
    const files = normaliseSource(source, release);
    progress(`checking ${count(files.size, 'file')}`);
    await writeSchemas(files, out);
    progress(`wrote ${count(files.size, 'file')} to ${out}`);
    if (!flags['keep-descriptions']) return;
    const descriptions = join(schemasRoot(out), 'descriptions', release);
    await writeFiles(collectDescriptions(source), descriptions);
    progress(`wrote descriptions to ${descriptions}`);
  });
}

/** A server that publishes the OpenAPI documents of CustomResourceDefinitions, for as long as it is not closed. */
export interface CrdServer {
  readonly url: string;
  /** PEM files. */
  readonly certificateAuthority: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** Groups of the definitions. */
  readonly groups: readonly string[];
  close(): Promise<void>;
}

/**
 * `kubeloom generate`: a schemas folder to code. Resolves to the exit code.
 *
 * @param serveCrds starts a server with the CustomResourceDefinitions of some files; without it --crd is refused
 */
export function generateCommand(
  argv: readonly string[],
  serveCrds?: (files: readonly string[]) => Promise<CrdServer>,
): Promise<number> {
  return command('generate', generateFlags, 'Write types, codecs, validators and a client.', argv, async (flags) => {
    const crds = text(flags, 'crd');
    if (crds === undefined) return generateFrom(required(flags, 'schemas'), resolve(required(flags, 'out')), flags);
    const out = resolve(required(flags, 'out'));
    if (!flags.client) throw new FlagError('--crd gives a client: say --client');
    if (serveCrds === undefined) throw new FlagError('--crd needs the kubeloom command');
    const files = crds.split(',');
    const schemas = await mkdtemp(join(tmpdir(), 'kubeloom-crds-'));
    try {
      await importCrds(await serveCrds(files), schemas);
      const release = text(flags, 'release') ?? basename(files[0]).replace(/\.[^.]*$/, '');
      await generateFrom(schemas, out, { ...flags, release });
    } finally {
      await rm(schemas, { recursive: true, force: true });
    }
  });
}

async function importCrds(server: CrdServer, schemas: string): Promise<void> {
  try {
    const source = await readServer(server.url, server);
    const isTheirs = (file: string): boolean => server.groups.some((group) => file.startsWith(`apis/${group}/`));
    const documents = new Map([...source.documents].filter(([file]) => isTheirs(file)));
    await writeSchemas(normaliseSource({ ...source, documents }, 'crds'), schemas);
  } finally {
    await server.close();
  }
}

async function generateFrom(schemas: string, out: string, flags: Values): Promise<void> {
  const started = Date.now();
  const beside = join(schemas, 'overlays');
  const model = await loadModel(schemas, {
    overlays: text(flags, 'overlays') ?? ((await isFolder(beside)) ? beside : undefined),
    release: text(flags, 'release'),
    includeUnserved: flags['include-unserved'] === true,
  });
  const operations = count(distinctOperations(model.operations).length, 'operation');
  progress(`${model.release}: ${count(model.groupVersions.length, 'group-version')}, ${operations}`);
  for (const line of divergences(model)) progress(line);
  const { emitAll } = await import('./emit/index.ts');
  const changed = await emitAll(model, {
    out,
    schemas,
    runtimeImport: text(flags, 'runtime'),
    clientOnly: flags.client === true,
    onProgress: ({ done, total, what }) => progress(`[${done}/${total}] ${what}`),
  });
  progress(`${count(changed, 'file')} changed`);
  progress(`done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

type Values = Partial<Record<string, string | boolean>>;

async function command<Name extends string>(
  name: string,
  flags: Readonly<Record<Name, Flag>>,
  about: string,
  argv: readonly string[],
  run: (values: Values) => Promise<void>,
): Promise<number> {
  try {
    const values: Values = readFlags(argv, flags);
    if (values.help) process.stdout.write(helpText(`kubeloom ${name} [flags]`, about, flags));
    else await run(values);
    return 0;
  } catch (error) {
    for (const line of complaints(error, name)) process.stderr.write(`${line}\n`);
    return 1;
  }
}

/** Input faults in lines; what is left is a fault of ours and keeps its stack. */
function complaints(error: unknown, name: string): readonly string[] {
  if (isSchemaErrors(error)) return [...error.problems.map(problemLine), count(error.problems.length, 'problem')];
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const expected = error instanceof FlagError || error instanceof ImportError || typeof code === 'string';
  return [`kubeloom ${name}: ${expected ? message : (stack ?? message)}`];
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

function text(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function required(values: Values, name: string): string {
  const value = text(values, name);
  if (value === undefined) throw new FlagError(`--${name} is required`);
  return value;
}

async function readSource(from: string, flags: Values): Promise<ImportSource> {
  const also = { proto: text(flags, 'proto'), facts: text(flags, 'field-facts') };
  if (/^https?:\/\//.test(from)) {
    const options = {
      certificateAuthority: text(flags, 'certificate-authority'),
      clientCertificate: text(flags, 'client-certificate'),
      clientKey: text(flags, 'client-key'),
      token: text(flags, 'token'),
      insecureSkipTlsVerify: flags['insecure-skip-tls-verify'] === true,
    };
    return readServer(from, options, also, progress);
  }
  if (/\.ya?ml$/.test(from)) return readOpenApiFile(from, also);
  if (!from.endsWith('.json')) {
    return (await hasOnlyProtos(from)) ? readProtoFolder(join(from, 'proto'), also) : readFolder(from, also);
  }
  return (await isSwagger(from)) ? readSwagger(from, also) : readOpenApiFile(from, also);
}

async function hasOnlyProtos(dir: string): Promise<boolean> {
  return (await isFolder(join(dir, 'proto'))) && !(await isFolder(join(dir, 'openapi')));
}

async function withBase(source: ImportSource, base: string | undefined): Promise<ImportSource> {
  return base === undefined ? source : lendFrom(source, await readFolder(base));
}

/** The folder called `schemas` that `out` is in, or else the one beside it. */
function schemasRoot(out: string): string {
  for (let dir = out; dir !== dirname(dir); dir = dirname(dir)) if (basename(dir) === 'schemas') return dir;
  return dirname(out);
}

/** Where two versions of a resource differ and nothing converts between them, some fields will be lost. */
function divergences(model: Awaited<ReturnType<typeof loadModel>>): string[] {
  return model.groupVersions.flatMap(({ resources }) =>
    resources.flatMap(({ conversion, group, version, plural, storageVersion }) =>
      conversion.kind === 'same-shape' && conversion.missing && conversion.missing.length > 0
        ? [`${plural}.${version}.${group} differs from ${storageVersion} in ${conversion.missing.join(', ')}`]
        : [],
    ),
  );
}
