import type * as flowcontrol from '../../../generated/v1.35/flowcontrol.apiserver.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateFormat } from '../validation/fields.ts';

/** (pkg/apis/flowcontrol/validation) */

type FlowSchema = Unvalidated<flowcontrol.FlowSchema>;
type Subject = Unvalidated<flowcontrol.Subject>;

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const distinguisherMethods = ['ByNamespace', 'ByUser'];
const maxMatchingPrecedence = 10_000;

/** Go writes an empty list as null. */
const listed = <T>(list: readonly T[] | null | undefined): readonly T[] => list ?? [];

export function validateFlowSchema(schema: FlowSchema, field: Field): void {
  const { matchingPrecedence = 0, distinguisherMethod, priorityLevelConfiguration, rules } = schema.spec ?? {};
  const at = field.child('spec');
  const precedence = at.child('matchingPrecedence');
  if (matchingPrecedence <= 0) precedence.invalid(matchingPrecedence, 'must be a positive value');
  if (matchingPrecedence > maxMatchingPrecedence) {
    precedence.invalid(matchingPrecedence, `must not be greater than ${maxMatchingPrecedence}`);
  }
  if (matchingPrecedence === 1 && schema.metadata?.name !== 'exempt') {
    const detail = "only the schema named 'exempt' may have matchingPrecedence 1";
    precedence.invalid(matchingPrecedence, detail);
  }
  if (distinguisherMethod) {
    const { type = '' } = distinguisherMethod;
    // Upstream reports the whole internal struct as the bad value.
    if (!distinguisherMethods.includes(type)) {
      at.child('distinguisherMethod', 'type').notSupported({ Type: type }, distinguisherMethods);
    }
  }
  const level = at.child('priorityLevelConfiguration', 'name');
  const name = priorityLevelConfiguration?.name ?? '';
  if (name === '') level.required('must reference a priority level');
  else validateFormat(name, dnsSubdomain, level);
  for (const [index, rule] of listed(rules).entries()) {
    validatePolicyRulesWithSubjects(rule, at.child('rules').index(index));
  }
  validateConditions(schema, field);
}

function validatePolicyRulesWithSubjects(rule: Unvalidated<flowcontrol.PolicyRulesWithSubjects>, field: Field): void {
  const subjects = listed(rule.subjects);
  const resourceRules = listed(rule.resourceRules);
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

/** The member of a subject, by its kind. */
const subjectMembers = { Group: 'group', ServiceAccount: 'serviceAccount', User: 'user' } as const;

const isSubjectKind = (kind: string): kind is keyof typeof subjectMembers => Object.hasOwn(subjectMembers, kind);

function validateSubject(subject: Subject, field: Field): void {
  const { kind = '' } = subject;
  if (!isSubjectKind(kind)) {
    field.child('kind').notSupported(kind, Object.keys(subjectMembers));
    return;
  }
  const member = subjectMembers[kind];
  const at = field.child(member);
  if (!subject[member]) at.required(`${member} is required when subject kind is '${kind}'`);
  else if (member === 'serviceAccount') validateServiceAccountSubject(subject[member], at);
  else if (!subject[member].name) at.child('name').required();
  for (const otherKind of ['ServiceAccount', 'User', 'Group'] as const) {
    const other = subjectMembers[otherKind];
    if (other === member || !subject[other]) continue;
    field.child(other).forbidden(`${other} is forbidden when subject kind is not '${otherKind}'`);
  }
}

function validateServiceAccountSubject({ name = '', namespace = '' }: Unvalidated<flowcontrol.ServiceAccountSubject>, field: Field): void {
  if (name === '') field.child('name').required();
  else if (name !== '*') validateFormat(name, dnsSubdomain, field.child('name'));
  if (namespace !== '') validateFormat(namespace, dnsLabel, field.child('namespace'));
  else field.child('namespace').required('must specify namespace for service account');
}

function validateResourcePolicyRule(rule: Unvalidated<flowcontrol.ResourcePolicyRule>, field: Field): void {
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

function validateNonResourcePolicyRule(rule: Unvalidated<flowcontrol.NonResourcePolicyRule>, field: Field): void {
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

interface HasConditions {
  readonly status?: { readonly conditions?: readonly Unvalidated<flowcontrol.FlowSchemaCondition>[] };
}

/** (ValidateFlowSchemaStatus, ValidatePriorityLevelConfigurationStatus) */
export function validateConditions({ status }: HasConditions, field: Field): void {
  const seen = new Set<string>();
  for (const [index, { type = '' }] of listed(status?.conditions).entries()) {
    const at = field.child('status', 'conditions').index(index).child('type');
    if (seen.has(type)) at.duplicate(type);
    seen.add(type);
    if (type === '') at.required();
  }
}

export const flowSchemaDistinguisher = ({ spec }: FlowSchema): string => spec?.distinguisherMethod?.type ?? '<none>';
export const flowSchemaMissingLevel = ({ status }: FlowSchema): string =>
  status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?';

/** Compares flow schemas in the order of matching: by precedence, then by name. (printFlowSchemaList) */
export function byMatchingPrecedence(a: FlowSchema, b: FlowSchema): number {
  const precedence = ({ spec }: FlowSchema): number => spec?.matchingPrecedence ?? 0;
  return precedence(a) - precedence(b) || ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1);
}
