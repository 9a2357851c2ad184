import type { KubeObject, Part } from '../../machinery/object.ts';
import { canonicalQuantity, compareQuantities, parseQuantity } from '../../machinery/scalars/quantity.ts';
import { invalid, isEnough, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { type Errors, immutableText } from '../validation/fields.ts';
import { none, type WarningRules } from '../warnings.ts';
import {
  isStandardQuotaResourceName,
  roundResourceList,
  validateResourceQuantityValue,
  validateResourceQuotaResourceName,
} from './resource-list.ts';

export function roundHard(spec: Part): void {
  roundResourceList(spec.hard);
}

export function roundHardAndUsed(status: Part): void {
  roundResourceList(status.hard);
  roundResourceList(status.used);
}

/** As `requests.cpu: 1/4, pods: 3/10`; what begins with `limits.` has a column of its own. */
const quotaUsage = ({ status }: KubeObject, limits: boolean): string =>
  Object.keys(status?.hard ?? {})
    .filter((resource) => resource.startsWith('limits.') === limits)
    .sort()
    .map((resource) => `${resource}: ${status.used?.[resource] ?? '0'}/${status.hard[resource]}`)
    .join(', ');

export const quotaRequests = (object: KubeObject): string => quotaUsage(object, false);
export const quotaLimits = (object: KubeObject): string => quotaUsage(object, true);

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
export function validateResourceQuota(quota: Part, path: FieldPath, errors: Errors): void {
  const spec = quota.spec ?? {};
  const at = path.child('spec');
  const resources = Object.keys(spec.hard ?? {}).sort();
  for (const name of resources) {
    validateResourceQuotaResourceName(name, at.child('hard').key(name), errors);
    validateResourceQuantityValue(name, spec.hard[name], at.child('hard').key(name), errors);
  }
  const counted = resources.filter(isStandardQuotaResourceName);
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
  validateScopeConflicts(scopes, scopes, at.child('scopes'), errors);
  if (spec.scopeSelector) validateScopeSelector(spec, counted, at.child('scopeSelector', 'matchExpressions'), errors);
}

function validateScopeConflicts(
  scopes: readonly string[],
  shown: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  for (const pair of opposites) {
    if (pair.every((scope) => scopes.includes(scope))) errors.push(invalid(path, shown, 'conflicting scopes'));
  }
}

function validateScopeSelector(spec: Part, counted: readonly string[], path: FieldPath, errors: Errors): void {
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
  validateScopeConflicts(
    requirements.map(({ scopeName }) => scopeName),
    spec.scopes ?? null,
    path,
    errors,
  );
}

export function validateResourceQuotaUpdate(quota: Part, old: Part, path: FieldPath, errors: Errors): void {
  const scopes: readonly string[] = quota.spec?.scopes ?? [];
  const before: readonly string[] = old.spec?.scopes ?? [];
  const [given, known] = [new Set(scopes), new Set(before)];
  const same = given.size === known.size && scopes.every((scope) => known.has(scope));
  if (!same) errors.push(invalid(path.child('spec', 'scopes'), scopes, immutableText));
}

/** Resources whose requests and limits a quota may both bound; those with `bare` names for requests first. */
const bounded = [
  { name: 'cpu', bare: true },
  { name: 'memory', bare: true },
  { name: 'storage', bare: false },
  { name: 'ephemeral-storage', bare: false },
];

/** More may be requested than limits allow. (pkg/registry/core/resourcequota/strategy.go) */
export const resourceQuotaWarnings: WarningRules = {
  onCreate({ spec }) {
    const hard = spec?.hard;
    if (!hard) return none;
    return bounded.flatMap(({ name, bare }) => {
      const request = hard[`requests.${name}`] === undefined && bare ? name : `requests.${name}`;
      const limit = `limits.${name}`;
      if (hard[request] === undefined || hard[limit] === undefined) return none;
      const [asked, allowed] = [String(hard[request]), String(hard[limit])];
      if (compareQuantities(parseQuantity(asked), parseQuantity(allowed)) <= 0) return none;
      const amounts = [canonicalQuantity(asked), canonicalQuantity(allowed)];
      return [`ResourceQuota ${request} (${amounts[0]}) should be less than ${limit} (${amounts[1]})`];
    });
  },
};
