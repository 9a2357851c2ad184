import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateFormat } from '../validation/fields.ts';

/** Flow control. (kubernetes pkg/apis/flowcontrol/validation) */

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const distinguishers = ['ByNamespace', 'ByUser'];
const highestPrecedence = 10_000;

/** Lists of nothing come as null. */
const listed = (list: Part): Part[] => list ?? [];

export function validateFlowSchema(schema: Part, field: Field): void {
  const { matchingPrecedence = 0, distinguisherMethod, priorityLevelConfiguration, rules } = schema.spec ?? {};
  const at = field.child('spec');
  const precedence = at.child('matchingPrecedence');
  if (matchingPrecedence <= 0) precedence.invalid(matchingPrecedence, 'must be a positive value');
  if (matchingPrecedence > highestPrecedence) {
    precedence.invalid(matchingPrecedence, `must not be greater than ${highestPrecedence}`);
  }
  if (matchingPrecedence === 1 && schema.metadata?.name !== 'exempt') {
    const detail = "only the schema named 'exempt' may have matchingPrecedence 1";
    precedence.invalid(matchingPrecedence, detail);
  }
  if (distinguisherMethod && !distinguishers.includes(distinguisherMethod.type)) {
    // upstream shows its internal type
    const shown = { Type: distinguisherMethod.type ?? '' };
    at.child('distinguisherMethod', 'type').notSupported(shown, distinguishers);
  }
  const level = at.child('priorityLevelConfiguration', 'name');
  const name = priorityLevelConfiguration?.name ?? '';
  if (name === '') level.required('must reference a priority level');
  else validateFormat(name, dnsSubdomain, level);
  for (const [index, rule] of listed(rules).entries())
    validatePolicyRulesWithSubjects(rule, at.child('rules').index(index));
  validateConditions(schema, field);
}

function validatePolicyRulesWithSubjects(rule: Part, field: Field): void {
  const [subjects, resourceRules] = [listed(rule.subjects), listed(rule.resourceRules)];
  const nonResourceRules = listed(rule.nonResourceRules);
  if (subjects.length === 0) {
    field.child('subjects').required('subjects must contain at least one value');
  }
  for (const [index, subject] of subjects.entries()) validateSubject(subject, field.child('subjects').index(index));
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    field.required('at least one of resourceRules and nonResourceRules has to be non-empty');
  }
  for (const [index, each] of resourceRules.entries()) {
    validateResourcePolicyRule(each, field.child('resourceRules').index(index));
  }
  for (const [index, each] of nonResourceRules.entries()) {
    validateNonResourcePolicyRule(each, field.child('nonResourceRules').index(index));
  }
}

const members: Readonly<Record<string, string>> = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' };

function validateSubject(subject: Part, field: Field): void {
  const { kind = '' } = subject;
  if (!Object.hasOwn(members, kind)) {
    field.child('kind').notSupported(kind, Object.keys(members).sort());
    return;
  }
  const own = members[kind];
  const value = subject[own];
  const at = field.child(own);
  if (!value) at.required(`${own} is required when subject kind is '${kind}'`);
  else if (kind === 'ServiceAccount') validateServiceAccountSubject(value, at);
  else if (!value.name) at.child('name').required();
  for (const [otherKind, other] of Object.entries(members)) {
    if (other === own || !subject[other]) continue;
    field.child(other).forbidden(`${other} is forbidden when subject kind is not '${otherKind}'`);
  }
}

function validateServiceAccountSubject({ name = '', namespace = '' }: Part, field: Field): void {
  if (name === '') field.child('name').required();
  else if (name !== '*') validateFormat(name, dnsSubdomain, field.child('name'));
  if (namespace !== '') validateFormat(namespace, dnsLabel, field.child('namespace'));
  else field.child('namespace').required('must specify namespace for service account');
}

function validateResourcePolicyRule(rule: Part, field: Field): void {
  validateVerbs(listed(rule.verbs), field.child('verbs'));
  validateWildcardList(listed(rule.apiGroups), field.child('apiGroups'), 'at least one api group', 'api groups');
  validateWildcardList(listed(rule.resources), field.child('resources'), 'at least one resource', 'resources');
  const namespaces = listed(rule.namespaces);
  const at = field.child('namespaces');
  if (namespaces.length === 0 && !rule.clusterScope) {
    at.required('resource rules that are not cluster scoped must supply at least one namespace');
  } else if (namespaces.includes('*')) {
    if (namespaces.length > 1) at.invalid(namespaces, alone('namespaces'));
  } else {
    for (const [index, namespace] of namespaces.entries()) {
      for (const message of dnsLabel(namespace)) {
        const detail = `each member of this list must be '*' or a DNS-1123 label; ${message}`;
        at.index(index).invalid(namespace, detail);
      }
    }
  }
}

const alone = (others: string): string => `if '*' is present, must not specify other ${others}`;

function validateWildcardList(list: readonly string[], field: Field, least: string, others: string): void {
  if (list.length === 0) field.required(`resource rules must supply ${least}`);
  else if (list.length > 1 && list.includes('*')) field.invalid(list, alone(others));
}

function validateVerbs(list: readonly string[], field: Field): void {
  if (list.length === 0) field.required('verbs must contain at least one value');
  else if (list.includes('*')) {
    if (list.length > 1) field.invalid(list, alone('verbs'));
  } else if (!list.every((verb) => verbs.includes(verb))) field.notSupported(list, verbs);
}

function validateNonResourcePolicyRule(rule: Part, field: Field): void {
  const urls = listed(rule.nonResourceURLs);
  validateVerbs(listed(rule.verbs), field.child('verbs'));
  const at = field.child('nonResourceURLs');
  if (urls.length === 0) at.required('nonResourceURLs must contain at least one value');
  else if (urls.includes('*')) {
    if (urls.length > 1) at.invalid(urls, alone('non-resource URLs'));
  } else for (const [index, url] of urls.entries()) validateNonResourceURLPath(url, at.index(index));
}

function validateNonResourceURLPath(url: string, field: Field): void {
  if (url === '/') return;
  const stars = url.split('*').length - 1;
  if (url === '') field.invalid(url, 'must not be empty');
  else if (!url.startsWith('/')) field.invalid(url, 'must start with slash');
  else if (url.includes(' ')) field.invalid(url, 'must not contain white-space');
  else if (url.includes('//')) field.invalid(url, 'must not contain double slash');
  else if (stars > 1 || (stars === 1 && !url.endsWith('/*'))) {
    field.invalid(url, 'wildcard can only do suffix matching');
  }
}

export function validateConditions({ status }: Part, field: Field): void {
  const seen = new Set<string>();
  for (const [index, { type = '' }] of listed(status?.conditions).entries()) {
    const at = field.child('status', 'conditions').index(index).child('type');
    if (seen.has(type)) at.duplicate(type);
    seen.add(type);
    if (type === '') at.required('must not be empty');
  }
}

export const flowSchemaDistinguisher = ({ spec }: KubeObject): string => spec?.distinguisherMethod?.type ?? '<none>';
export const flowSchemaMissingLevel = ({ status }: KubeObject): string =>
  status?.conditions?.find(({ type }: Part) => type === 'Dangling')?.status ?? '?';

/** The order in which flow schemas are matched: by precedence, then by name. (printFlowSchemaList) */
export function byMatchingPrecedence(a: KubeObject, b: KubeObject): number {
  const precedence = ({ spec }: KubeObject): number => spec?.matchingPrecedence ?? 0;
  return precedence(a) - precedence(b) || ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1);
}
