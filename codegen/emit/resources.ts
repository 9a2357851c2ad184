import type {
  ApiModel,
  ColumnOverlay,
  GroupVersionModel,
  ResourceModel,
  SelectableFieldOverlay,
  SubresourceModel,
  TypeModel,
} from '../model/model.ts';
import { camelCase, folderAlias } from '../model/names.ts';
import { typeById } from '../model/type-graph.ts';
import { functionNames } from '../print/function-names.ts';
import { siblingPath } from '../print/imports.ts';
import { objectKey, text } from '../print/literal.ts';
import { importDefinitions, namedFunctions, runtimeModule } from '../print/symbols.ts';
import type { EmitContext } from './context.ts';
import { mergeName } from './merge.ts';

/**
 * What the runtime can do with the kinds of a group-version: a TypeDefinition for each, and `resources`, a
 * ResourceDefinition for each of the catalog's facts and in their order. Packages that only lend types also have
 * `types`, their TypeDefinitions by kind.
 */
export function emitResources(groupVersion: GroupVersionModel, model: ApiModel, context: EmitContext): string {
  const writer = new ResourcesWriter(groupVersion, model);
  const kinds = groupVersion.types.filter((type) => type.gvk);
  const types = kinds.map((type) => writer.typeConstant(type));
  const resources = groupVersion.resources.map((resource) => writer.resourceConstant(resource));
  const names = groupVersion.resources.map(resourceName);
  return [
    context.header,
    writer.imports(context.runtime),
    '\n',
    types.join('\n'),
    ...(groupVersion.served ? [] : typesByKind(kinds)),
    '\n',
    resources.join('\n'),
    `\nexport const resources: readonly ResourceDefinition[] = [${names.join(', ')}];\n`,
  ].join('');
}

function typesByKind(kinds: readonly TypeModel[]): string[] {
  const entries = kinds.map((type) => `  ${objectKey(type.gvk?.kind ?? type.name)}: ${typeName(type)},\n`);
  return ['\nexport const types: Readonly<Record<string, TypeDefinition>> = {\n', ...entries, '};\n'];
}

/** The facts of a resource without its functions, for the catalog. */
export function resourceFacts(resource: ResourceModel): object {
  return {
    group: resource.group,
    version: resource.version,
    kind: resource.kind,
    resource: resource.plural,
    singular: resource.singular,
    listKind: resource.listKind,
    shortNames: resource.shortNames,
    categories: resource.categories,
    namespaced: resource.namespaced,
    verbs: resource.verbs,
    subresources: resource.subresources.map(subresourceFacts),
    stored: resource.stored,
    storageVersion: resource.storageVersion,
    ...(resource.storageGroup === undefined ? {} : { storageGroup: resource.storageGroup }),
  };
}

const subresourceFacts = ({ name, gvk, verbs, connect }: SubresourceModel): object => ({ name, gvk, verbs, connect });

/** What users of a deprecated version are told, from the release on that deprecates it. (apiserver endpoints/deprecation) */
function warningsOf({ group, version, kind, deprecated }: ResourceModel, release: string): string[] {
  if (deprecated === undefined || isBefore(release, deprecated.in)) return [];
  const what = `${group === '' ? version : `${group}/${version}`} ${kind} is deprecated in v${deprecated.in}+`;
  const end = deprecated.unavailable === undefined ? '' : `, unavailable in v${deprecated.unavailable}+`;
  return [`${what}${end}${deprecated.use === undefined ? '' : `; use ${deprecated.use}`}`];
}

/** Releases of others have no place in Kubernetes' order. */
function isBefore(release: string, other: string): boolean {
  const minor = /^v1\.(\d+)/.exec(release)?.[1];
  return minor !== undefined && Number(minor) < Number(other.split('.')[1]);
}

const typeName = (type: TypeModel): string => `${camelCase(type.name)}Type`;
const resourceName = (resource: ResourceModel): string => `${camelCase(resource.plural)}Resource`;

type NamedFolder = 'columns' | 'selectable' | 'conversion';

