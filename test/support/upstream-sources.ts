import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FactsField, type FieldFacts, packagesNamed, type TypeFacts } from '../../codegen/load/field-facts.ts';
import { listFiles, readIfPresent } from '../../codegen/load/files.ts';
import { readDocuments } from '../../codegen/load/schemas-folder.ts';

/** Upstream's published files of a release, without their prose. */
export interface UpstreamSources {
  /** The folder with `v3/apis__apps__v1_openapi.json`, ... */
  readonly openapi: string;
  /** The folder with the Go modules k8s.io/api, ... and their generated.proto. */
  readonly go: string;
}

/** Writes upstream's published files of a schemas folder's release, in upstream's layout. */
export async function writeUpstreamSources(schemas: string, out: string): Promise<UpstreamSources> {
  const files = new Map<string, string>();
  for (const { file, document } of await readDocuments(schemas)) {
    const flat = file
      .slice('openapi/'.length)
      .replace(/\.json$/, '')
      .replaceAll('/', '__');
    files.set(`openapi-spec/v3/${flat}_openapi.json`, JSON.stringify(document));
  }
  files.set('openapi-spec/v3/version_openapi.json', JSON.stringify({ openapi: '3.0.0', info: {}, paths: { '/version/': {} } }));
  for (const name of await listFiles(join(schemas, 'proto'), '.proto'))
    files.set(`src/${name}`, (await readIfPresent(join(schemas, 'proto', name))) ?? '');
  const read = async (name: string): Promise<unknown> => JSON.parse((await readIfPresent(join(schemas, name))) ?? '');
  const facts = (await read('field-facts.json')) as FieldFacts;
  for (const [goPackage, types] of Object.entries(facts)) {
    const names = new ImportNames(facts, goPackage);
    const declarations = Object.entries(types).map(([name, type]) => declaration(name, type, names));
    files.set(`src/${goPackage}/types.go`, ['package x', names.text(), ...declarations].join('\n\n'));
  }
  const { version } = (await read('manifest.json')) as { version: string };
  for (const module of new Set(Object.keys(facts).map((path) => path.split('/').slice(0, 2).join('/'))))
    files.set(`src/${module}/go.mod`, `module ${module}\n\nrequire (\n\tk8s.io/apimachinery ${version.replace('v1.', 'v0.')}\n)\n`);
  for (const [name, text] of files) {
    await mkdir(dirname(join(out, name)), { recursive: true });
    await writeFile(join(out, name), text);
  }
  return { openapi: join(out, 'openapi-spec'), go: join(out, 'src') };
}

/** The imports of a Go file. */
class ImportNames {
  readonly #facts: FieldFacts;
  readonly #goPackage: string;
  readonly #imports = new Map<string, string>();

  constructor(facts: FieldFacts, goPackage: string) {
    this.#facts = facts;
    this.#goPackage = goPackage;
  }

  /** Returns the type in Go's notation. */
  goType(type: string): string {
    return type.replace(/([A-Za-z_][\w./-]*)\.([A-Za-z_]\w*)/g, (text, qualifier: string, name: string) => {
      const path = packagesNamed(qualifier, this.#goPackage).find((each) => this.#facts[each]?.[name] !== undefined);
      if (path === undefined) return text;
      const alias = qualifier.includes('/') ? `alias${this.#imports.size}` : qualifier;
      this.#imports.set(alias, path);
      return `${alias}.${name}`;
    });
  }

  text(): string {
    return `import (\n${[...this.#imports].map(([name, path]) => `\t${name} "${path}"`).join('\n')}\n)`;
  }
}

function declaration(name: string, facts: TypeFacts, names: ImportNames): string {
  const comment = commentOf(facts.markers);
  if (facts.kind === 'struct')
    return `${comment}type ${name} struct {\n${facts.fields.map((field) => fieldText(field, names)).join('\n')}\n}`;
  const constants = (facts.values ?? []).map((value, index) => `const ${name}${index} ${name} = ${JSON.stringify(value)}`);
  return [`${comment}type ${name} ${names.goType(facts.of)}`, ...constants].join('\n');
}

const commentOf = (markers: readonly string[] = []): string => markers.map((marker) => `// ${marker}\n`).join('');

function fieldText(field: FactsField, names: ImportNames): string {
  const options = [...(field.omitEmpty ? ['omitempty'] : []), ...(field.omitZero ? ['omitzero'] : [])];
  const json = [field.json, ...options, ...(field.inline ? ['inline'] : [])].join(',');
  const tags = [
    `json:"${json}"`,
    ...(field.proto === undefined ? [] : [`protobuf:"${field.wire},${field.proto},opt,name=${field.json}"`]),
    ...(field.patchStrategy ? [`patchStrategy:"${field.patchStrategy}"`] : []),
    ...(field.patchMergeKey ? [`patchMergeKey:"${field.patchMergeKey}"`] : []),
  ];
  const type = `${field.pointer ? '*' : ''}${names.goType(field.type)}`;
  const isEmbedded = field.go === field.type;
  return `${commentOf(field.markers)}${isEmbedded ? '' : `${field.go} `}${type} \`${tags.join(' ')}\``;
}
