import { auditLevels } from '../../machinery/audit-context.ts';
import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldErrors } from '../../machinery/validation/field-errors.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { type GroupResources, type Policy, type PolicyRule, stages } from '../types.ts';

/** (apis/audit/validation ValidatePolicy) */
export function validatePolicy({ omitStages, rules = [] }: Policy): FieldError[] {
  const errors = new FieldErrors();
  const root = Field.at(FieldPath.root, errors);
  validateOmitStages(omitStages, root.child('omitStages'));
  for (const [index, rule] of rules.entries()) validateRule(rule, root.child('rules').index(index));
  return errors;
}

function validateRule(rule: PolicyRule, field: Field): void {
  const { nonResourceURLs = [], resources = [], namespaces = [] } = rule;
  validateLevel(rule.level, field.child('level'));
  validateNonResourceURLs(nonResourceURLs, field.child('nonResourceURLs'));
  for (const entry of resources) validateGroupResources(entry, field.child('resources'));
  validateOmitStages(rule.omitStages, field.child('omitStages'));
  if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0)) {
    const why = 'rules cannot apply to both regular resources and non-resource URLs';
    field.child('nonResourceURLs').invalid(nonResourceURLs, why);
  }
}

function validateLevel(level: string | undefined, field: Field): void {
  if (!level) field.required();
  else if (!(auditLevels as readonly string[]).includes(level)) field.notSupported(level, auditLevels);
}

function validateNonResourceURLs(urls: readonly string[], field: Field): void {
  for (const [index, url] of urls.entries()) {
    if (url === '*') continue;
    if (!url.startsWith('/')) field.index(index).invalid(url, "non-resource URL rules must begin with a '/' character");
    if (url.slice(0, -1).includes('*')) {
      field.index(index).invalid(url, "non-resource URL wildcards '*' must be the final character of the rule");
    }
  }
}

function validateGroupResources({ group, resources = [], resourceNames = [] }: GroupResources, field: Field): void {
  if (group) {
    const messages = dnsSubdomain(group);
    if (messages.length > 0) field.child('group').invalid(group, messages.join(','));
  }
  if (resourceNames.length > 0 && resources.length === 0) {
    field.child('resourceNames').invalid(resourceNames, 'using resourceNames requires at least one resource');
  }
}

function validateOmitStages(omitStages: readonly string[] = [], field: Field): void {
  for (const [index, stage] of omitStages.entries()) {
    if (!(stages as readonly string[]).includes(stage)) {
      field.index(index).invalid(stage, `allowed stages are ${stages.join(',')}`);
    }
  }
}
