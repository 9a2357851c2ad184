import type {
  ApiModel,
  ColumnOverlay,
  GroupVersionModel,
  ResourceModel,
  SelectableFieldOverlay,
  SubresourceModel,
  TypeId,
  TypeModel,
} from '../model/model.ts';
import { apiVersionOf, camelCase } from '../model/names.ts';
import { isBySchema, typeById } from '../model/type-graph.ts';
import { memberPath } from '../print/expressions.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { listLiteral, literal, literals, objectBlock, objectLiteral } from '../print/literal.ts';
import { functionNames } from '../print/names.ts';
import { setsDefaults } from './defaults.ts';
import { isValidated } from './validate.ts';

/**
 * Emits a TypeDefinition for each kind of a group-version, and `resources`, a ResourceDefinition for each resource of
 * the catalog, in its order. Unserved packages also get `types`: their TypeDefinitions by kind.
 */
export function emitResources(groupVersion: GroupVersionModel, model: ApiModel, context: FileContext): string {
  const file = new GeneratedFile(model, groupVersion.folder, context);
  const emitter = new ResourcesEmitter(groupVersion, model, file);
  const kinds = groupVersion.types.filter((type) => type.gvk && (!isBySchema(type) || type.schema !== undefined));
  for (const type of kinds) emitter.typeConstant(type);
  if (!groupVersion.served) emitter.typesByKind(kinds);
  for (const resource of groupVersion.resources) emitter.resourceConstant(resource);
  file.addConstant({
    name: 'resources',
    type: `readonly ${file.runtime('machinery/resource.ts', 'type ResourceDefinition')}[]`,
    initializer: listLiteral(groupVersion.resources.map(resourceName)),
  });
  return file.print();
}

/** Returns the facts of a resource for the catalog, without functions. */
export function resourceFacts(resource: ResourceModel): Readonly<Record<string, unknown>> {
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
    storageGroup: resource.storageGroup,
    resourcePrefix: resource.resourcePrefix,
    needsConverter: resource.conversion.kind === 'converter' || undefined,
  };
}

const subresourceFacts = ({ name, gvk, verbs, connect }: SubresourceModel): object => ({ name, gvk, verbs, connect });

/** Returns the warnings for users of a version that is deprecated in this release. (apiserver endpoints/deprecation) */
function deprecationWarnings({ group, version, kind, deprecated }: ResourceModel, release: string): string[] {
  if (deprecated === undefined || isBefore(release, deprecated.in)) return [];
  const what = `${apiVersionOf({ group, version })} ${kind} is deprecated in v${deprecated.in}+`;
  const end = deprecated.unavailable === undefined ? '' : `, unavailable in v${deprecated.unavailable}+`;
  return [`${what}${end}${deprecated.use === undefined ? '' : `; use ${deprecated.use}`}`];
}

/** Compares Kubernetes releases. False for other releases, which have no order. */
function isBefore(release: string, other: string): boolean {
  const minor = /^v1\.(\d+)/.exec(release)?.[1];
  return minor !== undefined && Number(minor) < Number(other.split('.')[1]);
}

const typeName = (type: TypeModel): string => `${camelCase(type.name)}Type`;
const resourceName = (resource: ResourceModel): string => `${camelCase(resource.plural)}Resource`;

class ResourcesEmitter {
  readonly #groupVersion: GroupVersionModel;
  readonly #model: ApiModel;
  readonly #file: GeneratedFile;

  constructor(groupVersion: GroupVersionModel, model: ApiModel, file: GeneratedFile) {
    this.#groupVersion = groupVersion;
    this.#model = model;
    this.#file = file;
  }

