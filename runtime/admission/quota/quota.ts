import type { ResourceQuota } from '../../../generated/v1.35/core/v1/types.ts';
import { type Amounts, amountsOf } from '../../machinery/scalars/resource-amounts.ts';
import type { Evaluator, Measure } from './evaluator.ts';
import { evaluatorsOf } from './registry.ts';
import { matchesScope, type ScopeRequirement, scopeRequirementsOf } from './scopes.ts';

/** A ResourceQuota with its amounts parsed. */
export interface Quota {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly scopes: readonly ScopeRequirement[];
  /** The desired bounds. */
  readonly spec: Amounts;
  /** The bounds in the status, and the used amounts. */
  readonly status: { readonly hard: Amounts; readonly used: Amounts };
  /** The evaluators of resources whose objects count for the quota. */
  readonly evaluators: readonly Evaluator[];
  /** A key for counting: quotas with the same key count the same objects for the same resources. */
  readonly countingKey: string;
}

/** Decoded objects never change, so each is parsed once. */
const parsed = new WeakMap<ResourceQuota, Quota>();

export function quotaOf(object: ResourceQuota): Quota {
  let quota = parsed.get(object);
  if (quota === undefined) {
    const { metadata, spec = {}, status = {} } = object;
    const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
    const scopes = scopeRequirementsOf(spec);
    const resources = Object.keys(spec.hard ?? {}).sort();
    quota = {
      namespace,
      name,
      uid,
      resourceVersion,
      scopes,
      spec: amountsOf(spec.hard),
      status: { hard: amountsOf(status.hard), used: amountsOf(status.used) },
      evaluators: evaluatorsOf(resources),
      countingKey: JSON.stringify([resources, scopes]),
    };
    parsed.set(object, quota);
  }
  return quota;
}

/** Reports whether an object is in all scopes of a quota. */
export const isInScopes = ({ scopes }: Pick<Quota, 'scopes'>, measure: Measure): boolean =>
  scopes.every((requirement) => matchesScope(requirement, measure.scopes));
