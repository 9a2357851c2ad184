import { duplicate, forbidden, invalid, isEnough, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import { checkFormat, type Errors, immutableText } from './checks.ts';
import {
  checkAmount,
  checkContainerResourceName,
  checkQuotaResourceName,
  checkResourceName,
  isOvercommitAllowed,
  isStandardQuotaResource,
  quantityOf,
} from './resource-lists.ts';
import { qualifiedName } from './text-formats.ts';

const podScopes: ReadonlySet<string> = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
]);
const existsOnly: ReadonlySet<string> = new Set([
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
]);
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['NotTerminating', 'Terminating'],
];
const podResources: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
  'pods',
]);

function isScopeValid(scope: string, resource: string): boolean {
  if (scope === 'BestEffort') return resource === 'pods';
  if (podScopes.has(scope)) return podResources.has(resource);
  if (scope === 'VolumeAttributesClass') {
    return resource === 'persistentvolumeclaims' || resource === 'requests.storage';
  }
  return true;
}

/** (pkg/apis/core/validation, ValidateResourceQuotaSpec) */
export function validateQuota(quota: Part, path: FieldPath, errors: Errors): void {
  const spec = quota.spec ?? {};
  const at = path.child('spec');
  const resources = Object.keys(spec.hard ?? {}).sort();
  for (const name of resources) {
    checkQuotaResourceName(name, at.child('hard').key(name), errors);
    checkAmount(name, spec.hard[name], at.child('hard').key(name), errors);
  }
  const counted = resources.filter(isStandardQuotaResource);
  const scopes: readonly string[] = spec.scopes ?? [];
  for (const scope of scopes) {
    if (isEnough(errors)) break;
    if (!podScopes.has(scope) && scope !== 'VolumeAttributesClass') {
      errors.push(invalid(at.child('scopes'), scopes, 'unsupported scope'));
    }
    for (const name of counted) {
      if (!isScopeValid(scope, name)) {
        errors.push(invalid(at.child('scopes'), scopes, 'unsupported scope applied to resource'));
      }
    }
  }
  checkConflicts(scopes, scopes, at.child('scopes'), errors);
  if (spec.scopeSelector) checkScopeSelector(spec, counted, at.child('scopeSelector', 'matchExpressions'), errors);
}

function checkConflicts(scopes: readonly string[], shown: readonly string[], path: FieldPath, errors: Errors): void {
  for (const pair of opposites) {
    if (pair.every((scope) => scopes.includes(scope))) errors.push(invalid(path, shown, 'conflicting scopes'));
  }
}

function checkScopeSelector(spec: Part, counted: readonly string[], path: FieldPath, errors: Errors): void {
  const requirements: readonly Part[] = spec.scopeSelector.matchExpressions ?? [];
  for (const { scopeName = '', operator = '', values = [] } of requirements) {
    if (isEnough(errors)) break;
    if (!podScopes.has(scopeName) && scopeName !== 'VolumeAttributesClass') {
      errors.push(invalid(path.child('scopeName'), scopeName, 'unsupported scope'));
    }
    for (const name of counted) {
      if (!isScopeValid(scopeName, name)) {
        errors.push(invalid(path, spec.scopeSelector, 'unsupported scope applied to resource'));
      }
    }
    if (existsOnly.has(scopeName) && operator !== 'Exists') {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      errors.push(invalid(path.child('operator'), operator, detail));
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) {
        const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
        errors.push(required(path.child('values'), detail));
      }
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
        errors.push(invalid(path.child('values'), values, detail));
      }
    } else errors.push(invalid(path.child('operator'), operator, 'not a valid selector operator'));
  }
  checkConflicts(
    requirements.map(({ scopeName }) => scopeName),
    spec.scopes ?? null,
    path,
    errors,
  );
}

export function updateQuota(quota: Part, old: Part, path: FieldPath, errors: Errors): void {
  const scopes: readonly string[] = quota.spec?.scopes ?? [];
  const before: readonly string[] = old.spec?.scopes ?? [];
  const [given, known] = [new Set(scopes), new Set(before)];
  const same = given.size === known.size && scopes.every((scope) => known.has(scope));
  if (!same) errors.push(invalid(path.child('spec', 'scopes'), scopes, immutableText));
}

