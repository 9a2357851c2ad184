import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type DefinitionFault, readDefinitions } from '../import/definitions.ts';
import { readServer } from '../import/live-server.ts';
import { lineFinder } from '../import/text.ts';
import { normaliseSource, writeSchemas } from '../import/write-schemas.ts';
import { isFolder, readIfPresent } from '../load/files.ts';
import { loadModel } from '../load/load-model.ts';
import { kubernetesOverlays } from '../load/package-schemas.ts';
import { isSchemaErrors, ProblemList, pointerParts, SchemaErrors, type SchemaProblem } from '../load/schema-errors.ts';
import type { ApiModel } from '../model/model.ts';
import { distinctOperations } from '../model/operations.ts';
import {
  countOf,
  type Flag,
  FlagError,
  type FlagValues,
  requiredFlag,
  runCommand,
  type Suggest,
  showProgress,
  textFlag,
} from './command.ts';

const flags = {
  schemas: { value: 'DIR', about: 'schemas folder, as import writes it' },
  crd: { value: 'FILES', about: 'CustomResourceDefinitions instead of schemas, as a.yaml,b.yaml; needs --client' },
  client: { about: 'write only types and the client' },
  overlays: {
    value: 'DIR',
    about: "folder of overlays (<group>/<version>.yaml; default: overlays/ in the schemas folder, or else Kubernetes' for its groups)",
  },
  out: { value: 'DIR', about: 'folder to write; the code goes into <out>/<release>' },
  release: { value: 'NAME', about: 'name of the release (default: the one in the schemas)' },
  'include-unserved': { about: 'also generate the packages that no path serves' },
  runtime: {
    value: 'PATH',
    about: 'where generated code imports the runtime from: a folder, or kubeloom/runtime (the default)',
  },
} satisfies Record<string, Flag>;

/** A server that publishes the OpenAPI documents of CustomResourceDefinitions until it is closed. */
export interface CrdServer {
  readonly url: string;
  /** Paths of PEM files. */
  readonly certificateAuthority: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** The groups of the definitions. */
  readonly groups: readonly string[];
  close(): Promise<void>;
}

/** A fault of a definition, by its place in a list. */
export interface FaultOfDefinition extends DefinitionFault {
  readonly definition: number;
}

/** Starts a server with CustomResourceDefinitions, or tells all that is wrong with them. */
type ServeCrds = (definitions: readonly object[]) => Promise<CrdServer | readonly FaultOfDefinition[]>;

/** The services of a server that the generator uses but does not contain. */
export interface ServerServices {
  readonly serveCrds: ServeCrds;
  /** Returns the reasons why the schema of a kind cannot be served. */
  readonly schemaProblems: (schema: object) => readonly string[];
  /** Returns the known flag nearest to a misspelt one. */
  readonly suggest?: Suggest;
}

/**
 * Runs `kubeloom generate`: generates code from a schemas folder. Resolves to the exit code. Without the services of a
 * server, refuses --crd and schemas with rules, which it cannot check.
 */
export function generateCommand(argv: readonly string[], server?: ServerServices): Promise<number> {
  const about = 'Write types, codecs, validators and a client.';
  const run = async (values: FlagValues): Promise<void> => {
    const crds = textFlag(values, 'crd');
    if (crds !== undefined) return generateFromCrds(crds.split(','), values, server);
    await generateFrom(requiredFlag(values, 'schemas'), resolve(requiredFlag(values, 'out')), values, server);
  };
  return runCommand({ name: 'generate', about, flags, run }, argv, server?.suggest);
}

async function generateFromCrds(files: readonly string[], values: FlagValues, server: ServerServices | undefined): Promise<void> {
  const out = resolve(requiredFlag(values, 'out'));
  if (!values.client) throw new FlagError('--crd generates only a client: add --client');
  if (server === undefined) throw new FlagError('--crd needs the kubeloom command');
  const crds = await serveDefinitions(files, server);
  const schemas = await mkdtemp(join(tmpdir(), 'kubeloom-crds-'));
  try {
    await importCrds(crds, schemas);
    const release = textFlag(values, 'release') ?? basename(files[0] ?? '').replace(/\.[^.]*$/, '');
    await generateFrom(schemas, out, { ...values, release }, server);
  } catch (error) {
    if (!isSchemaErrors(error)) throw error;
    throw new SchemaErrors(error.problems.map((problem) => ({ ...problem, file: files.join(', ') })));
  } finally {
    await rm(schemas, { recursive: true, force: true });
  }
}

/** @throws SchemaErrors for definitions that no server would take */
async function serveDefinitions(files: readonly string[], { serveCrds }: ServerServices): Promise<CrdServer> {
  const definitions = (await Promise.all(files.map(readDefinitions))).flat();
  const served = await serveCrds(definitions.map(({ value }) => value));
  if (!isFaulty(served)) return served;
  throw new SchemaErrors(served.flatMap(({ definition, ...fault }) => definitions[definition]?.problem(fault) ?? []));
}

const isFaulty = (served: CrdServer | readonly FaultOfDefinition[]): served is readonly FaultOfDefinition[] => Array.isArray(served);

async function importCrds(server: CrdServer, schemas: string): Promise<void> {
  try {
    const source = await readServer(server.url, server);
    const isTheirs = (file: string): boolean => server.groups.some((group) => file.startsWith(`apis/${group}/`));
    const documents = new Map([...source.documents].filter(([file]) => isTheirs(file)));
    await writeSchemas(normaliseSource({ ...source, documents }, 'crds'), schemas, { clientOnly: true });
  } finally {
    await server.close();
  }
}

