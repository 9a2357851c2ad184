import { shareEventLoopBudget } from '../../../machinery/event-loop/budget.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import { type FieldError, invalid } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';

import { validateAPIApproval } from './approval.ts';
import { type Definition, type InternalSpec, toInternalSpec } from './internal-spec.ts';
import { validateCustomResourceDefinitionNames } from './names.ts';
import { optionsForCreate } from './options.ts';
import { validateSpec } from './spec.ts';
import { validateCustomResourceDefinitionStoredVersions } from './stored-versions.ts';
import { optionsForUpdate } from './update-options.ts';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');

/**
 * Appends what is wrong with a new CustomResourceDefinition, beyond the metadata that every object has. The definition is
 * at v1, pruned and defaulted. (apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go)
 */
export function validateCustomResourceDefinition(crd: KubeObject, errors: FieldError[]): void {
  shareEventLoopBudget(() => validateNew(crd, errors));
}

function validateNew(crd: KubeObject, errors: FieldError[]): void {
  const definition = crd as Definition;
  const spec = toInternalSpec(definition.spec ?? {});
  const wanted = `${spec.names.plural ?? ''}.${spec.group ?? ''}`;
  for (const field of ['generateName', 'name'] as const) {
    const given = definition.metadata[field];
    if (!given || given === wanted) continue;
    errors.push(invalid(FieldPath.of('metadata', field), given, 'must be spec.names.plural+"."+spec.group'));
  }
  validateSpec(spec, optionsForCreate(), specPath, errors);
  checkStatus(definition, spec, errors);
  validateAPIApproval(definition, undefined, errors);
  checkPreserveUnknownFields(definition, undefined, errors);
}

/** The same for one that takes the place of `old`: what was wrong before is let through where upstream lets it. */
export function validateCustomResourceDefinitionUpdate(crd: KubeObject, old: KubeObject, errors: FieldError[]): void {
  shareEventLoopBudget(() => validateUpdate(crd, old, errors));
}

function validateUpdate(crd: KubeObject, old: KubeObject, errors: FieldError[]): void {
  const definition = crd as Definition;
  const before = old as Definition;
  const spec = toInternalSpec(definition.spec ?? {});
  const oldSpec = toInternalSpec(before.spec ?? {});
  const options = optionsForUpdate(spec, before, oldSpec);
  validateSpec(spec, options, specPath, errors);
  const immutable = (value: unknown, oldValue: unknown, ...at: string[]): void => {
    if (equalJson(value ?? '', oldValue ?? '')) return;
    errors.push(invalid(specPath.child(...at), value ?? '', 'field is immutable'));
  };
  if (options.requireImmutableNames) {
    immutable(spec.scope, oldSpec.scope, 'scope');
    immutable(spec.names.kind, oldSpec.names.kind, 'names', 'kind');
  }
  immutable(spec.group, oldSpec.group, 'group');
  immutable(spec.names.plural, oldSpec.names.plural, 'names', 'plural');
  checkStatus(definition, spec, errors);
  validateAPIApproval(definition, before, errors);
  checkPreserveUnknownFields(definition, before, errors);
}

/** For a write to /status: only the status is asked. */
export function validateCustomResourceDefinitionStatusUpdate(
  crd: KubeObject,
  _old: KubeObject,
  errors: FieldError[],
): void {
  validateCustomResourceDefinitionNames(
    (crd as Definition).status?.acceptedNames ?? {},
    statusPath.child('acceptedNames'),
    errors,
  );
}

function checkStatus(definition: Definition, spec: InternalSpec, errors: FieldError[]): void {
  const { acceptedNames = {}, storedVersions } = definition.status ?? {};
  validateCustomResourceDefinitionNames(acceptedNames, statusPath.child('acceptedNames'), errors);
  validateCustomResourceDefinitionStoredVersions(
    storedVersions ?? [],
    spec.versions,
    statusPath.child('storedVersions'),
    errors,
  );
}

function checkPreserveUnknownFields(definition: Definition, old: Definition | undefined, errors: FieldError[]): void {
  if (old?.spec.preserveUnknownFields || !definition.spec?.preserveUnknownFields) return;
  const text =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  errors.push(invalid(specPath.child('preserveUnknownFields'), true, text));
}
