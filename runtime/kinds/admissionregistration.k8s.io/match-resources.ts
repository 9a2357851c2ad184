import type * as v1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateEnum } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { validateNamedRuleWithOperations } from './rules.ts';

/** The resources that a policy or a binding matches. (pkg/apis/admissionregistration/validation) */

type MatchResources = Unvalidated<v1.MatchResources>;

export function validateMatchResources(resources: MatchResources, field: Field): void {
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules, excludeResourceRules } = resources;
  if (matchPolicy === undefined) field.child('matchPolicy').required();
  else validateEnum(matchPolicy, ['Equivalent', 'Exact'], field.child('matchPolicy'));
  for (const [name, selector] of Object.entries({ namespaceSelector, objectSelector })) {
    if (selector === undefined) field.child(name).required();
    else validateLabelSelector(selector, field.child(name));
  }
  for (const [name, rules] of Object.entries({ resourceRules, excludeResourceRules })) {
    for (const [index, rule] of (rules ?? []).entries()) {
      validateNamedRuleWithOperations(rule, field.child(name).index(index));
    }
  }
}

const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Deletions cannot be mutated. Upstream's path has no indexes. (supportedMutatingOperations) */
export function validateMutatingOperations({ resourceRules }: MatchResources, field: Field): void {
  const at = field.child('resourceRules', 'operations');
  for (const { operations } of resourceRules ?? []) {
    for (const operation of operations ?? []) validateEnum(operation, mutatingOperations, at);
  }
}
