import type {
  Conversion,
  ResourceDefinition,
  ResourceFacts,
  StrategyFacts,
  SubresourceDefinition,
  TableColumn,
  TypeDefinition,
  Verb,
} from '../../../machinery/resource.ts';
import type { MergeSchema } from '../../../machinery/schema/merge-schema.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { CompiledSchema } from '../../../structural/schema/compile.ts';
import { columnCell, selectableValue } from '../../../structural/schema/json-path.ts';
import { mergeSchemaOf } from '../../../structural/schema/merge-schema.ts';
import {
  type CustomResourceDefinition,
  isTrue,
  type PrinterColumn,
  servedNames,
  type Version,
} from '../api-helpers.ts';
import type { CRDInfo } from './crd-info.ts';
import { CustomResourceDecoder, type SelectableFields } from './custom-resource-decoder.ts';
import { deprecationWarning } from './deprecation.ts';

const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
/** What discovery shows of a resource on its way out. */
const lastVerbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const partVerbs: readonly Verb[] = ['get', 'patch', 'update'];
const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const;

/** What discovery shows of one version. Costs nothing: no schema is looked at. */
export function resourceFacts(crd: CustomResourceDefinition, version: Version, storageVersion: string): ResourceFacts {
  const { group, scope } = crd.spec;
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = servedNames(crd);
  const gvk = { group, version: version.name, kind };
  const { status, scale } = version.subresources ?? {};
  return {
    ...gvk,
    resource: plural,
    singular,
    listKind,
    shortNames,
    categories,
    namespaced: scope === 'Namespaced',
    verbs: isTrue(crd, 'Terminating') ? lastVerbs : allVerbs,
    subresources: [
      ...(status ? [{ name: 'status', gvk, verbs: partVerbs, connect: false }] : []),
      ...(scale ? [{ name: 'scale', gvk: scaleKind, verbs: partVerbs, connect: false }] : []),
    ],
    stored: true,
    storageVersion,
  };
}

/** One served version as an ordinary resource. Its schema is compiled when an object first needs it. */
export function customResource(
  versions: CRDInfo,
  version: Version,
  scaleType: TypeDefinition | undefined,
): ResourceDefinition {
  const { crd, storageVersion } = versions;
  const facts = resourceFacts(crd, version, storageVersion);
  const { group, kind } = facts;
  const type = typeOf(versions, version, { group, version: version.name, kind });
  const selectableFields = selectableOf(version);
  const warning = deprecationWarning(crd, version);
  return {
    ...facts,
    verbs: allVerbs,
    subresources: subresourcesOf(facts, version, type, scaleType),
    type,
    strategy: strategyOf(version),
    columns: columnsOf(version),
    selectableFields,
    conversion: needsDecoder,
    decoder: new CustomResourceDecoder(versions, version.name, selectableFields),
    ...(warning === undefined ? {} : { warnings: [warning] }),
  };
}

function typeOf(
  versions: CRDInfo,
  version: Version,
  gvk: { group: string; version: string; kind: string },
): TypeDefinition {
  const compiled = (): CompiledSchema => versions.schema(version.name) as CompiledSchema;
  let merge: MergeSchema | undefined;
  return {
    ...gvk,
    prune: (value, context) => compiled().prune(value, context),
    setDefaults: (object) => compiled().setDefaults(object),
    validate: (object, field) => compiled().validate(object, field, field.errors),
    validateReplacement(object, old, part, errors) {
      if (part === 'status') compiled().validateStatusUpdate(object, old, errors);
      else compiled().validateUpdate(object, old, FieldPath.root, errors);
    },
    get merge(): MergeSchema {
      merge ??= mergeSchemaOf(versions.source(version.name));
      return merge as MergeSchema;
    },
    unstructured: true,
  };
}

function subresourcesOf(
  facts: ResourceFacts,
  { subresources }: Version,
  type: TypeDefinition,
  scaleType: TypeDefinition | undefined,
): SubresourceDefinition[] {
  const { scale } = subresources ?? {};
  return facts.subresources.map((one) => {
    if (one.name !== 'scale' || scale === undefined) return { ...one, type };
    const paths = {
      specReplicas: withoutDot(scale.specReplicasPath),
      statusReplicas: withoutDot(scale.statusReplicasPath),
      ...(scale.labelSelectorPath ? { selector: withoutDot(scale.labelSelectorPath) } : {}),
    };
    return { ...one, ...(scaleType === undefined ? {} : { type: scaleType }), scale: paths };
  });
}

const withoutDot = (path: string): string => (path.startsWith('.') ? path.slice(1) : path);

/** (pkg/registry/customresource/strategy.go, status_strategy.go) */
function strategyOf({ subresources }: Version): StrategyFacts {
  return {
    createOnUpdate: false,
    unconditionalUpdate: false,
    generation: true,
    statusFields: subresources?.status ? ['status'] : [],
    nameRule: 'dns-subdomain',
    statusKeepsMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences', 'generateName'],
  };
}

function columnsOf({ additionalPrinterColumns }: Version): TableColumn[] {
  const own = additionalPrinterColumns?.length ? additionalPrinterColumns : [ageColumn];
  return [nameColumn, ...own.map(columnOf)];
}

const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among objects of its kind in its place.',
  priority: 0,
  cell: (object) => object.metadata.name ?? '',
};

const ageColumn: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

/** (pkg/registry/customresource/tableconvertor) */
function columnOf({ name, type, format = '', description, priority = 0, jsonPath }: PrinterColumn): TableColumn {
  const said = description || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return {
    name,
    type: type as TableColumn['type'],
    format,
    description: said,
    priority,
    cell: lazyCell(type, jsonPath),
  };
}

function lazyCell(type: string, jsonPath: string): TableColumn['cell'] {
  let cell: TableColumn['cell'] | undefined;
  return (object, now) => {
    cell ??= cellOf(type, jsonPath);
    return cell(object, now);
  };
}

/** Paths from before they were checked may be none: their cells are empty. */
function cellOf(type: string, jsonPath: string): TableColumn['cell'] {
  try {
    return columnCell(type, jsonPath);
  } catch {
    return () => null;
  }
}

function selectableOf({ selectableFields = [] }: Version): SelectableFields {
  return Object.fromEntries(
    selectableFields.map(({ jsonPath }) => [withoutDot(jsonPath), selectableValue(jsonPath)] as const),
  );
}

/** Objects of custom resources go through their definition's decoder. */
const needsDecoder: Conversion = {
  toStorage: () => {
    throw new Error('objects of custom resources are stored through their decoder');
  },
  fromStorage: () => {
    throw new Error('objects of custom resources are read through their decoder');
  },
};