class ResourcesWriter {
  readonly #groupVersion: GroupVersionModel;
  readonly #model: ApiModel;
  readonly #imports = new Map<string, Set<string>>();
  readonly #folders = new Map<string, string>();
  readonly #namedFolders = new Set<NamedFolder>();
  #definesTypes = false;

  constructor(groupVersion: GroupVersionModel, model: ApiModel) {
    this.#groupVersion = groupVersion;
    this.#model = model;
  }

  typeConstant(type: TypeModel): string {
    this.#definesTypes = true;
    const names = functionNames(type);
    const definition = [
      ...Object.entries(type.gvk ?? {}).map(([key, value]) => `${key}: ${text(value)}`),
      `prune: ${this.#import('./prune.ts', names.prune)}`,
      `setDefaults: ${this.#import('./defaults.ts', names.setDefaults)}`,
      `validate: ${this.#import('./validate.ts', names.validate)}`,
      ...(names.validateUpdate ? [`validateUpdate: ${this.#import('./validate.ts', names.validateUpdate)}`] : []),
      ...(names.codec ? [`protobuf: ${this.#import('./codec.ts', names.codec)}`] : []),
      `merge: ${this.#import('./merge.ts', mergeName(type))}`,
    ];
    return `export const ${typeName(type)} = typeDefinition({\n${definition.map((line) => `  ${line},\n`).join('')}});\n`;
  }

  resourceConstant(resource: ResourceModel): string {
    const { subresources: _, ...facts } = resourceFacts(resource) as Record<string, unknown>;
    const lines = [
      ...Object.entries(facts).map(([key, value]) => `${key}: ${text(value)}`),
      `subresources: [${resource.subresources.map((subresource) => this.#subresource(subresource)).join(', ')}]`,
      `type: ${this.#typeReference(resource.type)}`,
      `strategy: ${text(resource.strategy)}`,
      `columns: [${this.#columns(resource).join(', ')}]`,
      ...(resource.rowConditions ? [`rowConditions: ${this.#named('columns', resource.rowConditions)}`] : []),
      ...(resource.rowOrder ? [`rowOrder: ${this.#named('columns', resource.rowOrder)}`] : []),
      `selectableFields: ${this.#selectableFields(resource)}`,
      ...(resource.unsupportedFieldLabel ? [`unsupportedFieldLabel: ${text(resource.unsupportedFieldLabel)}`] : []),
      `conversion: ${this.#conversion(resource)}`,
      ...warningsOf(resource, this.#model.release).map((warning) => `warnings: [${text(warning)}]`),
    ];
    const body = lines.map((line) => `  ${line},\n`).join('');
    return `const ${resourceName(resource)}: ResourceDefinition = {\n${body}};\n`;
  }

  #subresource(subresource: SubresourceModel): string {
    const facts = Object.entries(subresourceFacts(subresource)).map(([key, value]) => `${key}: ${text(value)}`);
    if (subresource.type !== undefined) facts.push(this.#subresourceType(subresource.type));
    if (subresource.scale) facts.push(`scale: ${text(subresource.scale)}`);
    return `{ ${facts.join(', ')} }`;
  }

  /** A getter where the type is another group-version's: its file may import this one. */
  #subresourceType(id: string): string {
    const reference = this.#typeReference(id);
    return reference.includes('.') ? `get type() { return ${reference}; }` : `type: ${reference}`;
  }

