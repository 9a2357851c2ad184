import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { type Errors, validateFormat } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';

function validateMatchResources(match: Part, path: FieldPath, errors: Errors): void {
  if (!match) {
    errors.push(required(path));
    return;
  }
  if (!match.resourceRules?.length) errors.push(required(path.child('resourceRules')));
  validateLabelSelector(match.namespaceSelector, path.child('namespaceSelector'), errors);
  validateLabelSelector(match.objectSelector, path.child('objectSelector'), errors);
}

/** (ValidateValidatingAdmissionPolicy) Expressions are compiled elsewhere. */
export function validateValidatingAdmissionPolicy(policy: Part, path: FieldPath, errors: Errors): void {
  const { validations = [], auditAnnotations = [], matchConstraints } = policy.spec ?? {};
  const at = path.child('spec');
  validateMatchResources(matchConstraints, at.child('matchConstraints'), errors);
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    errors.push(required(at.child('validations'), detail));
    errors.push(required(at.child('auditAnnotations'), detail));
  }
  for (const [index, { expression = '' }] of validations.entries()) {
    if (expression.trim() === '') {
      errors.push(required(at.child('validations').index(index).child('expression'), 'expression is not specified'));
    }
  }
}

export function validateMutatingAdmissionPolicy(policy: Part, path: FieldPath, errors: Errors): void {
  const { mutations = [], matchConstraints } = policy.spec ?? {};
  const at = path.child('spec');
  validateMatchResources(matchConstraints, at.child('matchConstraints'), errors);
  if (mutations.length === 0) errors.push(required(at.child('mutations'), 'mutations must contain at least one item'));
}

export function validateValidatingAdmissionPolicyBinding(binding: Part, path: FieldPath, errors: Errors): void {
  const { policyName = '', validationActions = [] } = binding.spec ?? {};
  const at = path.child('spec');
  validatePolicyName(policyName, at.child('policyName'), errors);
  const actions = at.child('validationActions');
  if (validationActions.length === 0) errors.push(required(actions, 'at least one validation action is required'));
  if (validationActions.includes('Deny') && validationActions.includes('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    errors.push(invalid(actions, validationActions, detail));
  }
}

export function validateMutatingAdmissionPolicyBinding(binding: Part, path: FieldPath, errors: Errors): void {
  validatePolicyName(binding.spec?.policyName ?? '', path.child('spec', 'policyName'), errors);
}

function validatePolicyName(name: string, path: FieldPath, errors: Errors): void {
  if (name === '') errors.push(required(path));
  else validateFormat(name, dnsSubdomain, path, errors);
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
