import type * as core from '../../../generated/v1.35/core/v1/types.ts';

type ResourceQuotaSpec = core.ResourceQuotaSpec;
/** Operators In, NotIn, Exists and DoesNotExist. */
export type ScopeRequirement = core.ScopedResourceSelectorRequirement;

/** What the scopes of quotas select an object by. */
export interface ScopeFacts {
  /** The scopes that the object is in. */
  readonly in: ReadonlySet<string>;
  /** The values that requirements compare, for the scopes that have some. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

/** Of objects that are in no scope, so that no quota with scopes counts them. */
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

/** As Go prints a list of them: `[{PriorityClass In [high low]}]` */
export const scopesText = (requirements: readonly ScopeRequirement[]): string =>
  `[${requirements.map(({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`).join(' ')}]`;
