import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { GoPointer } from '../../machinery/go/value.ts';
import { memberOrDropped } from '../../machinery/prune/dropped-values.ts';
import { canonicalQuantity, compareQuantities, parseQuantity } from '../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { isEnough } from '../../machinery/validation/field-error.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { immutableText } from '../validation/fields.ts';
import { internalStruct, type Shape } from '../validation/internal-value.ts';
import { validatedBy } from '../validation/validated-by.ts';
import { none, type WriteWarnings } from '../warnings.ts';
import {
  isStandardQuotaResourceName,
  type ResourceList,
  roundResourceList,
  validateResourceQuantityValue,
  validateResourceQuotaResourceName,
} from './resource-list.ts';

type ResourceQuota = Unvalidated<core.ResourceQuota>;
type ResourceQuotaSpec = Unvalidated<core.ResourceQuotaSpec>;

export function roundHard(spec: ResourceQuotaSpec): void {
  roundResourceList(spec.hard);
}

export function roundHardAndUsed(status: Unvalidated<core.ResourceQuotaStatus>): void {
  roundResourceList(status.hard);
  roundResourceList(status.used);
}

/**
 * Formats usage as `requests.cpu: 1/4, pods: 3/10`.
 *
 * @param ofLimits true to print the limits, false to print all other resources
 */
const quotaUsage = ({ status }: ResourceQuota, ofLimits: boolean): string =>
  Object.entries(status?.hard ?? {})
    .filter(([resource]) => resource.startsWith('limits.') === ofLimits)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, hard]) => `${resource}: ${status?.used?.[resource] ?? '0'}/${hard}`)
    .join(', ');

export const quotaRequests = (quota: ResourceQuota): string => quotaUsage(quota, false);
export const quotaLimits = (quota: ResourceQuota): string => quotaUsage(quota, true);

