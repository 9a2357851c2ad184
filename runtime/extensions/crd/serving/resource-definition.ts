import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '../../../machinery/gvk.ts';
import { defined } from '../../../machinery/json/defined.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import { compareKubeAwareVersions } from '../../../machinery/kube-versions.ts';
import type { JsonObject } from '../../../machinery/object.ts';
import type {
  Conversion,
  ResourceDefinition,
  ResourceFacts,
  SubresourceDefinition,
  TableColumn,
  TypeDefinition,
  Verb,
  WriteRules,
} from '../../../machinery/resource.ts';
import type { MergeSchema } from '../../../machinery/schema/merge-schema.ts';
import type { ReleaseRules } from '../../../machinery/validation/rule-changes.ts';
import { type CompiledSchema, compileSchema } from '../../../structural/schema/compile.ts';
import { columnCell, selectableValue } from '../../../structural/schema/json-path.ts';
import { isCRDConditionTrue, servedNames } from '../api-helpers.ts';
import type { CRDInfo } from './crd-info.ts';
import { CustomResourceDecoder, type SelectableFields } from './custom-resource-decoder.ts';

type Version = CustomResourceDefinitionVersion;

/** In the order of discovery. (pkg/apiserver/customresource_discovery_controller.go) */
const allVerbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
/** Discovery shows these while the definition is being deleted. */
const terminatingVerbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const subresourceVerbs: readonly Verb[] = ['get', 'patch', 'update'];
const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const;

/** Returns the facts of one version for discovery. Needs no schema. */
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
    verbs: isCRDConditionTrue(crd, 'Terminating') ? terminatingVerbs : allVerbs,
    subresources: [
      ...(status ? [{ name: 'status', gvk, verbs: subresourceVerbs, connect: false }] : []),
      ...(scale ? [{ name: 'scale', gvk: scaleKind, verbs: subresourceVerbs, connect: false }] : []),
    ],
    stored: true,
    storageVersion,
    resourcePrefix: `${group}/${plural}`,
  };
}

/** Returns the resource of one version. Its schema is compiled on first use. */
export function resourceDefinition(
  info: CRDInfo,
  version: Version,
  scaleType: TypeDefinition | undefined,
  rules: ReleaseRules,
): ResourceDefinition {
  const { crd, storageVersion } = info;
  const facts = resourceFacts(crd, version, storageVersion);
  const { group, kind } = facts;
  const type = typeDefinition(info, version, { group, version: version.name, kind });
  const selectableFields = selectableFieldsOf(version);
  const warning = deprecationWarning(crd, version);
  return {
    ...facts,
    verbs: allVerbs,
    subresources: subresourceDefinitions(facts, version, type, scaleType),
    type,
    writeRules: writeRulesOf(version, rules),
    columns: tableColumns(version),
    selectableFields,
    conversion: useDecoder,
    decoder: new CustomResourceDecoder(info, version.name, selectableFields),
    ...(warning === undefined ? {} : { warnings: [warning] }),
  };
}

function typeDefinition(info: CRDInfo, version: Version, gvk: GroupVersionKind): TypeDefinition {
  const compiled = (): CompiledSchema => info.schema(version.name) as CompiledSchema;
  const apiVersion = formatGroupVersion(gvk);
  return {
    ...gvk,
    prune(value, context) {
      const isOther = isJsonObject(value) && value.apiVersion !== apiVersion;
      return (isOther ? schemaOfSent(info, gvk, value) : compiled()).prune(value, context);
    },
    setDefaults: (object) => compiled().setDefaults(object),
    validate: (object, field) => compiled().validate(object, field, field.errors),
    validateReplacement(object, old, part, findings) {
      if (part === 'status') compiled().validateStatusUpdate(object, old, findings);
      else compiled().validateUpdate(object, old, findings);
    },
    get merge(): MergeSchema {
      return info.mergeSchema(version.name) as MergeSchema;
    },
    unstructured: true,
  };
}

/** Returns the schema for an object whose version a patch has changed: the schema of that version, or none. */
function schemaOfSent(info: CRDInfo, gvk: GroupVersionKind, { apiVersion }: JsonObject): CompiledSchema {
  const sent = typeof apiVersion === 'string' ? parseGroupVersion(apiVersion) : undefined;
  const { group, version } = sent?.group === gvk.group ? sent : gvk;
  return info.schema(version) ?? compileSchema(undefined, { gvk: { group, version, kind: gvk.kind } });
}

