import { duplicate, forbidden, invalid, notSupported, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { checkFormat, type Errors } from './checks.ts';
import { dnsLabel, dnsSubdomain } from './text-formats.ts';

/** Flow control. (kubernetes pkg/apis/flowcontrol/validation) */

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const distinguishers = ['ByNamespace', 'ByUser'];
const highestPrecedence = 10_000;
const mostQueues = 10_000_000;

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
  else checkFormat(name, dnsSubdomain, level, errors);
  for (const [index, rule] of listed(rules).entries()) checkRule(rule, at.child('rules').index(index), errors);
  checkConditions(schema, path, errors);
}

function checkRule(rule: Part, path: FieldPath, errors: Errors): void {
  const [subjects, resourceRules] = [listed(rule.subjects), listed(rule.resourceRules)];
  const nonResourceRules = listed(rule.nonResourceRules);
  if (subjects.length === 0) {
    errors.push(required(path.child('subjects'), 'subjects must contain at least one value'));
  }
  for (const [index, subject] of subjects.entries()) checkSubject(subject, path.child('subjects').index(index), errors);
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    errors.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  }
  for (const [index, each] of resourceRules.entries()) {
    checkResourceRule(each, path.child('resourceRules').index(index), errors);
  }
  for (const [index, each] of nonResourceRules.entries()) {
    checkNonResourceRule(each, path.child('nonResourceRules').index(index), errors);
  }
}

const members: Readonly<Record<string, string>> = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' };

function checkSubject(subject: Part, path: FieldPath, errors: Errors): void {
  const { kind = '' } = subject;
  if (!Object.hasOwn(members, kind)) {
    errors.push(notSupported(path.child('kind'), kind, Object.keys(members).sort()));
    return;
  }
  const own = members[kind];
  const value = subject[own];
  const at = path.child(own);
  if (!value) errors.push(required(at, `${own} is required when subject kind is '${kind}'`));
  else if (kind === 'ServiceAccount') checkServiceAccount(value, at, errors);
  else if (!value.name) errors.push(required(at.child('name')));
  for (const [otherKind, other] of Object.entries(members)) {
    if (other === own || !subject[other]) continue;
    errors.push(forbidden(path.child(other), `${other} is forbidden when subject kind is not '${otherKind}'`));
  }
}

function checkServiceAccount({ name = '', namespace = '' }: Part, path: FieldPath, errors: Errors): void {
  if (name === '') errors.push(required(path.child('name')));
  else if (name !== '*') checkFormat(name, dnsSubdomain, path.child('name'), errors);
  if (namespace !== '') checkFormat(namespace, dnsLabel, path.child('namespace'), errors);
  else errors.push(required(path.child('namespace'), 'must specify namespace for service account'));
}

function checkResourceRule(rule: Part, path: FieldPath, errors: Errors): void {
  checkVerbs(listed(rule.verbs), path.child('verbs'), errors);
  checkWildcard(listed(rule.apiGroups), path.child('apiGroups'), 'at least one api group', 'api groups', errors);
  checkWildcard(listed(rule.resources), path.child('resources'), 'at least one resource', 'resources', errors);
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

function checkWildcard(list: readonly string[], path: FieldPath, least: string, others: string, errors: Errors): void {
  if (list.length === 0) errors.push(required(path, `resource rules must supply ${least}`));
  else if (list.length > 1 && list.includes('*')) errors.push(invalid(path, list, alone(others)));
}

function checkVerbs(list: readonly string[], path: FieldPath, errors: Errors): void {
  if (list.length === 0) errors.push(required(path, 'verbs must contain at least one value'));
  else if (list.includes('*')) {
    if (list.length > 1) errors.push(invalid(path, list, alone('verbs')));
  } else if (!list.every((verb) => verbs.includes(verb))) errors.push(notSupported(path, list, verbs));
}

function checkNonResourceRule(rule: Part, path: FieldPath, errors: Errors): void {
  const urls = listed(rule.nonResourceURLs);
  checkVerbs(listed(rule.verbs), path.child('verbs'), errors);
  const at = path.child('nonResourceURLs');
  if (urls.length === 0) errors.push(required(at, 'nonResourceURLs must contain at least one value'));
  else if (urls.includes('*')) {
    if (urls.length > 1) errors.push(invalid(at, urls, alone('non-resource URLs')));
  } else for (const [index, url] of urls.entries()) checkUrlPath(url, at.index(index), errors);
}

function checkUrlPath(url: string, path: FieldPath, errors: Errors): void {
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

function checkConditions({ status }: Part, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, { type = '' }] of listed(status?.conditions).entries()) {
    const at = path.child('status', 'conditions').index(index).child('type');
    if (seen.has(type)) errors.push(duplicate(at, type));
    seen.add(type);
    if (type === '') errors.push(required(at, 'must not be empty'));
  }
}

