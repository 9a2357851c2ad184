import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { dns1035Label, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { schemaSome } from '../../../structural/schema/visit.ts';
import { validateCustomResourceColumnDefinitions, validateCustomResourceDefinitionSubresources } from './columns.ts';
import { validateCustomResourceConversion } from './conversion.ts';
import { type DefinitionVersion, type InternalSpec, type SelectableField, schemasOf } from './internal-spec.ts';
import { shownVersions } from './internal-values.ts';
import { validateCustomResourceDefinitionNames } from './names.ts';
import { maxSelectableFields, type ValidationOptions } from './options.ts';
import { resolveFieldPath } from './rules.ts';
import { validateCustomResourceDefinitionValidation } from './version-schema.ts';

/** (validateCustomResourceDefinitionSpec) */
export function validateSpec(
  spec: InternalSpec,
  given: ValidationOptions,
  path: FieldPath,
  errors: FieldError[],
): void {
  checkGroup(spec.group ?? '', path.child('group'), errors);
  checkScope(spec.scope ?? '', path.child('scope'), errors);
  const options = withExtensions(spec, given);
  checkSchemasPresent(spec, options, path, errors);
  if (hasDefaults(spec) && spec.preserveUnknownFields) {
    const text = 'must be false in order to use defaults in the schema';
    errors.push(invalid(path.child('preserveUnknownFields'), true, text));
  }
  checkVersions(spec, options, path, errors);
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!spec.names[name]) errors.push(required(path.child('names', name)));
  }
  validateCustomResourceDefinitionNames(spec.names, path.child('names'), errors);
  checkShared(spec, options, path, errors);
  const strategy = spec.conversion?.strategy;
  if (spec.conversion && strategy !== 'None' && spec.preserveUnknownFields) {
    const text = 'must be None if spec.preserveUnknownFields is true';
    errors.push(invalid(path.child('conversion').child('strategy'), strategy ?? '', text));
  }
  validateCustomResourceConversion(spec.conversion, options, path.child('conversion'), errors);
}

function checkGroup(group: string, path: FieldPath, errors: FieldError[]): void {
  if (group === '') {
    errors.push(required(path));
    return;
  }
  const texts = dnsSubdomain(group);
  if (texts.length > 0) errors.push(invalid(path, group, texts.join(',')));
  else if (!group.includes('.')) errors.push(invalid(path, group, 'should be a domain with at least one dot'));
}

function checkScope(scope: string, path: FieldPath, errors: FieldError[]): void {
  const scopes = ['Cluster', 'Namespaced'];
  if (scope === '') errors.push(required(path));
  else if (!scopes.includes(scope)) errors.push(notSupported(path, scope, scopes));
}

const hasDefaults = (spec: InternalSpec): boolean =>
  schemasOf(spec).some((schema) => schemaSome(schema, (inner) => (inner.default ?? null) !== null));

