import type * as v1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type * as v1beta1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1beta1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { pathSegment } from '../../structural/formats.ts';
import { validateEnum, validateFormat, validateRequiredEnum, validateRequiredFormat } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { validateMatchResources, validateMutatingOperations } from './match-resources.ts';

/** Bindings of admission policies. (pkg/apis/admissionregistration/validation) */

type ValidatingAdmissionPolicyBinding = Unvalidated<v1.ValidatingAdmissionPolicyBinding>;
type MutatingAdmissionPolicyBinding = Unvalidated<v1beta1.MutatingAdmissionPolicyBinding>;
type BindingSpec = NonNullable<MutatingAdmissionPolicyBinding['spec']>;

export function validateValidatingAdmissionPolicyBinding(
  { spec = {} }: ValidatingAdmissionPolicyBinding,
  _old: ValidatingAdmissionPolicyBinding | undefined,
  field: Field,
): void {
  const at = field.child('spec');
  validateBindingSpec(spec, at);
  validateValidationActions(spec.validationActions ?? [], at.child('validationActions'));
}

export function validateMutatingAdmissionPolicyBinding(
  { spec = {} }: MutatingAdmissionPolicyBinding,
  _old: MutatingAdmissionPolicyBinding | undefined,
  field: Field,
): void {
  const at = field.child('spec');
  validateBindingSpec(spec, at);
  if (spec.matchResources !== undefined) validateMutatingOperations(spec.matchResources, at.child('matchResources'));
}

function validateBindingSpec({ policyName, paramRef, matchResources }: BindingSpec, field: Field): void {
  validateRequiredFormat(policyName, dnsSubdomain, field.child('policyName'));
  if (paramRef !== undefined) validateParamRef(paramRef, field.child('paramRef'));
  if (matchResources !== undefined) validateMatchResources(matchResources, field.child('matchResources'));
}

function validateParamRef({ name = '', selector, parameterNotFoundAction }: Unvalidated<v1.ParamRef>, field: Field): void {
  const both = 'name and selector are mutually exclusive';
  if (name !== '') {
    validateFormat(name, pathSegment, field.child('name'));
    if (selector !== undefined) field.child('name').forbidden(both);
  }
  if (selector !== undefined) {
    validateLabelSelector(selector, field.child('selector'));
    if (name !== '') field.child('selector').forbidden(both);
  }
  if (name === '' && selector === undefined) field.required('one of name or selector must be specified');
  validateRequiredEnum(parameterNotFoundAction, ['Deny', 'Allow'], field.child('parameterNotFoundAction'));
}

function validateValidationActions(actions: readonly string[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, action] of actions.entries()) {
    validateEnum(action, ['Audit', 'Deny', 'Warn'], field.index(index));
    if (seen.has(action)) field.index(index).duplicate(action);
    seen.add(action);
  }
  if (seen.has('Deny') && seen.has('Warn')) {
    const why = 'repeating the same validation failure information in the API response and headers serves no purpose';
    field.invalid(actions, `must not contain both Deny and Warn (${why})`);
  }
  if (actions.length === 0) field.required('at least one validation action is required');
}
