import type { CustomResourceDefinition } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { shareEventLoopBudget } from '../../../machinery/event-loop/budget.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { Field } from '../../../machinery/validation/field.ts';
import type { FieldError } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { nameErrors } from '../../../resources/metadata-validation.ts';
import { apiApprovedAnnotation, getAPIApprovalState, isProtectedCommunityGroup } from '../api-helpers.ts';
import { type InternalSpec, toInternalSpec, type UnvalidatedDefinition, type UnvalidatedVersion } from './internal-spec.ts';
import { validateCustomResourceDefinitionNames } from './names.ts';
import { optionsForCreate } from './options.ts';
import { validateCustomResourceDefinitionSpec } from './spec.ts';
import { optionsForUpdate } from './update-options.ts';

/**
 * Validates a new CustomResourceDefinition, except the common metadata of objects. (apiextensions-apiserver
 * pkg/apis/apiextensions/validation/validation.go)
 *
 * @param crd at v1, pruned and defaulted
 */
export function validateCustomResourceDefinition(crd: UnvalidatedDefinition, errors: FieldError[]): void {
  const root = Field.at(FieldPath.root, errors);
  shareEventLoopBudget(() => validateNew(crd, root));
}

/** Validates the name of a new CustomResourceDefinition, which its spec determines. */
export function validateDefinitionName({ metadata, spec }: UnvalidatedDefinition, errors: FieldError[]): void {
  const name = `${spec?.names?.plural ?? ''}.${spec?.group ?? ''}`;
  for (const member of ['generateName', 'name'] as const) {
    const value = metadata?.[member];
    if (!value || value === name) continue;
    const field = Field.at(FieldPath.of('metadata', member), errors);
    for (const detail of nameErrors('dns-subdomain', value, member === 'generateName')) field.invalid(value, detail);
    field.invalid(value, 'must be spec.names.plural+"."+spec.group');
  }
}

function validateNew(crd: UnvalidatedDefinition, root: Field): void {
  const spec = toInternalSpec(crd.spec ?? {});
  validateCustomResourceDefinitionSpec(spec, optionsForCreate(), root.child('spec'));
  validateStatus(crd, spec, root.child('status'));
  shareSchema(crd, spec);
  validateAPIApproval(crd, undefined, root);
  validatePreserveUnknownFields(crd, undefined, root);
}

/** Validates a definition that replaces `old`, which may have been stored before a rule existed; see ValidationOptions. */
export function validateCustomResourceDefinitionUpdate(
  crd: UnvalidatedDefinition,
  old: CustomResourceDefinition,
  errors: FieldError[],
): void {
  const root = Field.at(FieldPath.root, errors);
  shareEventLoopBudget(() => validateUpdate(crd, old, root));
}

function validateUpdate(crd: UnvalidatedDefinition, old: CustomResourceDefinition, root: Field): void {
  const spec = toInternalSpec(crd.spec ?? {});
  const oldSpec = toInternalSpec(old.spec);
  const options = optionsForUpdate(spec, old, oldSpec);
  const specField = root.child('spec');
  validateCustomResourceDefinitionSpec(spec, options, specField);
  if (options.requireImmutableNames) {
    validateImmutable(spec.scope, oldSpec.scope, specField.child('scope'));
    validateImmutable(spec.names.kind, oldSpec.names.kind, specField.child('names', 'kind'));
  }
  validateImmutable(spec.group, oldSpec.group, specField.child('group'));
  validateImmutable(spec.names.plural, oldSpec.names.plural, specField.child('names', 'plural'));
  validateStatus(crd, spec, root.child('status'));
  shareSchema(crd, spec);
  validateAPIApproval(crd, old, root);
  validatePreserveUnknownFields(crd, old, root);
}

/** Shares a schema that is the same in all versions, so that it is validated once. Validation changes defaults. */
function shareSchema({ spec }: UnvalidatedDefinition, { topLevel }: InternalSpec): void {
  if (topLevel.schema) for (const version of spec?.versions ?? []) version.schema = topLevel.schema;
}

/** Validates a write to the status subresource. */
export function validateCustomResourceDefinitionStatusUpdate(
  { status }: Unvalidated<CustomResourceDefinition>,
  errors: FieldError[],
): void {
  const field = Field.at(FieldPath.of('status', 'acceptedNames'), errors);
  validateCustomResourceDefinitionNames(status?.acceptedNames ?? {}, field);
}

function validateImmutable(value: string | undefined, old: string | undefined, field: Field): void {
  if (!equalJson(value ?? '', old ?? '')) field.invalid(value ?? '', 'field is immutable');
}

function validateStatus({ status }: UnvalidatedDefinition, { versions }: InternalSpec, field: Field): void {
  validateCustomResourceDefinitionNames(status?.acceptedNames ?? {}, field.child('acceptedNames'));
  validateCustomResourceDefinitionStoredVersions(status?.storedVersions ?? [], versions, field.child('storedVersions'));
}

function validateCustomResourceDefinitionStoredVersions(
  storedVersions: readonly string[],
  versions: readonly UnvalidatedVersion[],
  field: Field,
): void {
  if (storedVersions.length === 0) {
    // Go prints a nil slice as null
    field.invalid(null, 'must have at least one stored version');
    return;
  }
  const stored = new Set(storedVersions);
  for (const { name = '', storage } of versions) {
    if (storage && !stored.has(name)) field.invalid(storedVersions, `must have the storage version ${name}`);
  }
  const missing = new Map(storedVersions.map((name, index) => [name, index]));
  for (const { name = '' } of versions) missing.delete(name);
  for (const [name, index] of missing) {
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    field.index(index).invalid(name, detail);
  }
}

function validateAPIApproval(crd: UnvalidatedDefinition, old: CustomResourceDefinition | undefined, root: Field): void {
  if (!isProtectedCommunityGroup(crd.spec?.group ?? '')) return;
  const annotations = crd.metadata?.annotations;
  const { state, reason } = getAPIApprovalState(annotations);
  if (old && getAPIApprovalState(old.metadata.annotations).state === state) return;
  const field = root.child('metadata', 'annotations').key(apiApprovedAnnotation);
  if (state === 'missing') field.required(reason);
  else if (state === 'invalid') field.invalid(annotations?.[apiApprovedAnnotation] ?? '', reason);
}

function validatePreserveUnknownFields(crd: UnvalidatedDefinition, old: CustomResourceDefinition | undefined, root: Field): void {
  if (old?.spec.preserveUnknownFields || !crd.spec?.preserveUnknownFields) return;
  const detail = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  root.child('spec', 'preserveUnknownFields').invalid(true, detail);
}
