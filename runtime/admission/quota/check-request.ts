import { forbidden as forbiddenStatus, internalError, plainError, type StatusError } from '../../machinery/errors/status.ts';
import {
  type Amounts,
  add,
  exceededNames,
  isPositive,
  mask,
  negativeNames,
  none,
  prettyPrint,
  removeZeros,
  subtractWithNonNegativeResult,
} from '../../machinery/scalars/resource-amounts.ts';
import type { Evaluator, Measure, MissingAmounts } from './evaluator.ts';
import { isInScopes, type Quota } from './quota.ts';
import { matchesScope, type ScopeRequirement, scopesText } from './scopes.ts';

/** A resource that may only be used if a quota bounds it. (ResourceQuotaConfiguration) */
export interface LimitedResource {
  readonly apiGroup?: string;
  readonly resource?: string;
  /** Substrings of resource names. A quota must bound the matching resources. */
  readonly matchContains?: readonly string[];
  /** Scopes that a quota must have for the objects in them. */
  readonly matchScopes?: readonly ScopeRequirement[];
}

/** A write from the view of quotas. It has no objects, so that it is cheap to pass to another thread. */
export interface QuotaRequest {
  /** The group of the written resource. */
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly dryRun: boolean;
  readonly measure: Measure;
  /** The measure and the revision of the replaced object. Absent on creation. */
  readonly previous?: { readonly measure: Measure; readonly revision: number };
  readonly missing: MissingAmounts;
  readonly limitedResources: readonly LimitedResource[];
}

/**
 * The refusal of a write: `forbidden` is a 403, `internal` an internal error, and `plain` an error without a status,
 * which becomes a 500, too.
 */
export interface Refusal {
  readonly kind: 'forbidden' | 'internal' | 'plain';
  readonly message: string;
}

/** A quota with the amounts that currently bound a write. */
export interface BoundingQuota {
  readonly quota: Quota;
  readonly hard: Amounts;
  readonly used: Amounts;
}

/** The amounts that a write adds to a quota. */
export interface Charge {
  readonly quota: Quota;
  readonly amounts: Amounts;
}

const forbidden = (message: string): Refusal => ({ kind: 'forbidden', message });

export const isRefusal = (result: object): result is Refusal => 'message' in result;

/** Returns the client's error for a refused write. */
export function refusalError(request: QuotaRequest, { kind, message }: Refusal): StatusError {
  if (kind === 'forbidden') return forbiddenStatus(request, request.name || 'Unknown', message);
  return kind === 'internal' ? internalError(message) : plainError(message);
}

/**
 * Returns the charges of a write to the quotas that bound it, whether they have room or not, or a refusal that does not
 * depend on room. (apiserver pkg/admission/plugin/resourcequota/controller.go CheckRequest)
 *
 * @param evaluator of the written resource
 */
export function chargesOf(request: QuotaRequest, evaluator: Evaluator, quotas: readonly BoundingQuota[]): Refusal | readonly Charge[] {
  const { measure, limitedResources } = request;
  const limited = limitedByDefault(request);
  const bounding: BoundingQuota[] = [];
  for (const one of quotas) {
    const names = matchingNames(one.hard, evaluator);
    if (names.length === 0 || !isInScopes(one.quota, measure)) continue;
    const refusal = refusalOf(request, one, names);
    if (refusal !== undefined) return refusal;
    bounding.push(one);
    for (const name of names) limited.delete(name);
  }
  const negative = negativeNames(measure.usage);
  if (negative.length > 0) return forbidden(`quota usage is negative for resource(s): ${negative.join(',')}`);
  const charges = bounding
    .map(({ quota }) => ({ quota, amounts: removeZeros(increaseFor(quota, request)) }))
    .filter(({ amounts }) => amounts.size > 0);
  if (charges.length === 0 && (bounding.length > 0 || removeZeros(increaseWithoutQuota(request)).size === 0)) return [];
  if (limited.size > 0) return forbidden(`insufficient quota to consume: ${[...limited].sort().join(',')}`);
  const uncovered = uncoveredScopes(measure, limitedResources, quotas);
  if (uncovered.length > 0) {
    return { kind: 'plain', message: `insufficient quota to match these scopes: ${scopesText(uncovered)}` };
  }
  return charges;
}