/** Writes the code of a schemas folder to `<out>/<release>`. Resolves to the model of the folder. */
export async function generateFrom(
  schemas: string,
  out: string,
  values: FlagValues,
  server: ServerServices | undefined,
): Promise<ApiModel> {
  const beside = join(schemas, 'overlays');
  const overlays = textFlag(values, 'overlays') ?? ((await isFolder(beside)) ? beside : undefined);
  if (overlays !== undefined && !(await isFolder(overlays))) throw new FlagError(`--overlays: ${overlays} is not a folder`);
  try {
    return await generateWith(schemas, overlays, { out, values, server });
  } catch (error) {
    if (!isSchemaErrors(error)) throw error;
    throw new SchemaErrors(await Promise.all(error.problems.map((problem) => inFolder(problem, schemas, overlays))));
  }
}

/** Returns a problem with the path of its file, and its line in a document. */
async function inFolder(problem: SchemaProblem, schemas: string, overlays: string | undefined): Promise<SchemaProblem> {
  const { file, pointer } = problem;
  const [, overlay] = /^overlays\/(.*)/.exec(file) ?? [];
  if (overlay !== undefined) return overlays === undefined ? problem : { ...problem, file: join(overlays, overlay) };
  if (file === basename(resolve(schemas))) return { ...problem, file: schemas };
  const path = join(schemas, file);
  const text = /\.json$/.test(file) ? await readIfPresent(path) : undefined;
  const line = text === undefined || pointer === '#' ? 1 : lineFinder(text)(pointerParts(pointer));
  return { ...problem, file: line === 1 ? path : `${path}:${line}` };
}

async function generateWith(
  schemas: string,
  overlays: string | undefined,
  { out, values, server }: { readonly out: string; readonly values: FlagValues; readonly server: ServerServices | undefined },
): Promise<ApiModel> {
  const started = Date.now();
  const model = await loadModel(schemas, {
    overlays,
    kubernetesOverlays,
    release: textFlag(values, 'release'),
    includeUnserved: values['include-unserved'] === true,
    clientOnly: values.client === true,
  });
  checkSchemas(model, server);
  if (values.client !== true) checkConversions(model, overlays ?? join(schemas, 'overlays'));
  const operations = countOf(distinctOperations(model.operations).length, 'operation');
  showProgress(`${model.release}: ${countOf(model.groupVersions.length, 'group-version')}, ${operations}`);
  for (const line of [...divergences(model), ...uncoveredLines(model)]) showProgress(line);
  const { emitAll } = await import('../emit/index.ts');
  const changed = await emitAll(model, {
    out,
    schemas,
    runtimeImport: textFlag(values, 'runtime'),
    clientOnly: values.client === true,
    onProgress: ({ done, total, what }) => showProgress(`[${done}/${total}] ${what}`),
  });
  showProgress(`${countOf(changed, 'file')} changed`);
  showProgress(`done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return model;
}

/** @throws SchemaErrors for kinds whose schemas cannot be served */
function checkSchemas(model: ApiModel, server: ServerServices | undefined): void {
  const problems = new ProblemList();
  for (const { id, gvk, schema } of model.types.values()) {
    if (gvk === undefined || schema === undefined) continue;
    if (server === undefined && JSON.stringify(schema).includes('"x-kubernetes-validations":'))
      throw new FlagError('schemas with x-kubernetes-validations need the kubeloom command');
    const file = `openapi/apis/${gvk.group}/${gvk.version}.json`;
    for (const problem of server?.schemaProblems(schema) ?? []) problems.add(file, ['components', 'schemas', id], problem);
  }
  problems.throwIfAny();
}

/** @throws SchemaErrors for versions that differ from the stored one and have no converter */
function checkConversions(model: ApiModel, overlays: string): void {
  const problems = new ProblemList();
  for (const { conversion, group, version, plural, storageVersion } of model.groupVersions.flatMap(({ resources }) => resources)) {
    if (conversion.kind !== 'none') continue;
    const overlay = join(overlays, group, `${version}.yaml`);
    const lines = [
      `${plural}.${version}.${group} differs from ${storageVersion}, the version that is stored, and nothing converts it:`,
      ...conversion.differences.map((line) => `  ${line}`),
      `To convert it in the group's module, write below "resources:" of ${overlay}`,
      `  ${plural}: { conversion: { strategy: Converter } }`,
    ];
    problems.add(`openapi/apis/${group}/${version}.json`, [], lines.join('\n'));
  }
  problems.throwIfAny();
}

/** Returns a line for each version whose fields differ without a conversion: these fields get lost. */
function divergences(model: ApiModel): string[] {
  return model.groupVersions.flatMap(({ resources }) =>
    resources.flatMap(({ conversion, group, version, plural, storageVersion }) =>
      conversion.kind === 'same-shape' && conversion.missing && conversion.missing.length > 0
        ? [`${plural}.${version}.${group} differs from ${storageVersion} in ${conversion.missing.join(', ')}`]
        : [],
    ),
  );
}

/** Returns a table of the resources and fields that the overlays of another release do not cover. */
function uncoveredLines({ release, overlaysRelease, uncovered = [] }: ApiModel): string[] {
  if (uncovered.length === 0) return [];
  const rows = uncovered.map(({ folder, name, fields }) => ({ folder, name, fields: fields?.join(', ') ?? '(the resource)' }));
  const folderWidth = Math.max(...rows.map(({ folder }) => folder.length));
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  return [
    `the overlays of ${overlaysRelease} have no rules and defaults for what only ${release} has:`,
    ...rows.map(({ folder, name, fields }) => `  ${folder.padEnd(folderWidth)}  ${name.padEnd(nameWidth)}  ${fields}`),
  ];
}