export function validatePriorityLevel(level: Part, path: FieldPath, errors: Errors): void {
  const { type = '', limited, exempt } = level.spec ?? {};
  const at = path.child('spec');
  if ((level.metadata?.name === 'exempt') !== (type === 'Exempt')) {
    errors.push(invalid(at.child('type'), type, "type must be 'Exempt' if and only if name is 'exempt'"));
  }
  if (type === 'Exempt') {
    if (limited) errors.push(forbidden(at.child('limited'), 'must be nil if the type is not Limited'));
    if (exempt) checkExempt(exempt, at.child('exempt'), errors);
  } else if (type === 'Limited') {
    if (exempt) errors.push(forbidden(at.child('exempt'), 'must be nil if the type is Limited'));
    if (!limited) errors.push(required(at.child('limited'), 'must not be empty when type is Limited'));
    else checkLimited(limited, at.child('limited'), errors);
  } else errors.push(notSupported(at.child('type'), type, ['Exempt', 'Limited']));
  checkConditions(level, path, errors);
}

function checkExempt(exempt: Part, path: FieldPath, errors: Errors): void {
  checkShares(exempt.nominalConcurrencyShares ?? 0, path, errors);
  checkLendable(exempt.lendablePercent ?? 0, path, errors);
}

function checkLimited(limited: Part, path: FieldPath, errors: Errors): void {
  checkShares(limited.nominalConcurrencyShares ?? 0, path, errors);
  checkLimitResponse(limited.limitResponse ?? {}, path.child('limitResponse'), errors);
  checkLendable(limited.lendablePercent ?? 0, path, errors);
  const { borrowingLimitPercent } = limited;
  if (borrowingLimitPercent !== undefined && borrowingLimitPercent < 0) {
    const detail = 'if specified, must be a non-negative integer';
    errors.push(invalid(path.child('borrowingLimitPercent'), borrowingLimitPercent, detail));
  }
}

function checkShares(shares: number, path: FieldPath, errors: Errors): void {
  if (shares < 0) {
    errors.push(invalid(path.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer'));
  }
}

function checkLendable(percent: number, path: FieldPath, errors: Errors): void {
  if (percent < 0 || percent > 100) {
    errors.push(invalid(path.child('lendablePercent'), percent, 'must be between 0 and 100, inclusive'));
  }
}

function checkLimitResponse({ type = '', queuing }: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('queuing');
  if (type === 'Reject') {
    if (queuing) errors.push(forbidden(at, 'must be nil if limited.limitResponse.type is not Limited'));
  } else if (type === 'Queue') {
    if (!queuing) errors.push(required(at, 'must not be empty if limited.limitResponse.type is Limited'));
    else checkQueuing(queuing, at, errors);
  } else errors.push(notSupported(path.child('type'), type, ['Queue', 'Reject']));
}

function checkQueuing({ queues = 0, handSize = 0, queueLengthLimit = 0 }: Part, path: FieldPath, errors: Errors): void {
  if (queueLengthLimit <= 0) errors.push(invalid(path.child('queueLengthLimit'), queueLengthLimit, 'must be positive'));
  if (queues <= 0) errors.push(invalid(path.child('queues'), queues, 'must be positive'));
  else if (queues > mostQueues) {
    errors.push(invalid(path.child('queues'), queues, `must not be greater than ${mostQueues}`));
  }
  if (handSize <= 0) errors.push(invalid(path.child('handSize'), handSize, 'must be positive'));
  else if (handSize > queues) {
    errors.push(invalid(path.child('handSize'), handSize, `should not be greater than queues (${queues})`));
  }
}
