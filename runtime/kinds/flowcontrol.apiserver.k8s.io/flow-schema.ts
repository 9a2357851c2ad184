import type { KubeObject, Part } from '../../machinery/object.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsLabel, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { type Errors, validateFormat } from '../validation/fields.ts';

/** Flow control. (kubernetes pkg/apis/flowcontrol/validation) */

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const distinguishers = ['ByNamespace', 'ByUser'];
const highestPrecedence = 10_000;

/** Lists of nothing come as null. */
const listed = (list: Part): Part[] => list ?? [];

export function validateFlowSchema(schema: Part, path: FieldPath, errors: Errors): void {
  const { matchingPrecedence = 0, distinguisherMethod, priorityLevelConfiguration, rules } = schema.spec ?? {};
  const at = path.child('spec');
  const precedence = at.child('matchingPrecedence');
  if (matchingPrecedence <= 0) errors.push(invalid(precedence, matchingPrecedence, 'must be a positive value'));
  if (matchingPrecedence > highestPrecedence) {
    errors.push(invalid(precedence, matchingPrecedence, `must not be greater than ${highestPrecedence}`));
  }
  if (matchingPrecedence === 1 && schema.metadata?.name !== 'exempt') {
    const detail = "only the schema named 'exempt' may have matchingPrecedence 1";
    errors.push(invalid(precedence, matchingPrecedence, detail));
  }
  if (distinguisherMethod && !distinguishers.includes(distinguisherMethod.type)) {
    // upstream shows its internal type
    const shown = { Type: distinguisherMethod.type ?? '' };
    errors.push(notSupported(at.child('distinguisherMethod', 'type'), shown, distinguishers));
  }
  const level = at.child('priorityLevelConfiguration', 'name');
  const name = priorityLevelConfiguration?.name ?? '';
  if (name === '') errors.push(required(level, 'must reference a priority level'));
  else validateFormat(name, dnsSubdomain, level, errors);
  for (const [index, rule] of listed(rules).entries())
    validatePolicyRulesWithSubjects(rule, at.child('rules').index(index), errors);
  validateConditions(schema, path, errors);
}

function validatePolicyRulesWithSubjects(rule: Part, path: FieldPath, errors: Errors): void {
  const [subjects, resourceRules] = [listed(rule.subjects), listed(rule.resourceRules)];
  const nonResourceRules = listed(rule.nonResourceRules);
  if (subjects.length === 0) {
    errors.push(required(path.child('subjects'), 'subjects must contain at least one value'));
  }
  for (const [index, subject] of subjects.entries())
    validateSubject(subject, path.child('subjects').index(index), errors);
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    errors.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  }
  for (const [index, each] of resourceRules.entries()) {
    validateResourcePolicyRule(each, path.child('resourceRules').index(index), errors);
  }
  for (const [index, each] of nonResourceRules.entries()) {
    validateNonResourcePolicyRule(each, path.child('nonResourceRules').index(index), errors);
  }
}

const members: Readonly<Record<string, string>> = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' };

function validateSubject(subject: Part, path: FieldPath, errors: Errors): void {
  const { kind = '' } = subject;
  if (!Object.hasOwn(members, kind)) {
    errors.push(notSupported(path.child('kind'), kind, Object.keys(members).sort()));
    return;
  }
  const own = members[kind];
  const value = subject[own];
  const at = path.child(own);
  if (!value) errors.push(required(at, `${own} is required when subject kind is '${kind}'`));
  else if (kind === 'ServiceAccount') validateServiceAccountSubject(value, at, errors);
  else if (!value.name) errors.push(required(at.child('name')));
  for (const [otherKind, other] of Object.entries(members)) {
    if (other === own || !subject[other]) continue;
    errors.push(forbidden(path.child(other), `${other} is forbidden when subject kind is not '${otherKind}'`));
  }
}

function validateServiceAccountSubject({ name = '', namespace = '' }: Part, path: FieldPath, errors: Errors): void {
  if (name === '') errors.push(required(path.child('name')));
  else if (name !== '*') validateFormat(name, dnsSubdomain, path.child('name'), errors);
  if (namespace !== '') validateFormat(namespace, dnsLabel, path.child('namespace'), errors);
  else errors.push(required(path.child('namespace'), 'must specify namespace for service account'));
}

