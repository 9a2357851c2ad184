import type * as v1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { pathSegment } from '../../structural/formats.ts';
import { validateEnum, validateFormat } from '../validation/fields.ts';

/** The writes that a webhook or a policy matches. (pkg/apis/admissionregistration/validation) */

const operationTypes = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];

/** Also checks the names of objects. (validateNamedRuleWithOperations) */
export function validateNamedRuleWithOperations(rule: Unvalidated<v1.NamedRuleWithOperations>, field: Field): void {
  const names = new Set<string>();
  for (const [index, name] of (rule.resourceNames ?? []).entries()) {
    const at = field.child('resourceNames').index(index);
    validateFormat(name, pathSegment, at);
    if (names.has(name)) at.duplicate(name);
    names.add(name);
  }
  validateRuleWithOperations(rule, field);
}

export function validateRuleWithOperations(rule: Unvalidated<v1.RuleWithOperations>, field: Field): void {
  const { apiGroups, apiVersions, resources, operations, scope } = rule;
  validateWildcardList(operations ?? [], 'operations', field.child('operations'));
  for (const [index, operation] of (operations ?? []).entries()) {
    validateEnum(operation, operationTypes, field.child('operations').index(index));
  }
  validateWildcardList(apiGroups ?? [], 'API groups', field.child('apiGroups'));
  validateWildcardList(apiVersions ?? [], 'API versions', field.child('apiVersions'));
  for (const [index, version] of (apiVersions ?? []).entries()) {
    if (version === '') field.child('apiVersions').index(index).required();
  }
  validateResources(resources ?? [], field.child('resources'));
  if (scope !== undefined) validateEnum(scope, scopes, field.child('scope'));
}

/** @param items the plural for the list's items in the message */
function validateWildcardList(list: readonly string[], items: string, field: Field): void {
  if (list.length === 0) field.required();
  if (list.length > 1 && list.includes('*')) {
    field.invalid(list, `if '*' is present, must not specify other ${items}`);
  }
}

function validateResources(resources: readonly string[], field: Field): void {
  if (resources.length === 0) field.required();
  /** As `pods/*` and `*\/status`. */
  const [allSubresources, allResources] = [new Set<string>(), new Set<string>()];
  let hasPlain = false;
  for (const [index, text] of resources.entries()) {
    const at = field.index(index);
    if (text === '') {
      at.required();
      continue;
    }
    const slash = text.indexOf('/');
    if (slash < 0) {
      // the last resource decides, as upstream
      hasPlain = text !== '*';
      continue;
    }
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    const present = (wildcard: string): void => at.invalid(text, `if '${wildcard}' is present, must not specify ${text}`);
    if (allSubresources.has(resource)) present(`${resource}/*`);
    if (allResources.has(subresource)) present(`*/${subresource}`);
    if (subresource === '*') allSubresources.add(resource);
    if (resource === '*') allResources.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    field.invalid(resources, "if '*/*' is present, must not specify other resources");
  }
  if (resources.includes('*') && hasPlain) {
    field.invalid(resources, "if '*' is present, must not specify other resources without subresources");
  }
}
