import { duplicate, forbidden, invalid, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import {
  checkEnum,
  checkFormat,
  checkImmutable,
  checkLabelSelector,
  checkPort,
  checkRequiredEnum,
  type Errors,
} from './checks.ts';
import { dnsLabel, dnsSubdomain } from './text-formats.ts';

/** Admission, priorities, leases, API services. */

const highestUserPriority = 1_000_000_000;
const systemPriorities: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/** (pkg/apis/scheduling/validation) */
export function validatePriorityClass(priorityClass: Part, path: FieldPath, errors: Errors): void {
  const name = priorityClass.metadata?.name ?? '';
  const { value = 0, preemptionPolicy } = priorityClass;
  if (name.startsWith('system-')) {
    if (systemPriorities[name] !== value) {
      const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${
        name in systemPriorities
          ? `value of ${name} PriorityClass must be ${systemPriorities[name]}`
          : `${name} is not a known system priority class`
      }`;
      errors.push(forbidden(path.child('metadata', 'name'), detail));
    }
  } else if (value > highestUserPriority) {
    const detail = `maximum allowed value of a user defined priority is ${highestUserPriority}`;
    errors.push(forbidden(path.child('value'), detail));
  }
  if (preemptionPolicy !== undefined) {
    checkRequiredEnum(preemptionPolicy, ['PreemptLowerPriority', 'Never'], path.child('preemptionPolicy'), errors);
  }
}

export function updatePriorityClass(priorityClass: Part, old: Part, path: FieldPath, errors: Errors): void {
  if ((priorityClass.value ?? 0) !== (old.value ?? 0)) {
    errors.push(forbidden(path.child('value'), 'may not be changed in an update.'));
  }
  checkImmutable(priorityClass.preemptionPolicy, old.preemptionPolicy, path.child('preemptionPolicy'), errors);
}

const reviewVersions = ['v1', 'v1beta1'];

/** (pkg/apis/admissionregistration/validation) Of both kinds of webhook configurations. */
export function validateWebhooks(configuration: Part, path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  for (const [index, webhook] of (configuration.webhooks ?? []).entries()) {
    const at = path.child('webhooks').index(index);
    const { name = '', sideEffects, timeoutSeconds } = webhook;
    checkQualifiedDomain(name, at.child('name'), errors);
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    for (const [place, rule] of (webhook.rules ?? []).entries()) {
      checkWebhookRule(rule, at.child('rules').index(place), errors);
    }
    if (sideEffects == null) {
      errors.push(required(at.child('sideEffects'), 'must specify one of None, NoneOnDryRun'));
    } else checkEnum(sideEffects, ['None', 'NoneOnDryRun'], at.child('sideEffects'), errors);
    if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
      const detail = 'the timeout value must be between 1 and 30 seconds';
      errors.push(invalid(at.child('timeoutSeconds'), timeoutSeconds, detail));
    }
    checkReviewVersions(webhook.admissionReviewVersions ?? [], at.child('admissionReviewVersions'), errors);
    checkLabelSelector(webhook.namespaceSelector, at.child('namespaceSelector'), errors);
    checkLabelSelector(webhook.objectSelector, at.child('objectSelector'), errors);
    checkClientConfig(webhook.clientConfig ?? {}, at.child('clientConfig'), errors);
  }
}

function checkReviewVersions(versions: readonly string[], path: FieldPath, errors: Errors): void {
  const known = reviewVersions.join(', ');
  if (versions.length === 0) errors.push(required(path, `must specify one of ${known}`));
  else if (!versions.some((version) => reviewVersions.includes(version))) {
    errors.push(invalid(path, versions, `must include at least one of ${known}`));
  }
}

function checkQualifiedDomain(name: string, path: FieldPath, errors: Errors): void {
  if (name === '') {
    errors.push(required(path));
    return;
  }
  const wrong = dnsSubdomain(name);
  if (wrong.length > 0) errors.push(invalid(path, name, wrong.join(',')));
  else if (name.split('.').length < 3) {
    errors.push(invalid(path, name, 'should be a domain with at least three segments separated by dots'));
  }
}

function checkWebhookRule(rule: Part, path: FieldPath, errors: Errors): void {
  for (const name of ['apiGroups', 'apiVersions', 'resources', 'operations']) {
    const values: readonly string[] = rule[name] ?? [];
    const at = path.child(name);
    if (values.length === 0) errors.push(required(at));
    if (name === 'resources') continue;
    if (values.length > 1 && values.includes('*')) {
      const detail = "if '*' is present, must not specify other ";
      const what = { apiGroups: 'API groups', apiVersions: 'API versions', operations: 'operations' }[name];
      errors.push(invalid(at, values, `${detail}${what}`));
    }
    if (name !== 'apiVersions') continue;
    for (const [index, value] of values.entries()) if (value === '') errors.push(required(at.index(index)));
  }
}

function checkClientConfig({ url, service }: Part, path: FieldPath, errors: Errors): void {
  if ((url === undefined) === (service === undefined)) {
    errors.push(required(path, 'exactly one of url or service is required'));
  } else if (url !== undefined) checkUrl(url, path.child('url'), errors);
  else {
    for (const name of ['name', 'namespace']) {
      if (!service[name]) errors.push(required(path.child('service', name), `service ${name} is required`));
    }
    if (service.port !== undefined && (service.port < 1 || service.port > 65535)) {
      const detail = 'port is not valid: must be between 1 and 65535, inclusive';
      errors.push(invalid(path.child('service', 'port'), service.port, detail));
    }
    if (service.path !== undefined && !service.path.startsWith('/')) {
      errors.push(invalid(path.child('service', 'path'), service.path, "must start with a '/'"));
    }
  }
}

function checkUrl(text: string, path: FieldPath, errors: Errors): void {
  const form = '; desired format: https://host[/path]';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    errors.push(required(path, `url must be a valid URL${form}`));
    return;
  }
  if (url.protocol !== 'https:') {
    errors.push(invalid(path, url.protocol.replace(/:$/, ''), `'https' is the only allowed URL scheme${form}`));
  }
  if (url.host === '') errors.push(invalid(path, url.host, `host must be specified${form}`));
  if (url.username || url.password) {
    errors.push(invalid(path, url.username, 'user information is not permitted in the URL'));
  }
  if (url.hash) errors.push(invalid(path, url.hash.slice(1), 'fragments are not permitted in the URL'));
  if (url.search) errors.push(invalid(path, url.search.slice(1), 'query parameters are not permitted in the URL'));
}

function checkMatch(match: Part, path: FieldPath, errors: Errors): void {
  if (!match) {
    errors.push(required(path));
    return;
  }
  if (!match.resourceRules?.length) errors.push(required(path.child('resourceRules')));
  checkLabelSelector(match.namespaceSelector, path.child('namespaceSelector'), errors);
  checkLabelSelector(match.objectSelector, path.child('objectSelector'), errors);
}

/** (ValidateValidatingAdmissionPolicy) Expressions are compiled elsewhere. */
export function validateAdmissionPolicy(policy: Part, path: FieldPath, errors: Errors): void {
  const { validations = [], auditAnnotations = [], matchConstraints } = policy.spec ?? {};
  const at = path.child('spec');
  checkMatch(matchConstraints, at.child('matchConstraints'), errors);
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

export function validateMutatingPolicy(policy: Part, path: FieldPath, errors: Errors): void {
  const { mutations = [], matchConstraints } = policy.spec ?? {};
  const at = path.child('spec');
  checkMatch(matchConstraints, at.child('matchConstraints'), errors);
  if (mutations.length === 0) errors.push(required(at.child('mutations'), 'mutations must contain at least one item'));
}

export function validatePolicyBinding(binding: Part, path: FieldPath, errors: Errors): void {
  const { policyName = '', validationActions = [] } = binding.spec ?? {};
  const at = path.child('spec');
  checkPolicyName(policyName, at.child('policyName'), errors);
  const actions = at.child('validationActions');
  if (validationActions.length === 0) errors.push(required(actions, 'at least one validation action is required'));
  if (validationActions.includes('Deny') && validationActions.includes('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    errors.push(invalid(actions, validationActions, detail));
  }
}

export function validateMutatingBinding(binding: Part, path: FieldPath, errors: Errors): void {
  checkPolicyName(binding.spec?.policyName ?? '', path.child('spec', 'policyName'), errors);
}

function checkPolicyName(name: string, path: FieldPath, errors: Errors): void {
  if (name === '') errors.push(required(path));
  else checkFormat(name, dnsSubdomain, path, errors);
}

/** (pkg/apis/coordination/validation) */
export function validateLease(lease: Part, path: FieldPath, errors: Errors): void {
  const { leaseDurationSeconds, leaseTransitions } = lease.spec ?? {};
  const at = path.child('spec');
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    errors.push(invalid(at.child('leaseDurationSeconds'), leaseDurationSeconds, 'must be greater than 0'));
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    errors.push(invalid(at.child('leaseTransitions'), leaseTransitions, 'must be greater than or equal to 0'));
  }
}

/** (pkg/apis/node/validation) */
export function validateRuntimeClass(runtimeClass: Part, path: FieldPath, errors: Errors): void {
  checkFormat(runtimeClass.handler ?? '', dnsLabel, path.child('handler'), errors);
}

export function updateRuntimeClass(runtimeClass: Part, old: Part, path: FieldPath, errors: Errors): void {
  checkImmutable(runtimeClass.handler, old.handler, path.child('handler'), errors);
}

/** (kube-aggregator pkg/apis/apiregistration/validation) */
export function validateAPIService(apiService: Part, path: FieldPath, errors: Errors): void {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0, service } = apiService.spec ?? {};
  const at = path.child('spec');
  const name = `${version}.${group}`;
  if (apiService.metadata?.name !== name) {
    const detail = `must be \`spec.version+"."+spec.group\`: "${name}"`;
    errors.push(invalid(path.child('metadata', 'name'), apiService.metadata?.name ?? '', detail));
  }
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    const detail = 'must be positive and less than 20000';
    errors.push(invalid(at.child('groupPriorityMinimum'), groupPriorityMinimum, detail));
  }
  if (versionPriority <= 0 || versionPriority > 1000) {
    errors.push(invalid(at.child('versionPriority'), versionPriority, 'must be positive and less than 1000'));
  }
  if (!service) return;
  for (const part of ['namespace', 'name']) if (!service[part]) errors.push(required(at.child('service', part)));
  if (service.port !== undefined) checkPort(service.port, at.child('service', 'port'), errors);
}
