import type { SelectableField } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { resolveFieldPath } from '../../../cel/rules/field-path.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dns1035Label, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { schemaSome } from '../../../structural/schema/visit.ts';
import { schemaOf } from '../api-helpers.ts';
import { validateCustomResourceColumnDefinitions, validateCustomResourceDefinitionSubresources } from './columns.ts';
import { validateCustomResourceConversion } from './conversion.ts';
import { type InternalSpec, schemasOf, type UnvalidatedVersion } from './internal-spec.ts';
import { internalVersions } from './internal-values.ts';
import { validateCustomResourceDefinitionNames } from './names.ts';
import { maxSelectableFields, type ValidationOptions } from './options.ts';
import { unsupportedField } from './unsupported-fields.ts';
import { validateCustomResourceDefinitionValidation } from './version-schema.ts';

export function validateCustomResourceDefinitionSpec(spec: InternalSpec, requested: ValidationOptions, field: Field): void {
  validateGroup(spec.group ?? '', field.child('group'));
  validateScope(spec.scope ?? '', field.child('scope'));
  const options = withStructuralSchemas(spec, requested);
  validateSchemasPresent(spec, options, field);
  if (hasDefaults(spec) && spec.preserveUnknownFields) {
    const text = 'must be false in order to use defaults in the schema';
    field.child('preserveUnknownFields').invalid(true, text);
  }
  validateVersions(spec, options, field);
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!spec.names[name]) field.child('names', name).required();
  }
  validateCustomResourceDefinitionNames(spec.names, field.child('names'));
  validateTopLevel(spec, options, field);
  const strategy = spec.conversion?.strategy;
  if (spec.conversion && strategy !== 'None' && spec.preserveUnknownFields) {
    const text = 'must be None if spec.preserveUnknownFields is true';
    field
      .child('conversion')
      .child('strategy')
      .invalid(strategy ?? '', text);
  }
  validateCustomResourceConversion(spec.conversion, options, field.child('conversion'));
}

function validateGroup(group: string, field: Field): void {
  if (group === '') {
    field.required();
    return;
  }
  const texts = dnsSubdomain(group);
  if (texts.length > 0) field.invalid(group, texts.join(','));
  else if (!group.includes('.')) field.invalid(group, 'should be a domain with at least one dot');
}

function validateScope(scope: string, field: Field): void {
  const scopes = ['Cluster', 'Namespaced'];
  if (scope === '') field.required();
  else if (!scopes.includes(scope)) field.notSupported(scope, scopes);
}

const hasDefaults = (spec: InternalSpec): boolean =>
  schemasOf(spec).some((schema) => schemaSome(schema, (inner) => (inner.default ?? null) !== null));

/** Requires structural schemas for pruning, defaults and Kubernetes' extensions. */
function withStructuralSchemas(spec: InternalSpec, options: ValidationOptions): ValidationOptions {
  const requireStructuralSchema =
    !spec.preserveUnknownFields || hasDefaults(spec) || schemasOf(spec).some((schema) => schemaSome(schema, hasExtension));
  return requireStructuralSchema ? { ...options, requireStructuralSchema } : options;
}

function hasExtension(schema: JsonSchema): boolean {
  return (
    schema['x-kubernetes-embedded-resource'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] !== undefined ||
    schema['x-kubernetes-int-or-string'] === true ||
    (schema['x-kubernetes-list-map-keys'] ?? []).length > 0 ||
    schema['x-kubernetes-list-type'] !== undefined ||
    (schema['x-kubernetes-validations'] ?? []).length > 0
  );
}

function validateSchemasPresent(spec: InternalSpec, options: ValidationOptions, field: Field): void {
  if (schemaOf(spec.topLevel)) return;
  for (const [index, version] of spec.versions.entries()) {
    if (schemaOf(version)) continue;
    const schemaField = field.child('versions').index(index).child('schema', 'openAPIV3Schema');
    if (options.requireOpenAPISchema) schemaField.required();
    else if (version.served && !spec.preserveUnknownFields) {
      schemaField.required('because otherwise all fields are pruned');
    }
  }
}

function validateVersions(spec: InternalSpec, options: ValidationOptions, field: Field): void {
  const versionsField = field.child('versions');
  const { versions } = spec;
  const hasPerVersion = versions.some(({ subresources }) => subresources !== undefined);
  for (const [index, version] of versions.entries()) {
    const { name = '' } = version;
    const versionField = versionsField.index(index);
    const problems = dns1035Label(name);
    if (problems.length > 0) versionField.child('name').invalid(name, problems.join(','));
    const { subresources } = hasPerVersion ? version : spec.topLevel;
    validateVersion(version, subresources?.status !== undefined, options, versionField);
  }
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    versionsField.invalid(internalVersions(versions), 'must contain unique version names');
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    versionsField.invalid(spec.hasVersions ? internalVersions(versions) : null, 'must have exactly one version marked as storage version');
  }
  // the internal spec.version is the name of the first version
  const first = versions[0]?.name ?? '';
  const problems = first === '' ? [] : dns1035Label(first);
  if (problems.length > 0) field.child('version').invalid(first, problems.join(','));
}

