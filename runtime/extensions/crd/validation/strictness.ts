import { FieldPath } from '../../../machinery/field-path.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { itemSchema, type JsonSchema } from '../../../machinery/json-schema.ts';

import { schemaSome } from '../../../structural/schema/visit.ts';
import { caBundleProblem, hasRecognizedReviewVersion } from './conversion.ts';
import { hasUnprunedDefaults } from './default-values.ts';
import { type Definition, type HoistedSpec, isConditionTrue, schemasOf } from './definition.ts';
import { mapListProblems } from './list-types.ts';
import { isStructural } from './structural.ts';

export const maxSelectableFields = 8;
export const schemaTypes: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/**
 * How strict a validation is. A definition that was stored before a rule came is not held to it until it keeps it.
 * (validationOptions of validation.go)
 */
export interface Strictness {
  readonly requireRecognizedReviewVersion: boolean;
  readonly requireImmutableNames: boolean;
  readonly requireSchema: boolean;
  readonly requireValidTypes: boolean;
  readonly requireStructural: boolean;
  readonly requirePrunedDefaults: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireMapListKeys: boolean;
  readonly allowInvalidCaBundle: boolean;
  /** Versions whose schema did not change: their rules are not asked again what they cost. */
  readonly unchangedSchemas: ReadonlySet<string>;
  /** Versions that may keep more selectable fields than allowed; "" for those that all versions share. */
  readonly tooManySelectableFields: ReadonlySet<string>;
}

export function optionsForCreate(): Strictness {
  return {
    requireRecognizedReviewVersion: true,
    requireImmutableNames: false,
    requireSchema: true,
    requireValidTypes: true,
    requireStructural: true,
    requirePrunedDefaults: true,
    requireAtomicSets: true,
    requireMapListKeys: true,
    // Nobody calls the webhook before the definition is established.
    allowInvalidCaBundle: true,
    unchangedSchemas: new Set(),
    tooManySelectableFields: new Set(),
  };
}

export function optionsForUpdate(spec: HoistedSpec, old: Definition, oldSpec: HoistedSpec): Strictness {
  const schemas = schemasOf(oldSpec);
  const established = isConditionTrue(old, 'Established');
  const reviewVersions = old.spec.conversion?.webhook?.conversionReviewVersions ?? [];
  const anywhere = (predicate: (schema: JsonSchema) => boolean): boolean =>
    schemas.some((schema) => schemaSome(schema, predicate));
  return {
    requireRecognizedReviewVersion: reviewVersions.length === 0 || hasRecognizedReviewVersion(reviewVersions),
    requireImmutableNames: established,
    requireSchema:
      oldSpec.shared.schema?.openAPIV3Schema !== undefined ||
      oldSpec.versions.every(({ schema }) => schema?.openAPIV3Schema !== undefined),
    requireValidTypes: !anywhere(({ type }) => Boolean(type) && !schemaTypes.includes(type as string)),
    requireStructural: schemas.every(isStructural),
    requirePrunedDefaults: !schemas.some(hasUnprunedDefaults),
    requireAtomicSets: !anywhere(isNonAtomicSet),
    requireMapListKeys: !anywhere((schema) => mapListProblems(schema, FieldPath.root).length > 0),
    allowInvalidCaBundle: !established || hasInvalidCaBundle(old),
    unchangedSchemas: unchangedSchemas(spec, oldSpec),
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
function unchangedSchemas(spec: HoistedSpec, old: HoistedSpec): ReadonlySet<string> {
  const before = new Map(old.versions.map(({ name, schema }) => [name, old.shared.schema ?? schema]));
  const same = spec.versions.filter(({ name, schema }) => {
    return before.has(name) && equalJson(spec.shared.schema ?? schema ?? null, before.get(name) ?? null);
  });
  return new Set(same.map(({ name }) => name));
}

function keptSelectableFields(spec: HoistedSpec, old: HoistedSpec): ReadonlySet<string> {
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
