import type { ResourceAttributes, SubjectAccessReviewSpec } from '../../../generated/v1.35/authorization.k8s.io/v1/types.ts';
import type { LabelSelectorRequirement } from '../../../generated/v1.35/meta/v1/types.ts';
import { parseFieldSelector } from '../../machinery/selectors/field-selector.ts';
import { type LabelOperator, parseLabelSelector } from '../../machinery/selectors/label-selector.ts';
import { isSelectorError } from '../../machinery/selectors/selector-error.ts';
import type { AuthorizerAttributes } from '../authorizer.ts';

/**
 * Returns the spec of the review for a request. Members that are "" are left out, as in Go. (apiserver
 * plugin/pkg/authorizer/webhook WebhookAuthorizer.Authorize)
 */
export function subjectAccessReviewSpec(attributes: AuthorizerAttributes): SubjectAccessReviewSpec {
  const { user, isResourceRequest, path, verb } = attributes;
  return {
    ...(isResourceRequest
      ? { resourceAttributes: resourceAttributesFrom(attributes) }
      : { nonResourceAttributes: withoutEmpty({ path, verb }) }),
    ...withoutEmpty({ user: user.name, uid: user.uid }),
    ...(user.groups.length > 0 && { groups: [...user.groups] }),
    ...(Object.keys(user.extra).length > 0 && {
      extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])),
    }),
  };
}

function resourceAttributesFrom(attributes: AuthorizerAttributes): ResourceAttributes {
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  const fields = fieldRequirements(attributes.fieldSelector ?? '');
  const labels = labelRequirements(attributes.labelSelector ?? '');
  return {
    ...withoutEmpty({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
    ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
  };
}

/** Converts a spec to v1beta1, which only names the groups differently. (v1SpecToV1beta1Spec) */
export function v1beta1Spec({ groups, ...spec }: SubjectAccessReviewSpec): object {
  return { ...spec, ...(groups && { group: groups }) };
}

function withoutEmpty(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

/**
 * Returns the requirements of a field selector; none for an invalid selector, so that the review is about every object.
 */
function fieldRequirements(selector: string): LabelSelectorRequirement[] {
  return orNone(selector, () =>
    parseFieldSelector(selector).requirements.map(({ field, operator, value }) => ({
      key: field,
      operator: operator === '=' ? 'In' : 'NotIn',
      values: [value],
    })),
  );
}

const operators: Readonly<Partial<Record<LabelOperator, string>>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/** Returns the requirements of a label selector. Comparisons have no operator in a review, and are left out. */
function labelRequirements(selector: string): LabelSelectorRequirement[] {
  return orNone(selector, () =>
    parseLabelSelector(selector).requirements.flatMap(({ key, operator, values }) => {
      const reviewed = operators[operator];
      if (reviewed === undefined) return [];
      return [{ key, operator: reviewed, ...(values.length > 0 && { values: [...values] }) }];
    }),
  );
}

function orNone(selector: string, parse: () => LabelSelectorRequirement[]): LabelSelectorRequirement[] {
  if (selector === '') return [];
  try {
    return parse();
  } catch (error) {
    if (isSelectorError(error)) return [];
    throw error;
  }
}