/** The matching names of a quota's amounts. Amounts never change, and few of them match one resource. */
const knownNames = new WeakMap<Amounts, WeakMap<Evaluator, readonly string[]>>();

/** Returns the bounded resources that an evaluator's objects use, sorted. (MatchingResources) */
function matchingNames(hard: Amounts, evaluator: Evaluator): readonly string[] {
  let byEvaluator = knownNames.get(hard);
  if (byEvaluator === undefined) {
    byEvaluator = new WeakMap();
    knownNames.set(hard, byEvaluator);
  }
  let names = byEvaluator.get(evaluator);
  if (names === undefined) {
    names = [...hard.keys()].filter((name) => evaluator.matches(name)).sort();
    byEvaluator.set(evaluator, names);
  }
  return names;
}

/** Returns a quota's refusal that does not depend on room. */
function refusalOf({ missing }: QuotaRequest, { quota, used }: BoundingQuota, names: readonly string[]): Refusal | undefined {
  const lacking = names.filter((name) => Object.hasOwn(missing, name));
  if (lacking.length > 0) {
    const texts = lacking.map((name) => `${name} for: ${[...new Set(missing[name])].sort().join(',')}`);
    return forbidden(`failed quota: ${quota.name}: must specify ${texts.join('; ')}`);
  }
  if (names.some((name) => !used.has(name))) {
    return forbidden(`status unknown for quota: ${quota.name}, resources: ${names.join(',')}`);
  }
  return undefined;
}

/**
 * Returns the additional amounts of the written object. An object that enters the scopes of the quota counts as new.
 */
export function increaseFor(quota: Quota, { measure, previous }: QuotaRequest): Amounts {
  if (!isInScopes(quota, measure)) return none;
  if (previous === undefined || !isInScopes(quota, previous.measure)) return measure.usage;
  return subtractWithNonNegativeResult(measure.usage, previous.measure.usage);
}

const increaseWithoutQuota = ({ measure, previous }: QuotaRequest): Amounts =>
  previous === undefined ? measure.usage : subtractWithNonNegativeResult(measure.usage, previous.measure.usage);

/** Returns the resources that some quota must bound. (limitedByDefault) */
function limitedByDefault({ group, resource, measure, limitedResources }: QuotaRequest): Set<string> {
  const limited = new Set<string>();
  for (const { apiGroup = '', resource: plural, matchContains = [] } of limitedResources) {
    if (apiGroup !== group || plural !== resource) continue;
    for (const [name, amount] of measure.usage) {
      if (isPositive(amount) && matchContains.some((part) => name.includes(part))) limited.add(name);
    }
  }
  return limited;
}

/** (getMatchedLimitedScopes, UncoveredQuotaScopes) */
function uncoveredScopes(
  { scopes }: Measure,
  limitedResources: readonly LimitedResource[],
  quotas: readonly BoundingQuota[],
): ScopeRequirement[] {
  const limited = limitedResources
    .flatMap(({ matchScopes = [] }) => matchScopes)
    .filter((requirement) => matchesScope(requirement, scopes));
  if (limited.length === 0) return [];
  const covered = new Set(
    quotas
      .flatMap(({ quota }) => quota.scopes)
      .filter((requirement) => matchesScope(requirement, scopes))
      .map(({ scopeName }) => scopeName),
  );
  return limited.filter(({ scopeName }) => !covered.has(scopeName));
}

/**
 * Returns the used amounts after a charge, or a refusal if the quota lacks room.
 *
 * @param isBounded false for writes that count but must not be refused
 */
export function charge({ quota, hard, used }: BoundingQuota, amounts: Amounts, isBounded: boolean): { readonly used: Amounts } | Refusal {
  const requested = mask(amounts, (name) => hard.has(name));
  const after = add(used, requested);
  if (!isBounded) return { used: after };
  const exceeded = exceededNames(
    mask(after, (name) => requested.has(name)),
    hard,
  );
  if (exceeded.size === 0) return { used: after };
  const [wanted, before, limit] = [requested, used, hard].map((list) => prettyPrint(mask(list, (name) => exceeded.has(name))));
  return forbidden(`exceeded quota: ${quota.name}, requested: ${wanted}, used: ${before}, limited: ${limit}`);
}