const podScopes: ReadonlySet<string> = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
]);
const scopesWithExistsOnly: ReadonlySet<string> = new Set([
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
]);
const conflictingScopes = [
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

/** (IsResourceQuotaScopeValidForResource) */
function isScopeValid(scope: string, resource: string): boolean {
  if (scope === 'BestEffort') return resource === 'pods';
  if (podScopes.has(scope)) return podResources.has(resource);
  if (scope === 'VolumeAttributesClass') {
    return resource === 'persistentvolumeclaims' || resource === 'requests.storage';
  }
  return true;
}

/** The maximum number of resources. Each object that a quota counts causes a write of the whole status. */
const maxResources = 1000;

/** (ValidateResourceQuotaSpec) */
function validateResourceQuotaSpec({ spec = {} }: ResourceQuota, field: Field): void {
  const at = field.child('spec');
  const resources = Object.keys(spec.hard ?? {}).sort();
  if (resources.length > maxResources) at.child('hard').tooMany(resources.length, maxResources);
  validateAmounts(spec.hard, at.child('hard'));
  const standardResources = resources.filter(isStandardQuotaResourceName);
  const scopes = spec.scopes ?? [];
  for (const scope of scopes) {
    if (isEnough(field.errors)) break;
    if (!podScopes.has(scope) && scope !== 'VolumeAttributesClass') {
      at.child('scopes').invalid(scopes, 'unsupported scope');
    }
    for (const name of standardResources) {
      if (!isScopeValid(scope, name)) {
        at.child('scopes').invalid(scopes, 'unsupported scope applied to resource');
      }
    }
  }
  validateScopeConflicts(scopes, scopes, at.child('scopes'));
  if (spec.scopeSelector) validateScopeSelector(spec, standardResources, at.child('scopeSelector', 'matchExpressions'));
}

function validateAmounts(amounts: ResourceList | undefined, field: Field): void {
  for (const name of Object.keys(amounts ?? {}).sort()) {
    validateResourceQuotaResourceName(name, field.key(name));
    validateResourceQuantityValue(name, amounts?.[name], field.key(name));
  }
}

/** (ValidateResourceQuotaStatusUpdate) */
function validateResourceQuotaStatus({ status }: ResourceQuota, field: Field): void {
  validateAmounts(status?.hard, field.child('status', 'hard'));
  validateAmounts(status?.used, field.child('status', 'used'));
}

const scopeSelectorShape: Shape = { matchExpressions: { scopeName: '', operator: '', values: null } };

/** @param badValue the value that errors show */
function validateScopeConflicts(scopes: readonly (string | undefined)[], badValue: readonly string[] | null, field: Field): void {
  for (const pair of conflictingScopes) {
    if (pair.every((scope) => scopes.includes(scope))) field.invalid(badValue, 'conflicting scopes');
  }
}

/** (validateScopeSelector) */
function validateScopeSelector(spec: ResourceQuotaSpec, standardResources: readonly string[], field: Field): void {
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  for (const { scopeName = '', operator = '', values = [] } of requirements) {
    if (isEnough(field.errors)) break;
    if (!podScopes.has(scopeName) && scopeName !== 'VolumeAttributesClass') {
      field.child('scopeName').invalid(scopeName, 'unsupported scope');
    }
    for (const name of standardResources) {
      if (!isScopeValid(scopeName, name)) {
        field.invalid(internalStruct(spec.scopeSelector, scopeSelectorShape), 'unsupported scope applied to resource');
      }
    }
    if (scopesWithExistsOnly.has(scopeName) && operator !== 'Exists') {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      field.child('operator').invalid(operator, detail);
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) {
        field.child('values').required("must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
      }
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        field.child('values').invalid(values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
      }
    } else field.child('operator').invalid(new GoPointer(operator), 'not a valid selector operator');
  }
  validateScopeConflicts(
    requirements.map(({ scopeName }) => scopeName),
    spec.scopes ?? null,
    field,
  );
}

/** Scopes are immutable, but their order is not. (ValidateResourceQuotaUpdate) */
function validateResourceQuotaUpdate(quota: ResourceQuota, old: ResourceQuota, field: Field): void {
  validateResourceQuotaSpec(quota, field);
  const scopes = quota.spec?.scopes ?? [];
  const oldScopes = new Set(old.spec?.scopes);
  const areSame = new Set(scopes).size === oldScopes.size && scopes.every((scope) => oldScopes.has(scope));
  if (!areSame) field.child('spec', 'scopes').invalid(memberOrDropped(quota.spec ?? {}, 'scopes') ?? null, immutableText);
}

/** (pkg/registry/core/resourcequota/strategy.go) */
export const resourceQuotaStrategy: RESTStrategy = {
  returnDeletedObject: true,
  ...validatedBy(validateResourceQuotaSpec, validateResourceQuotaUpdate, (quota: ResourceQuota, _old, field) =>
    validateResourceQuotaStatus(quota, field),
  ),
};

/** Resources whose requests and limits a quota can bound. For some, the plain name stands for the requests. */
const boundedResources = [
  { name: 'cpu', hasPlainName: true },
  { name: 'memory', hasPlainName: true },
  { name: 'storage', hasPlainName: false },
  { name: 'ephemeral-storage', hasPlainName: false },
];

/** Warns if the quota for requests exceeds the quota for limits. (pkg/registry/core/resourcequota/strategy.go) */
export const resourceQuotaWarnings: WriteWarnings<ResourceQuota> = {
  warningsOnCreate({ spec }) {
    const hard = spec?.hard;
    if (!hard) return none;
    return boundedResources.flatMap(({ name, hasPlainName }) => {
      const request = hard[`requests.${name}`] === undefined && hasPlainName ? name : `requests.${name}`;
      const limit = `limits.${name}`;
      if (hard[request] === undefined || hard[limit] === undefined) return none;
      const [requests, limits] = [String(hard[request]), String(hard[limit])];
      if (compareQuantities(parseQuantity(requests), parseQuantity(limits)) <= 0) return none;
      const [requestsText, limitsText] = [canonicalQuantity(requests), canonicalQuantity(limits)];
      return [`ResourceQuota ${request} (${requestsText}) should be less than ${limit} (${limitsText})`];
    });
  },
};
