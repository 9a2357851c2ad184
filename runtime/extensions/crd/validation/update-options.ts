import { equalJson } from '../../../machinery/json/equality.ts';
import { itemSchema, type JsonSchema } from '../../../machinery/schema/json-schema.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';

import { schemaSome } from '../../../structural/schema/visit.ts';
import { caBundleProblem, hasRecognizedReviewVersion } from './conversion.ts';
import { hasUnprunedDefaults } from './default-values.ts';
import { type Definition, type InternalSpec, isConditionTrue, schemasOf } from './internal-spec.ts';
import { validateMapListKeysMapSet } from './list-types.ts';
import { maxSelectableFields, schemaTypes, type ValidationOptions } from './options.ts';
import { isStructural } from './structural.ts';

export function optionsForUpdate(spec: InternalSpec, old: Definition, oldSpec: InternalSpec): ValidationOptions {
  const schemas = schemasOf(oldSpec);
  const established = isConditionTrue(old, 'Established');
  const reviewVersions = old.spec.conversion?.webhook?.conversionReviewVersions ?? [];
  const anywhere = (predicate: (schema: JsonSchema) => boolean): boolean =>
    schemas.some((schema) => schemaSome(schema, predicate));
  return {
    requireRecognizedConversionReviewVersion: reviewVersions.length === 0 || hasRecognizedReviewVersion(reviewVersions),
    requireImmutableNames: established,
    requireOpenAPISchema:
      oldSpec.shared.schema?.openAPIV3Schema !== undefined ||
      oldSpec.versions.every(({ schema }) => schema?.openAPIV3Schema !== undefined),
    requireValidPropertyType: !anywhere(({ type }) => Boolean(type) && !schemaTypes.includes(type as string)),
    requireStructuralSchema: schemas.every(isStructural),
    requirePrunedDefaults: !schemas.some(hasUnprunedDefaults),
    requireAtomicSetType: !anywhere(isNonAtomicSet),
    requireMapListKeysMapSetValidation: !anywhere(
      (schema) => validateMapListKeysMapSet(schema, FieldPath.root).length > 0,
    ),
    allowInvalidCABundle: !established || hasInvalidCaBundle(old),
    versionsWithUnchangedSchemas: versionsWithUnchangedSchemas(spec, oldSpec),
    tooManySelectableFields: keptSelectableFields(spec, oldSpec),
  };
}

function hasInvalidCaBundle(old: Definition): boolean {
  const bundle = old.spec.conversion?.webhook?.clientConfig?.caBundle;
  return Boolean(bundle) && caBundleProblem(bundle as string) !== undefined;
}

/** Whether a list is a set whose items can be changed in parts. */
export function isNonAtomicSet(schema: JsonSchema): boolean {
  const items = itemSchema(schema);
  if (schema['x-kubernetes-list-type'] !== 'set' || items === undefined) return false;
  if (items.type === 'array') return (items['x-kubernetes-list-type'] ?? 'atomic') !== 'atomic';
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic';
}

/** The versions of both whose schema is the same. */
function versionsWithUnchangedSchemas(spec: InternalSpec, old: InternalSpec): ReadonlySet<string> {
  const before = new Map(old.versions.map(({ name, schema }) => [name, old.shared.schema ?? schema]));
  const same = spec.versions.filter(({ name, schema }) => {
    return before.has(name) && equalJson(spec.shared.schema ?? schema ?? null, before.get(name) ?? null);
  });
  return new Set(same.map(({ name }) => name));
}

function keptSelectableFields(spec: InternalSpec, old: InternalSpec): ReadonlySet<string> {
  const kept = new Set<string>();
  const isKept = (now: readonly unknown[] = [], then: readonly unknown[] = []): boolean =>
    then.length > maxSelectableFields && equalJson(now, then);
  if (isKept(spec.shared.selectableFields, old.shared.selectableFields)) kept.add('');
  const before = new Map(old.versions.map((version) => [version.name, version.selectableFields]));
  for (const { name, selectableFields } of spec.versions) {
    if (isKept(selectableFields, before.get(name))) kept.add(name);
  }
  return kept;
}
