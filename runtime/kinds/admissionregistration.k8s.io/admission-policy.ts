import type * as v1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type * as v1beta1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1beta1/types.ts';
import type { LabelSelector } from '../../../generated/v1.35/meta/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateRequiredFormat } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';

/** Admission policies and their bindings. (pkg/apis/admissionregistration/validation) */

type ValidatingAdmissionPolicy = Unvalidated<v1.ValidatingAdmissionPolicy>;
type ValidatingAdmissionPolicyBinding = Unvalidated<v1.ValidatingAdmissionPolicyBinding>;
type MutatingAdmissionPolicy = Unvalidated<v1beta1.MutatingAdmissionPolicy>;
type MutatingAdmissionPolicyBinding = Unvalidated<v1beta1.MutatingAdmissionPolicyBinding>;

function validateMatchResources(match: Unvalidated<v1.MatchResources> | undefined, field: Field): void {
  if (!match) {
    field.required();
    return;
  }
  if (!match.resourceRules?.length) field.child('resourceRules').required();
  validateLabelSelector(match.namespaceSelector, field.child('namespaceSelector'));
  validateLabelSelector(match.objectSelector, field.child('objectSelector'));
}

/** Does not compile the expressions. (ValidateValidatingAdmissionPolicy) */
export function validateValidatingAdmissionPolicy({ spec = {} }: ValidatingAdmissionPolicy, field: Field): void {
  const { validations = [], auditAnnotations = [], matchConstraints } = spec;
  const at = field.child('spec');
  validateMatchResources(matchConstraints, at.child('matchConstraints'));
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    at.child('validations').required(detail);
    at.child('auditAnnotations').required(detail);
  }
  for (const [index, { expression = '' }] of validations.entries()) {
    if (expression.trim() === '') {
      at.child('validations').index(index).child('expression').required('expression is not specified');
    }
  }
}

export function validateMutatingAdmissionPolicy({ spec = {} }: MutatingAdmissionPolicy, field: Field): void {
  const { mutations = [], matchConstraints } = spec;
  const at = field.child('spec');
  validateMatchResources(matchConstraints, at.child('matchConstraints'));
  if (mutations.length === 0) at.child('mutations').required('mutations must contain at least one item');
}

export function validateValidatingAdmissionPolicyBinding(
  { spec = {} }: ValidatingAdmissionPolicyBinding,
  field: Field,
): void {
  const { policyName, validationActions = [] } = spec;
  const at = field.child('spec');
  validateRequiredFormat(policyName, dnsSubdomain, at.child('policyName'));
  const actions = at.child('validationActions');
  if (validationActions.length === 0) actions.required('at least one validation action is required');
  if (validationActions.includes('Deny') && validationActions.includes('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    actions.invalid(validationActions, detail);
  }
}

export function validateMutatingAdmissionPolicyBinding({ spec }: MutatingAdmissionPolicyBinding, field: Field): void {
  validateRequiredFormat(spec?.policyName, dnsSubdomain, field.child('spec', 'policyName'));
}

export const policyValidations = ({ spec }: ValidatingAdmissionPolicy): number => spec?.validations?.length ?? 0;
export const policyMutations = ({ spec }: MutatingAdmissionPolicy): number => spec?.mutations?.length ?? 0;
export const policyParamKind = ({ spec }: MutatingAdmissionPolicy | ValidatingAdmissionPolicy): string =>
  spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : '<unset>';

/** Namespace and name of the parameters, or their selector. The namespace `*` means the one of the request, if any. */
export function bindingParam({ spec }: MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding): string {
  const { name, namespace, selector } = spec?.paramRef ?? {};
  if (name) return `${namespace || '*'}/${name}`;
  return selector ? goLabelSelector(selector) : '<unset>';
}

/** A label selector as Go prints the struct. (LabelSelector.String) */
function goLabelSelector({ matchLabels = {}, matchExpressions = [] }: Unvalidated<LabelSelector>): string {
  const labels = Object.keys(matchLabels).sort();
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return [
    '&LabelSelector{MatchLabels:map[string]string{',
    ...labels.map((key) => `${key}: ${matchLabels[key]},`),
    '},MatchExpressions:[]LabelSelectorRequirement{',
    ...expressions,
    '},}',
  ].join('');
}