  typeConstant(type: TypeModel): void {
    if (type.schema !== undefined && isBySchema(type)) {
      this.#typeBySchema(type);
      return;
    }
    const names = functionNames(type);
    const local = (file: string, name: string | undefined): string | undefined =>
      name === undefined ? undefined : this.#file.local(file, name);
    const members = objectBlock([
      ...literals(type.gvk ?? {}),
      ['prune', local('./prune.ts', names.prune)],
      ['setDefaults', local('./defaults.ts', names.setDefaults)],
      ['validate', local('./validate.ts', names.validate)],
      ['validateUpdate', local('./validate.ts', names.validateUpdate)],
      ['protobuf', local('./codec.ts', names.codec)],
      ['merge', local('./merge.ts', names.merge)],
    ]);
    const typeDefinition =
      type.schema === undefined
        ? `${this.#file.runtime('machinery/resource.ts', 'typeDefinition')}(${members})`
        : `${this.#file.runtime('kinds/type-by-schema.ts', 'typeWithSchema')}(${members}, ${local('./schemas.ts', names.schema)})`;
    this.#file.addConstant({ name: typeName(type), initializer: typeDefinition });
  }

  /** Types a kind whose schema has everything except the facts of overlays. */
  #typeBySchema(type: TypeModel): void {
    const names = functionNames(type);
    const typeBySchema = this.#file.runtime('kinds/type-by-schema.ts', 'typeBySchema');
    const local = (file: string, name: string | undefined, isMade: boolean): string | undefined =>
      name === undefined || !isMade ? undefined : this.#file.local(file, name);
    const members = objectBlock([
      ...literals(type.gvk ?? {}),
      ['schema', local('./schemas.ts', names.schema, true)],
      ['setDefaults', local('./defaults.ts', names.setDefaults, setsDefaults(this.#model, type))],
      ['validate', local('./validate.ts', names.validate, isValidated(this.#model, type))],
      ['validateUpdate', local('./validate.ts', names.validateUpdate, true)],
    ]);
    this.#file.addConstant({
      name: typeName(type),
      initializer: `${typeBySchema}<${this.#file.type(type)}>(${members})`,
    });
  }

  typesByKind(kinds: readonly TypeModel[]): void {
    const definition = this.#file.runtime('machinery/resource.ts', 'type TypeDefinition');
    this.#file.addConstant({
      name: 'types',
      type: `Readonly<Record<string, ${definition}>>`,
      initializer: objectBlock(kinds.map((type) => [type.gvk?.kind ?? type.name, typeName(type)])),
    });
  }

  resourceConstant(resource: ResourceModel): void {
    const { subresources: _, ...facts } = resourceFacts(resource);
    const warnings = deprecationWarnings(resource, this.#model.release);
    const members = objectBlock([
      ...literals(facts),
      ['subresources', listLiteral(resource.subresources.map((each) => this.#subresource(each)))],
      ['type', this.#typeReference(resource.type)],
      ['writeRules', literal(resource.writeRules)],
      ['columns', listLiteral(this.#columns(resource))],
      ['selectableFields', this.#selectableFields(resource)],
      ['unsupportedFieldLabel', resource.unsupportedFieldLabel && literal(resource.unsupportedFieldLabel)],
      ['selectableByNamespace', resource.selectableByNamespace === false ? 'false' : undefined],
      ['rowConditions', this.#columnFunction(resource.rowConditions)],
      ['rowOrder', this.#columnFunction(resource.rowOrder)],
      ['conversion', this.#conversion(resource)],
      ['warnings', warnings.length === 0 ? undefined : literal(warnings)],
    ]);
    const resourceDefinition = this.#file.runtime('machinery/resource.ts', 'resourceDefinition');
    const objectType = this.#file.type(typeById(this.#model, resource.type));
    this.#file.addConstant({
      name: resourceName(resource),
      isExported: false,
      initializer: `${resourceDefinition}<${objectType}>(${members})`,
    });
  }

  #subresource(subresource: SubresourceModel): string {
    const { type, scale } = subresource;
    // A getter if the type is in another group-version, whose file may import this one.
    const [typeKey, getter] =
      type !== undefined && !this.#isOwn(type)
        ? [undefined, `get type() { return ${this.#typeReference(type)}; }`]
        : [type && this.#typeReference(type), undefined];
    return objectLiteral(
      [...literals(subresourceFacts(subresource)), ['type', typeKey], ['scale', scale && literal(scale)]],
      getter === undefined ? [] : [getter],
    );
  }

  #isOwn(id: TypeId): boolean {
    return typeById(this.#model, id).folder === this.#groupVersion.folder;
  }

  #typeReference(id: TypeId): string {
    const type = typeById(this.#model, id);
    return this.#file.generated(type, 'resources.ts', typeName(type));
  }

  #columns(resource: ResourceModel): string[] {
    const columns = resource.columns.length > 0 ? resource.columns : nameAndAge;
    const marked = columns.some((column) => column.format === 'name');
    return columns.map((column, index) => {
      const { description = column.description, field } = column.description === undefined ? metadataOf(column) : {};
      return objectLiteral([
        ['name', literal(column.name)],
        ['type', literal(column.type ?? 'string')],
        ['format', literal(column.format ?? (!marked && index === 0 ? 'name' : ''))],
        ['description', literal(description ?? '')],
        ['field', field && literal(field)],
        ['priority', literal(column.priority ?? 0)],
        ['undeclared', column.undeclared ? literal(true) : undefined],
        ['cell', this.#cell(column)],
      ]);
    });
  }

  #cell(column: ColumnOverlay): string {
    if (column.custom !== undefined) return this.#objectFunction('columns', column.custom);
    const value = memberPath(column.path ?? column.name.toLowerCase());
    const none = column.none === undefined ? undefined : literal(column.none);
    switch (column.type) {
      case 'date': // how long ago, as in the tables of custom resources
        return `(object, now) => ${value} ? ${this.#file.overlayMember('columns', 'ageOf')}(${value}, now) : ${none ?? 'null'}`;
      case 'integer':
      case 'number':
        return `(object) => ${value} ?? ${none ?? '0'}`;
      case 'boolean':
        return `(object) => ${value} ?? ${none ?? 'false'}`;
      default:
        return `(object) => ${value} ${none === undefined ? "?? ''" : `|| ${none}`}`;
    }
  }

  #columnFunction(name: string | undefined): string | undefined {
    return name && this.#objectFunction('columns', name);
  }

  #objectFunction(kind: 'columns' | 'selectable', name: string): string {
    return this.#file.acrossReleases(this.#file.overlayMember(kind, name));
  }

  #selectableFields({ selectableFields }: ResourceModel): string {
    return objectLiteral(Object.entries(selectableFields).map(([label, field]) => [label, this.#selectableField(field)]));
  }

  #selectableField(field: SelectableFieldOverlay): string {
    if (typeof field === 'object' && 'custom' in field) return this.#objectFunction('selectable', field.custom);
    const { path, absent = '' } = typeof field === 'string' ? { path: field } : field;
    return `(object) => String(${memberPath(path)} ?? ${literal(absent)})`;
  }

  #conversion({ conversion, group, version, storageGroup = group, storageVersion }: ResourceModel): string {
    if (conversion.kind === 'identity') return this.#file.overlayMember('conversion', 'identity');
    if (conversion.kind === 'custom') return this.#file.overlayMember('conversion', conversion.name);
    const own = literal(apiVersionOf({ group, version }));
    const stored = literal(apiVersionOf({ group: storageGroup, version: storageVersion }));
    return `${this.#file.overlayMember('conversion', 'sameShape')}(${own}, ${stored})`;
  }
}

/** Columns that show the same metadata of every object. `field` is the member of metadata. */
const metadataColumns: ReadonlyMap<string, { readonly description: string; readonly field: string }> = new Map(
  Object.entries({
    Name: { description: 'Name of the object, unique among objects of its kind in its place.', field: 'name' },
    Age: { description: 'Time since the object was created.', field: 'creationTimestamp' },
    'Created At': { description: 'When the object was created.', field: 'creationTimestamp' },
  }),
);

const metadataOf = ({ name }: ColumnOverlay): { readonly description?: string; readonly field?: string } => metadataColumns.get(name) ?? {};

const nameAndAge: readonly ColumnOverlay[] = [
  { name: 'Name', path: 'metadata.name' },
  { name: 'Age', custom: 'age' },
];