function subresourceDefinitions(
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
      columns: scaleColumns,
    };
    return { ...one, ...defined({ type: scaleType }), scale: paths };
  });
}

const withoutDot = (path: string): string => (path.startsWith('.') ? path.slice(1) : path);

/** A status write copies all metadata of the old object except its managed fields. */
const statusKeepsMetadata = [
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'generateName',
  'uid',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/** (pkg/registry/customresource/strategy.go, status_strategy.go) */
function writeRulesOf({ subresources }: Version, { changes }: ReleaseRules): WriteRules {
  const status = changes.CustomStatusResetsMetadata ? ['metadata', 'spec'] : ['spec'];
  return {
    createOnUpdate: false,
    unconditionalUpdate: false,
    generation: true,
    statusFields: subresources?.status ? ['status'] : [],
    nameRule: 'dns-subdomain',
    statusKeepsMetadata,
    ...(subresources?.status ? { resetFields: { status } } : {}),
    resetsOwnVersionOnly: true,
  };
}

function tableColumns({ additionalPrinterColumns }: Version): TableColumn[] {
  if (additionalPrinterColumns?.length) return [nameColumn, ...additionalPrinterColumns.map(tableColumn)];
  return [nameColumn, { ...tableColumn(ageColumn), field: 'creationTimestamp' }];
}

const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among the objects of its kind and namespace.',
  field: 'name',
  priority: 0,
  cell: (object) => object.metadata.name ?? '',
};

const ageColumn: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

const replicasColumn = (name: string, description: string, jsonPath: string): TableColumn =>
  tableColumn({ name, type: 'integer', description, jsonPath });

/** (pkg/apiserver/helpers.go getScaleColumnsForVersion) */
const scaleColumns: readonly TableColumn[] = [
  nameColumn,
  replicasColumn('Desired', 'The desired number of pods.', '.spec.replicas'),
  replicasColumn('Available', 'The actual number of pods.', '.status.replicas'),
  { ...tableColumn(ageColumn), field: 'creationTimestamp' },
];

/** (pkg/registry/customresource/tableconvertor) */
function tableColumn({ name, type, format = '', description, priority = 0, jsonPath }: CustomResourceColumnDefinition): TableColumn {
  const shown = description || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return {
    name,
    type: type as TableColumn['type'],
    format,
    description: shown,
    priority,
    cell: lazyCell(type, jsonPath),
  };
}

function lazyCell(type: string, jsonPath: string): TableColumn['cell'] {
  let cell: TableColumn['cell'] | undefined;
  return (object, now, budget) => {
    cell ??= cellOf(type, jsonPath);
    return cell(object, now, budget);
  };
}

/**
 * Returns the function of a column's cell. Definitions that were stored before paths were validated may have invalid
 * paths, whose cells are empty.
 */
function cellOf(type: string, jsonPath: string): TableColumn['cell'] {
  try {
    return columnCell(type, jsonPath);
  } catch {
    return () => null;
  }
}

function selectableFieldsOf({ selectableFields = [] }: Version): SelectableFields {
  return Object.fromEntries(selectableFields.map(({ jsonPath }) => [withoutDot(jsonPath), selectableValue(jsonPath)] as const));
}

/** The identity: the decoder converts custom resources. */
const useDecoder: Conversion = {
  toStorage: () => {
    throw new Error('custom resources are encoded by their decoder');
  },
  fromStorage: () => {
    throw new Error('custom resources are decoded by their decoder');
  },
};

/** Returns the warning for users of a deprecated version. (customresource_handler.go defaultDeprecationWarning) */
function deprecationWarning({ spec }: CustomResourceDefinition, version: Version): string | undefined {
  if (!version.deprecated) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group, names, versions } = spec;
  const [newest] = versions
    .filter(({ name, served, deprecated }) => served && !deprecated && compareKubeAwareVersions(version.name, name) < 0)
    .map(({ name }) => name)
    .sort((a, b) => compareKubeAwareVersions(b, a));
  const warning = `${group}/${version.name} ${names.kind} is deprecated`;
  return newest === undefined ? warning : `${warning}; use ${group}/${newest} ${names.kind}`;
}
