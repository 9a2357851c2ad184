import type { KubeObject, Part } from '../../machinery/object.ts';
import { canonicalQuantity, compareQuantities, parseQuantity } from '../../machinery/scalars/quantity.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { isEnough } from '../../machinery/validation/field-error.ts';
import { immutableText } from '../validation/fields.ts';
import { none, type WarningStrategy } from '../warnings.ts';
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
export function validateResourceQuota(quota: Part, field: Field): void {
  const spec = quota.spec ?? {};
  const at = field.child('spec');
  const resources = Object.keys(spec.hard ?? {}).sort();
  for (const name of resources) {
    validateResourceQuotaResourceName(name, at.child('hard').key(name));
    validateResourceQuantityValue(name, spec.hard[name], at.child('hard').key(name));
  }
  const counted = resources.filter(isStandardQuotaResourceName);
  const scopes: readonly string[] = spec.scopes ?? [];
  for (const scope of scopes) {
    if (isEnough(field.errors)) break;
    if (!podScopes.has(scope) && scope !== 'VolumeAttributesClass') {
      at.child('scopes').invalid(scopes, 'unsupported scope');
    }
    for (const name of counted) {
      if (!isScopeValid(scope, name)) {
        at.child('scopes').invalid(scopes, 'unsupported scope applied to resource');
      }
    }
  }
  validateScopeConflicts(scopes, scopes, at.child('scopes'));
  if (spec.scopeSelector) validateScopeSelector(spec, counted, at.child('scopeSelector', 'matchExpressions'));
}

function validateScopeConflicts(scopes: readonly string[], shown: readonly string[], field: Field): void {
  for (const pair of opposites) {
    if (pair.every((scope) => scopes.includes(scope))) field.invalid(shown, 'conflicting scopes');
  }
}

function validateScopeSelector(spec: Part, counted: readonly string[], field: Field): void {
  const requirements: readonly Part[] = spec.scopeSelector.matchExpressions ?? [];
  for (const { scopeName = '', operator = '', values = [] } of requirements) {
    if (isEnough(field.errors)) break;
    if (!podScopes.has(scopeName) && scopeName !== 'VolumeAttributesClass') {
      field.child('scopeName').invalid(scopeName, 'unsupported scope');
    }
    for (const name of counted) {
      if (!isScopeValid(scopeName, name)) {
        field.invalid(spec.scopeSelector, 'unsupported scope applied to resource');
      }
    }
    if (existsOnly.has(scopeName) && operator !== 'Exists') {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      field.child('operator').invalid(operator, detail);
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) {
        const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
        field.child('values').required(detail);
      }
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
        field.child('values').invalid(values, detail);
      }
    } else field.child('operator').invalid(operator, 'not a valid selector operator');
  }
  validateScopeConflicts(
    requirements.map(({ scopeName }) => scopeName),
    spec.scopes ?? null,
    field,
  );
}

export function validateResourceQuotaUpdate(quota: Part, old: Part, field: Field): void {
  const scopes: readonly string[] = quota.spec?.scopes ?? [];
  const before: readonly string[] = old.spec?.scopes ?? [];
  const [given, known] = [new Set(scopes), new Set(before)];
  const same = given.size === known.size && scopes.every((scope) => known.has(scope));
  if (!same) field.child('spec', 'scopes').invalid(scopes, immutableText);
}

/** Resources whose requests and limits a quota may both bound; those with `bare` names for requests first. */
const bounded = [
  { name: 'cpu', bare: true },
  { name: 'memory', bare: true },
  { name: 'storage', bare: false },
  { name: 'ephemeral-storage', bare: false },
];

/** More may be requested than limits allow. (pkg/registry/core/resourcequota/strategy.go) */
export const resourceQuotaWarnings: WarningStrategy = {
  warningsOnCreate({ spec }) {
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
