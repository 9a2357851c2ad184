import type * as core from '../../../generated/v1.35/core/v1/types.ts';

type ResourceQuotaSpec = core.ResourceQuotaSpec;
/** Operators In, NotIn, Exists and DoesNotExist. */
export type ScopeRequirement = core.ScopedResourceSelectorRequirement;

/** The facts about an object that scopes select by. */
export interface ScopeFacts {
  /** The scopes that the object is in. */
  readonly in: ReadonlySet<string>;
  /** The values that requirements compare, by scope. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

/** The facts of an object in no scope: quotas with scopes do not count it. */
export const noScopes: ScopeFacts = { in: new Set() };

/** (apiserver pkg/quota/v1/generic getScopeSelectorsFromQuota) */
export const scopeRequirementsOf = ({ scopes, scopeSelector }: ResourceQuotaSpec): readonly ScopeRequirement[] => [
  ...(scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...(scopeSelector?.matchExpressions ?? []),
];

/** (podMatchesScopeFunc, pvcMatchesScopeFunc) */
export function matchesScope({ scopeName, operator, values = [] }: ScopeRequirement, facts: ScopeFacts): boolean {
  const own = facts.values?.[scopeName];
  if (own === undefined) return facts.in.has(scopeName);
  switch (operator) {
    case 'In':
      return own.some((value) => values.includes(value));
    case 'NotIn':
      return own.length === 0 || own.some((value) => !values.includes(value));
    case 'DoesNotExist':
      return own.length === 0;
    default:
      return own.length > 0;
  }
}

/** Formats requirements like Go: `[{PriorityClass In [high low]}]` */
export const scopesText = (requirements: readonly ScopeRequirement[]): string =>
  `[${requirements.map(({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`).join(' ')}]`;
