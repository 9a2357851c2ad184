import { invalid, notSupported, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { checkEnum, checkFormat, type Errors, sameValue } from './checks.ts';
import { dnsSubdomain } from './text-formats.ts';

/** (pkg/apis/rbac/validation/validation.go) */
const rbacGroup = 'rbac.authorization.k8s.io';

function checkRules(rules: readonly Part[], isNamespaced: boolean, path: FieldPath, errors: Errors): void {
  for (const [index, rule] of rules.entries()) {
    const at = path.index(index);
    const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    if (!rule.verbs?.length) errors.push(required(at.child('verbs'), 'verbs must contain at least one value'));
    if (nonResourceURLs.length > 0) {
      const urls = at.child('nonResourceURLs');
      if (isNamespaced) {
        errors.push(invalid(urls, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'));
      }
      if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
        const detail = 'rules cannot apply to both regular resources and non-resource URLs';
        errors.push(invalid(urls, nonResourceURLs, detail));
      }
      continue;
    }
    if (apiGroups.length === 0) {
      errors.push(required(at.child('apiGroups'), 'resource rules must supply at least one api group'));
    }
    if (resources.length === 0) {
      errors.push(required(at.child('resources'), 'resource rules must supply at least one resource'));
    }
  }
}

export function validateRole(role: Part, path: FieldPath, errors: Errors): void {
  checkRules(role.rules ?? [], true, path.child('rules'), errors);
}

export function validateClusterRole(role: Part, path: FieldPath, errors: Errors): void {
  checkRules(role.rules ?? [], false, path.child('rules'), errors);
  if (role.aggregationRule && !role.aggregationRule.clusterRoleSelectors?.length) {
    const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    errors.push(required(path.child('aggregationRule', 'clusterRoleSelectors'), detail));
  }
}

function checkBinding(binding: Part, isNamespaced: boolean, path: FieldPath, errors: Errors): void {
  const { apiGroup = '', kind = '', name = '' } = binding.roleRef ?? {};
  const at = path.child('roleRef');
  if (apiGroup !== rbacGroup) errors.push(notSupported(at.child('apiGroup'), apiGroup, [rbacGroup]));
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  checkEnum(kind, kinds, at.child('kind'), errors);
  // That there is a name is a marker of its Go field.
  for (const message of pathSegment(name)) errors.push(invalid(at.child('name'), name, message));
  for (const [index, subject] of (binding.subjects ?? []).entries()) {
    checkSubject(subject, isNamespaced, path.child('subjects').index(index), errors);
  }
}

/** Names that can stand in a URL. (apimachinery pkg/api/validation/path) */
function pathSegment(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

function checkSubject(subject: Part, isNamespaced: boolean, path: FieldPath, errors: Errors): void {
  const { kind = '', name = '', namespace = '', apiGroup = '' } = subject;
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') checkFormat(name, dnsSubdomain, path.child('name'), errors);
      if (apiGroup !== '') errors.push(notSupported(path.child('apiGroup'), apiGroup, ['']));
      if (!isNamespaced && namespace === '') errors.push(required(path.child('namespace')));
      return;
    case 'User':
    case 'Group':
      if (apiGroup !== rbacGroup) errors.push(notSupported(path.child('apiGroup'), apiGroup, [rbacGroup]));
      return;
    default:
      errors.push(notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group']));
  }
}

export function validateRoleBinding(binding: Part, path: FieldPath, errors: Errors): void {
  checkBinding(binding, true, path, errors);
}

export function validateClusterRoleBinding(binding: Part, path: FieldPath, errors: Errors): void {
  checkBinding(binding, false, path, errors);
}

export function updateBinding(binding: Part, old: Part, path: FieldPath, errors: Errors): void {
  if (!sameValue(binding.roleRef, old.roleRef)) {
    errors.push(invalid(path.child('roleRef'), binding.roleRef, 'cannot change roleRef'));
  }
}

/** (pkg/apis/certificates/validation) */
export function validateSigningRequest(request: Part, path: FieldPath, errors: Errors): void {
  const { usages = [], signerName = '', expirationSeconds, request: body } = request.spec ?? {};
  const at = path.child('spec');
  if (!body) errors.push(invalid(at.child('request'), null, 'PEM block type must be CERTIFICATE REQUEST'));
  if (usages.length === 0) errors.push(required(at.child('usages')));
  if (signerName === '') errors.push(required(at.child('signerName')));
  else if (!/^[^/]+\/[^/]+$/.test(signerName)) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    errors.push(invalid(at.child('signerName'), signerName, detail));
  }
  if (expirationSeconds < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.push(invalid(at.child('expirationSeconds'), expirationSeconds, detail));
  }
}
