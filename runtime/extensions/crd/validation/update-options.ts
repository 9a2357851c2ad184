import type { CustomResourceDefinition } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { caBundleProblem } from '../../../client/webhook/validation.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { itemSchema, type JsonSchema } from '../../../machinery/schema/json-schema.ts';
import { schemaSome } from '../../../structural/schema/visit.ts';
import { isCRDConditionTrue, schemaOf } from '../api-helpers.ts';
import { hasRecognizedReviewVersion } from './conversion.ts';
import { hasUnprunedDefaults } from './default-values.ts';
import { type InternalSpec, schemasOf } from './internal-spec.ts';
import { hasInvalidMapListKeys } from './list-types.ts';
import { maxSelectableFields, schemaTypes, type ValidationOptions } from './options.ts';
import { isStructural } from './structural.ts';

/** Returns the options for the replacement of a definition. A rule that the old definition violates is not enforced. */
export function optionsForUpdate(spec: InternalSpec, old: CustomResourceDefinition, oldSpec: InternalSpec): ValidationOptions {
  const schemas = schemasOf(oldSpec);
  const established = isCRDConditionTrue(old, 'Established');
  const reviewVersions = old.spec.conversion?.webhook?.conversionReviewVersions ?? [];
  const anySchema = (predicate: (schema: JsonSchema) => boolean): boolean => schemas.some((schema) => schemaSome(schema, predicate));
  return {
    requireRecognizedConversionReviewVersion: reviewVersions.length === 0 || hasRecognizedReviewVersion(reviewVersions),
    requireImmutableNames: established,
    requireOpenAPISchema: schemaOf(oldSpec.topLevel) !== undefined || oldSpec.versions.every((version) => schemaOf(version) !== undefined),
    requireValidPropertyType: !anySchema(({ type }) => Boolean(type) && !schemaTypes.includes(type as string)),
    requireStructuralSchema: schemas.every(isStructural),
    requirePrunedDefaults: !schemas.some(hasUnprunedDefaults),
    requireAtomicSetType: !anySchema(hasNonAtomicSetType),
    requireMapListKeysMapSetValidation: !anySchema(hasInvalidMapListKeys),
    allowInvalidCABundle: !established || hasInvalidCABundle(old),
    versionsWithUnchangedSchemas: versionsWithUnchangedSchemas(spec, oldSpec),
    versionsWithTooManySelectableFields: versionsWithTooManySelectableFields(spec, oldSpec),
  };
}

function hasInvalidCABundle({ spec }: CustomResourceDefinition): boolean {
  const bundle = spec.conversion?.webhook?.clientConfig?.caBundle;
  return bundle ? caBundleProblem(bundle) !== undefined : false;
}

/** Reports whether a schema describes a set whose items are not atomic. */
function hasNonAtomicSetType(schema: JsonSchema): boolean {
  const items = itemSchema(schema);
  if (schema['x-kubernetes-list-type'] !== 'set' || items === undefined) return false;
  if (items.type === 'array') return (items['x-kubernetes-list-type'] ?? 'atomic') !== 'atomic';
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic';
}

/** Returns the versions whose schema is the same in both specs. */
function versionsWithUnchangedSchemas(spec: InternalSpec, old: InternalSpec): ReadonlySet<string> {
  const before = new Map(old.versions.map(({ name, schema }) => [name, old.topLevel.schema ?? schema]));
  const unchanged = spec.versions.filter(({ name, schema }) => {
    return before.has(name) && equalJson(spec.topLevel.schema ?? schema ?? null, before.get(name) ?? null);
  });
  return new Set(unchanged.map(({ name = '' }) => name));
}

/**
 * Returns the versions whose surplus selectable fields are unchanged since an earlier release allowed them. "" stands
 * for the top level.
 */
function versionsWithTooManySelectableFields(spec: InternalSpec, old: InternalSpec): ReadonlySet<string> {
  const versions = new Set<string>();
  const isUnchanged = (fields: readonly unknown[] = [], before: readonly unknown[] = []): boolean =>
    before.length > maxSelectableFields && equalJson(fields, before);
  if (isUnchanged(spec.topLevel.selectableFields, old.topLevel.selectableFields)) versions.add('');
  const before = new Map(old.versions.map((version) => [version.name, version.selectableFields]));
  for (const { name, selectableFields } of spec.versions) {
    if (isUnchanged(selectableFields, before.get(name))) versions.add(name ?? '');
  }
  return versions;
}