function validateResourcePolicyRule(rule: Part, path: FieldPath, errors: Errors): void {
  validateVerbs(listed(rule.verbs), path.child('verbs'), errors);
  validateWildcardList(listed(rule.apiGroups), path.child('apiGroups'), 'at least one api group', 'api groups', errors);
  validateWildcardList(listed(rule.resources), path.child('resources'), 'at least one resource', 'resources', errors);
  const namespaces = listed(rule.namespaces);
  const at = path.child('namespaces');
  if (namespaces.length === 0 && !rule.clusterScope) {
    errors.push(required(at, 'resource rules that are not cluster scoped must supply at least one namespace'));
  } else if (namespaces.includes('*')) {
    if (namespaces.length > 1) errors.push(invalid(at, namespaces, alone('namespaces')));
  } else {
    for (const [index, namespace] of namespaces.entries()) {
      for (const message of dnsLabel(namespace)) {
        const detail = `each member of this list must be '*' or a DNS-1123 label; ${message}`;
        errors.push(invalid(at.index(index), namespace, detail));
      }
    }
  }
}

const alone = (others: string): string => `if '*' is present, must not specify other ${others}`;

function validateWildcardList(
  list: readonly string[],
  path: FieldPath,
  least: string,
  others: string,
  errors: Errors,
): void {
  if (list.length === 0) errors.push(required(path, `resource rules must supply ${least}`));
  else if (list.length > 1 && list.includes('*')) errors.push(invalid(path, list, alone(others)));
}

function validateVerbs(list: readonly string[], path: FieldPath, errors: Errors): void {
  if (list.length === 0) errors.push(required(path, 'verbs must contain at least one value'));
  else if (list.includes('*')) {
    if (list.length > 1) errors.push(invalid(path, list, alone('verbs')));
  } else if (!list.every((verb) => verbs.includes(verb))) errors.push(notSupported(path, list, verbs));
}

function validateNonResourcePolicyRule(rule: Part, path: FieldPath, errors: Errors): void {
  const urls = listed(rule.nonResourceURLs);
  validateVerbs(listed(rule.verbs), path.child('verbs'), errors);
  const at = path.child('nonResourceURLs');
  if (urls.length === 0) errors.push(required(at, 'nonResourceURLs must contain at least one value'));
  else if (urls.includes('*')) {
    if (urls.length > 1) errors.push(invalid(at, urls, alone('non-resource URLs')));
  } else for (const [index, url] of urls.entries()) validateNonResourceURLPath(url, at.index(index), errors);
}

function validateNonResourceURLPath(url: string, path: FieldPath, errors: Errors): void {
  if (url === '/') return;
  const stars = url.split('*').length - 1;
  if (url === '') errors.push(invalid(path, url, 'must not be empty'));
  else if (!url.startsWith('/')) errors.push(invalid(path, url, 'must start with slash'));
  else if (url.includes(' ')) errors.push(invalid(path, url, 'must not contain white-space'));
  else if (url.includes('//')) errors.push(invalid(path, url, 'must not contain double slash'));
  else if (stars > 1 || (stars === 1 && !url.endsWith('/*'))) {
    errors.push(invalid(path, url, 'wildcard can only do suffix matching'));
  }
}

export function validateConditions({ status }: Part, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, { type = '' }] of listed(status?.conditions).entries()) {
    const at = path.child('status', 'conditions').index(index).child('type');
    if (seen.has(type)) errors.push(duplicate(at, type));
    seen.add(type);
    if (type === '') errors.push(required(at, 'must not be empty'));
  }
}

export const flowSchemaDistinguisher = ({ spec }: KubeObject): string => spec?.distinguisherMethod?.type ?? '<none>';
export const flowSchemaMissingLevel = ({ status }: KubeObject): string =>
  status?.conditions?.find(({ type }: Part) => type === 'Dangling')?.status ?? '?';

/** The order in which flow schemas are matched: by precedence, then by name. (printFlowSchemaList) */
export function byMatchingPrecedence(a: KubeObject, b: KubeObject): number {
  const precedence = ({ spec }: KubeObject): number => spec?.matchingPrecedence ?? 0;
  return precedence(a) - precedence(b) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
}