/** Pruning, defaults and Kubernetes' extensions work on structural schemas only. */
function withExtensions(spec: InternalSpec, given: ValidationOptions): ValidationOptions {
  const needs =
    !spec.preserveUnknownFields ||
    hasDefaults(spec) ||
    schemasOf(spec).some((schema) => schemaSome(schema, hasExtension));
  return needs ? { ...given, requireStructuralSchema: true } : given;
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

function checkSchemasPresent(
  spec: InternalSpec,
  options: ValidationOptions,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (spec.shared.schema?.openAPIV3Schema) return;
  for (const [index, { schema, served }] of spec.versions.entries()) {
    if (schema?.openAPIV3Schema) continue;
    const at = path.child('versions').index(index).child('schema', 'openAPIV3Schema');
    if (options.requireOpenAPISchema) errors.push(required(at));
    else if (served && !spec.preserveUnknownFields) {
      errors.push(required(at, 'because otherwise all fields are pruned'));
    }
  }
}

function checkVersions(spec: InternalSpec, options: ValidationOptions, path: FieldPath, errors: FieldError[]): void {
  const at = path.child('versions');
  const { versions } = spec;
  const hasOwn = versions.some(({ subresources }) => subresources !== undefined);
  for (const [index, version] of versions.entries()) {
    const texts = dns1035Label(version.name);
    if (texts.length > 0) errors.push(invalid(at.index(index).child('name'), version.name, texts.join(',')));
    const { subresources } = hasOwn ? version : spec.shared;
    checkVersion(version, subresources?.status !== undefined, options, at.index(index), errors);
  }
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(invalid(at, shownVersions(versions), 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(invalid(at, shownVersions(versions), 'must have exactly one version marked as storage version'));
  }
  // What upstream calls spec.version is the name of the first.
  const first = versions[0]?.name ?? '';
  const texts = first === '' ? [] : dns1035Label(first);
  if (texts.length > 0) errors.push(invalid(path.child('version'), first, texts.join(',')));
}

function checkVersion(
  version: DefinitionVersion,
  hasStatus: boolean,
  options: ValidationOptions,
  path: FieldPath,
  errors: FieldError[],
): void {
  checkDeprecation(version, path.child('deprecationWarning'), errors);
  const schema = version.schema?.openAPIV3Schema;
  const suppressPerExpressionCost = options.versionsWithUnchangedSchemas.has(version.name);
  if (schema)
    validateCustomResourceDefinitionValidation(
      schema,
      hasStatus,
      { ...options, suppressPerExpressionCost },
      path.child('schema'),
      errors,
    );
  validateCustomResourceDefinitionSubresources(version.subresources, path.child('subresources'), errors);
  validateCustomResourceColumnDefinitions(
    version.additionalPrinterColumns,
    path.child('additionalPrinterColumns'),
    errors,
  );
  const fields = version.selectableFields ?? [];
  if (fields.length === 0) return;
  const at = path.child('selectableFields');
  if (schema) checkSelectableFields(fields, schema, options.tooManySelectableFields.has(version.name), at, errors);
  else errors.push(invalid(at, '', 'may only be set when `version.schema.openAPIV3Schema` is not included'));
}

/** What all versions have alike. */
function checkShared(spec: InternalSpec, options: ValidationOptions, path: FieldPath, errors: FieldError[]): void {
  const { schema, subresources, additionalPrinterColumns, selectableFields = [] } = spec.shared;
  const root = schema?.openAPIV3Schema;
  if (root) {
    const hasStatus = [spec.shared, ...spec.versions].some((one) => one.subresources?.status !== undefined);
    const suppressPerExpressionCost = options.versionsWithUnchangedSchemas.has(spec.versions[0]?.name);
    validateCustomResourceDefinitionValidation(
      root,
      hasStatus,
      { ...options, suppressPerExpressionCost },
      path.child('validation'),
      errors,
    );
  }
  validateCustomResourceDefinitionSubresources(subresources, path.child('subresources'), errors);
  validateCustomResourceColumnDefinitions(additionalPrinterColumns, path.child('additionalPrinterColumns'), errors);
  if (selectableFields.length === 0) return;
  const at = path.child('selectableFields');
  if (root) checkSelectableFields(selectableFields, root, options.tooManySelectableFields.has(''), at, errors);
  else errors.push(invalid(at, '', 'may only be set when validations.schema is included'));
}

function checkDeprecation(version: DefinitionVersion, path: FieldPath, errors: FieldError[]): void {
  const { deprecated, deprecationWarning: warning } = version;
  if (warning === undefined) return;
  const refuse = (text: string): void => {
    errors.push(invalid(path, warning, text));
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

/** (ValidateCustomResourceSelectableFields) */
function checkSelectableFields(
  fields: readonly SelectableField[],
  schema: JsonSchema,
  mayBeTooMany: boolean,
  path: FieldPath,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const at = path.index(index).child('jsonPath');
    if (jsonPath === '') {
      errors.push(required(at));
      continue;
    }
    const found = resolveFieldPath(jsonPath, schema, { allowArrayNotation: false });
    if (found.error !== undefined) {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${found.error}`));
      continue;
    }
    if (/^metadata(?:[.[]|$)/.test(found.path)) {
      errors.push(invalid(at, jsonPath, 'must not point to fields in metadata'));
    }
    if (!['string', 'boolean', 'integer'].includes(found.schema.type ?? '')) {
      const text =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalid(at, jsonPath, text));
    }
    if (seen.has(found.path)) errors.push(duplicate(at, jsonPath));
    seen.add(found.path);
  }
  if (seen.size > maxSelectableFields && !mayBeTooMany) errors.push(tooMany(path, seen.size, maxSelectableFields));
}
