import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateFormat } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';

function validateMatchResources(match: Part, field: Field): void {
  if (!match) {
    field.required();
    return;
  }
  if (!match.resourceRules?.length) field.child('resourceRules').required();
  validateLabelSelector(match.namespaceSelector, field.child('namespaceSelector'));
  validateLabelSelector(match.objectSelector, field.child('objectSelector'));
}

/** (ValidateValidatingAdmissionPolicy) Expressions are compiled elsewhere. */
export function validateValidatingAdmissionPolicy(policy: Part, field: Field): void {
  const { validations = [], auditAnnotations = [], matchConstraints } = policy.spec ?? {};
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

export function validateMutatingAdmissionPolicy(policy: Part, field: Field): void {
  const { mutations = [], matchConstraints } = policy.spec ?? {};
  const at = field.child('spec');
  validateMatchResources(matchConstraints, at.child('matchConstraints'));
  if (mutations.length === 0) at.child('mutations').required('mutations must contain at least one item');
}

export function validateValidatingAdmissionPolicyBinding(binding: Part, field: Field): void {
  const { policyName = '', validationActions = [] } = binding.spec ?? {};
  const at = field.child('spec');
  validatePolicyName(policyName, at.child('policyName'));
  const actions = at.child('validationActions');
  if (validationActions.length === 0) actions.required('at least one validation action is required');
  if (validationActions.includes('Deny') && validationActions.includes('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    actions.invalid(validationActions, detail);
  }
}

export function validateMutatingAdmissionPolicyBinding(binding: Part, field: Field): void {
  validatePolicyName(binding.spec?.policyName ?? '', field.child('spec', 'policyName'));
}

function validatePolicyName(name: string, field: Field): void {
  if (name === '') field.required();
  else validateFormat(name, dnsSubdomain, field);
}
export const policyValidations = ({ spec }: KubeObject): number => spec?.validations?.length ?? 0;
export const policyMutations = ({ spec }: KubeObject): number => spec?.mutations?.length ?? 0;
export const policyParamKind = ({ spec }: KubeObject): string =>
  spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : '<unset>';

/** `*` stands for the namespace where the parameters may be cluster-scoped. */
export function bindingParam({ spec }: KubeObject): string {
  const { name, namespace, selector } = spec?.paramRef ?? {};
  if (name) return `${namespace || '*'}/${name}`;
  return selector ? goSelector(selector) : '<unset>';
}

/** A label selector as Go prints the struct. */
function goSelector({ matchLabels = {}, matchExpressions = [] }: Part): string {
  const labels = Object.keys(matchLabels).sort();
  const expressions: readonly string[] = matchExpressions.map(
    ({ key, operator, values = [] }: Part) =>
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