function validateVersion(version: UnvalidatedVersion, hasStatus: boolean, options: ValidationOptions, field: Field): void {
  const { name = '', subresources, additionalPrinterColumns, selectableFields = [] } = version;
  validateDeprecationWarning(version, field.child('deprecationWarning'));
  const schema = schemaOf(version);
  if (schema) {
    const suppressPerExpressionCost = options.versionsWithUnchangedSchemas.has(name);
    const schemaOptions = { ...options, suppressPerExpressionCost };
    validateCustomResourceDefinitionValidation(schema, hasStatus, schemaOptions, field.child('schema'));
  }
  validateCustomResourceDefinitionSubresources(subresources, field.child('subresources'));
  validateCustomResourceColumnDefinitions(additionalPrinterColumns, field.child('additionalPrinterColumns'));
  if (selectableFields.length === 0) return;
  const fieldsField = field.child('selectableFields');
  if (!schema) {
    fieldsField.invalid('', 'may only be set when `version.schema.openAPIV3Schema` is not included');
    return;
  }
  requireSupported(schema, field);
  const allowTooMany = options.versionsWithTooManySelectableFields.has(name);
  validateCustomResourceSelectableFields(selectableFields, schema, allowTooMany, fieldsField);
}

/** Selectable fields are looked for in the structural schema, so that each of its problems is reported once more. */
function requireSupported(schema: JsonSchema, field: Field): void {
  const reason = unsupportedField(schema);
  if (reason !== undefined) field.child('schema.openAPIV3Schema').invalid('', reason);
}

/** Validates the fields that are the same in all versions. */
function validateTopLevel(spec: InternalSpec, options: ValidationOptions, field: Field): void {
  const { subresources, additionalPrinterColumns, selectableFields = [] } = spec.topLevel;
  const schema = schemaOf(spec.topLevel);
  if (schema) {
    const hasStatus = [spec.topLevel, ...spec.versions].some((one) => one.subresources?.status !== undefined);
    const suppressPerExpressionCost = options.versionsWithUnchangedSchemas.has(spec.versions[0]?.name ?? '');
    const schemaOptions = { ...options, suppressPerExpressionCost };
    validateCustomResourceDefinitionValidation(schema, hasStatus, schemaOptions, field.child('validation'));
  }
  validateCustomResourceDefinitionSubresources(subresources, field.child('subresources'));
  validateCustomResourceColumnDefinitions(additionalPrinterColumns, field.child('additionalPrinterColumns'));
  if (selectableFields.length === 0) return;
  const fieldsField = field.child('selectableFields');
  if (!schema) {
    fieldsField.invalid('', 'may only be set when validations.schema is included');
    return;
  }
  requireSupported(schema, field);
  const allowTooMany = options.versionsWithTooManySelectableFields.has('');
  validateCustomResourceSelectableFields(selectableFields, schema, allowTooMany, fieldsField);
}

function validateDeprecationWarning(version: UnvalidatedVersion, field: Field): void {
  const { deprecated, deprecationWarning: warning } = version;
  if (warning === undefined) return;
  const refuse = (text: string): void => {
    field.invalid(warning, text);
  };
  if (!deprecated) {
    refuse('can only be set for deprecated versions');
    return;
  }
  if (Buffer.byteLength(warning) > 256) refuse('must be <= 256 characters long');
  if (warning === '') refuse('must not be an empty string');
  const bad = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (bad) {
    const at = Buffer.byteLength(warning.slice(0, bad.index));
    refuse(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
  }
}

function validateCustomResourceSelectableFields(
  fields: readonly Unvalidated<SelectableField>[],
  schema: JsonSchema,
  allowTooMany: boolean,
  field: Field,
): void {
  const seen = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const at = field.index(index).child('jsonPath');
    if (jsonPath === '') {
      at.required();
      continue;
    }
    const found = resolveFieldPath(jsonPath, schema, { allowArrayNotation: false });
    if (found.error !== undefined) {
      at.invalid(jsonPath, `is an invalid path: ${found.error}`);
      continue;
    }
    if (/^metadata(?:[.[]|$)/.test(found.path)) {
      at.invalid(jsonPath, 'must not point to fields in metadata');
    }
    if (!['string', 'boolean', 'integer'].includes(found.schema.type ?? '')) {
      const text = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      at.invalid(jsonPath, text);
    }
    if (seen.has(found.path)) at.duplicate(jsonPath);
    seen.add(found.path);
  }
  if (seen.size > maxSelectableFields && !allowTooMany) field.tooMany(seen.size, maxSelectableFields);
}