const limitTypes: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

/** (ValidateLimitRange) */
export function validateLimitRange(range: Part, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, limit] of (range.spec?.limits ?? []).entries()) {
    const at = path.child('spec', 'limits').index(index);
    const { type = '' } = limit;
    const before = errors.length;
    checkFormat(type, qualifiedName, at.child('type'), errors);
    if (errors.length === before && !type.includes('/') && !limitTypes.has(type)) {
      errors.push(invalid(at.child('type'), type, 'must be a standard limit type or fully qualified'));
    }
    if (seen.has(type)) errors.push(duplicate(at.child('type'), type));
    seen.add(type);
    checkLimit(limit, at, errors);
  }
}

function checkLimit(limit: Part, path: FieldPath, errors: Errors): void {
  const checkResource =
    limit.type === 'Pod' || limit.type === 'Container' ? checkContainerResourceName : checkResourceName;
  const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];
  for (const list of lists) {
    const names = Object.keys(limit[list] ?? {});
    if (limit.type === 'Pod' && list.startsWith('default')) {
      if (names.length > 0) errors.push(forbidden(path.child(list), "may not be specified when `type` is 'Pod'"));
    } else for (const name of names) checkResource(name, path.child(list).key(name), errors);
  }
  if (limit.type === 'PersistentVolumeClaim' && !limit.min?.storage && !limit.max?.storage) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(required(path.child('limits'), detail));
  }
  const names = new Set(lists.flatMap((list) => Object.keys(limit[list] ?? {})));
  for (const name of names) checkOrder(name, limit, path, errors);
}

function checkOrder(name: string, limit: Part, path: FieldPath, errors: Errors): void {
  const pod = limit.type === 'Pod';
  // a name may be one that every object inherits
  const amounts = (list: Part): Part => (list && Object.hasOwn(list, name) ? list : undefined);
  const [min, max, ratio] = [limit.min, limit.max, limit.maxLimitRequestRatio].map(amounts);
  const defaults = pod ? undefined : amounts(limit.default);
  const requests = pod ? undefined : amounts(limit.defaultRequest);
  const exceeds = (low: Part, high: Part): boolean =>
    low?.[name] !== undefined &&
    high?.[name] !== undefined &&
    compareQuantities(quantityOf(low[name]), quantityOf(high[name])) > 0;
  const report = (list: string, shown: string, detail: string): void => {
    errors.push(invalid(path.child(list).key(name), shown, detail));
  };
  if (exceeds(min, max)) report('min', min[name], `min value ${min[name]} is greater than max value ${max[name]}`);
  if (exceeds(min, requests)) {
    const detail = `min value ${min[name]} is greater than default request value ${requests[name]}`;
    report('defaultRequest', requests[name], detail);
  }
  if (exceeds(requests, max)) {
    const detail = `default request value ${requests[name]} is greater than max value ${max[name]}`;
    report('defaultRequest', requests[name], detail);
  }
  if (exceeds(requests, defaults)) {
    const detail = `default request value ${requests[name]} is greater than default limit value ${defaults[name]}`;
    report('defaultRequest', requests[name], detail);
  }
  if (exceeds(min, defaults)) {
    report('default', min[name], `min value ${min[name]} is greater than default value ${defaults[name]}`);
  }
  if (exceeds(defaults, max)) {
    report('default', max[name], `default value ${defaults[name]} is greater than max value ${max[name]}`);
  }
  if (ratio?.[name] !== undefined && compareQuantities(quantityOf(ratio[name]), quantityOf('1')) < 0) {
    report('maxLimitRequestRatio', ratio[name], `ratio ${ratio[name]} is less than 1`);
  }
  if (!isOvercommitAllowed(name) && (exceeds(defaults, requests) || exceeds(requests, defaults))) {
    const detail = `default value ${defaults[name]} must equal to defaultRequest value ${requests[name]} in ${name}`;
    report('defaultRequest', requests[name], detail);
  }
}