  #typeReference(id: string): string {
    const type = typeById(this.#model, id);
    if (type.folder === this.#groupVersion.folder) return typeName(type);
    const alias = folderAlias(type.folder, this.#model);
    this.#folders.set(alias, type.folder);
    return `${alias}.${typeName(type)}`;
  }

  #columns(resource: ResourceModel): string[] {
    const columns = resource.columns.length > 0 ? resource.columns : nameAndAge;
    const marked = columns.some((column) => column.format === 'name');
    return columns.map((column, index) => {
      const format = column.format ?? (!marked && index === 0 ? 'name' : '');
      const facts = {
        name: column.name,
        type: column.type ?? 'string',
        format,
        description: column.description ?? '',
        priority: column.priority ?? 0,
      };
      return `{ ...${text(facts)}, cell: ${this.#cell(column)} }`
        .replace('{ ...{ ', '{ ')
        .replace(' }, cell:', ', cell:');
    });
  }

  #cell(column: ColumnOverlay): string {
    if (column.custom !== undefined) return this.#named('columns', column.custom);
    const path = column.path ?? column.name.toLowerCase();
    const absent = { integer: '0', number: '0', boolean: 'false' }[column.type as string];
    const none = column.none === undefined ? undefined : text(column.none);
    // As the table of a custom resource shows dates: how long ago.
    if (column.type === 'date') {
      const age = `${this.#named('columns', 'ageOf')}(${access(path)}, now)`;
      return `(object, now) => ${access(path)} ? ${age} : ${none ?? 'null'}`;
    }
    if (absent !== undefined) return `(object) => ${access(path)} ?? ${none ?? absent}`;
    return `(object) => ${access(path)} ${none === undefined ? "?? ''" : `|| ${none}`}`;
  }

  #selectableFields({ selectableFields }: ResourceModel): string {
    const entries = Object.entries(selectableFields).map(
      ([label, field]) => `${objectKey(label)}: ${this.#selectableField(field)}`,
    );
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }

  #selectableField(field: SelectableFieldOverlay): string {
    if (typeof field === 'object' && 'custom' in field) return this.#named('selectable', field.custom);
    const { path, absent = '' } = typeof field === 'string' ? { path: field } : field;
    return `(object) => String(${access(path)} ?? ${text(absent)})`;
  }

  #conversion({ conversion, group, version, storageGroup = group, storageVersion }: ResourceModel): string {
    if (conversion.kind === 'identity') return this.#named('conversion', 'identity');
    if (conversion.kind === 'custom') return this.#named('conversion', conversion.name);
    const own = text(formatApiVersion(group, version));
    const stored = text(formatApiVersion(storageGroup, storageVersion));
    return `${this.#named('conversion', 'sameShape')}(${own}, ${stored})`;
  }

  /** A function that an overlay names, or one of the few that every group-version may need. */
  #named(folder: NamedFolder, name: string): string {
    this.#namedFolders.add(folder);
    return `${folder}.${name}`;
  }

  #import(file: string, name: string): string {
    const names = this.#imports.get(file) ?? new Set();
    this.#imports.set(file, names.add(name));
    return name;
  }

  imports(runtime: string): string {
    const own = [...this.#imports].map(
      ([file, names]) => `import { ${[...names].sort().join(', ')} } from '${file}';\n`,
    );
    const others = [...this.#folders]
      .sort()
      .map(
        ([alias, folder]) =>
          `import * as ${alias} from '${siblingPath(this.#groupVersion.folder, folder, 'resources.ts')}';\n`,
      );
    return [
      importDefinitions(runtime, 'machinery/resource.ts', [
        'type ResourceDefinition',
        ...(this.#groupVersion.served ? [] : (['type TypeDefinition'] as const)),
        ...(this.#definesTypes ? (['typeDefinition'] as const) : []),
      ]),
      ...[...this.#namedFolders]
        .sort()
        .map((folder) => `import * as ${folder} from '${runtimeModule(runtime, namedFunctions[folder])}';\n`),
      ...others,
      ...own,
    ].join('');
  }
}

const nameAndAge: readonly ColumnOverlay[] = [
  { name: 'Name', path: 'metadata.name' },
  { name: 'Age', custom: 'age' },
];

const formatApiVersion = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`);

/** `metadata.name` -> `object.metadata?.name`; everything on the way may be absent. */
function access(path: string): string {
  const steps = path.split('.');
  return `object${steps.map((step, index) => member(step, index > 0)).join('')}`;
}

function member(step: string, optional: boolean): string {
  const name = /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(step);
  if (name) return optional ? `?.${step}` : `.${step}`;
  return optional ? `?.[${text(step)}]` : `[${text(step)}]`;
}
