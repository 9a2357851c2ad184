import { equalJson, semanticDeepEqual } from '../../../machinery/json/equality.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import { autoUpdateAnnotation } from '../bootstrap-policy/bootstrap-policy.ts';
import { uncoveredRules } from '../covers.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding, Subject } from '../objects.ts';

/** Adds missing parts to existing objects, and removes nothing. (component-helpers auth/rbac/reconciliation) */

type AnyRole = Role & Pick<ClusterRole, 'aggregationRule'>;
type AnyBinding = RoleBinding | ClusterRoleBinding;

/**
 * The object to write; undefined if nothing changes. A binding to another role is recreated, because roleRef is
 * immutable.
 */
export type Reconciled<T> = { readonly operation: 'update' | 'recreate'; readonly object: T } | undefined;

/** (computeReconciledRole) */
export function reconciledRole<T extends AnyRole>(existing: T, expected: T): Reconciled<T> {
  if (isProtected(existing.metadata)) return undefined;
  const missing = uncoveredRules(existing.rules ?? [], expected.rules ?? []);
  const object: T = {
    ...existing,
    metadata: reconciledMetadata(existing.metadata, expected.metadata),
    ...(missing.length === 0 ? {} : { rules: [...(existing.rules ?? []), ...missing] }),
  };
  const aggregationRule = reconciledAggregation(existing, expected);
  if (aggregationRule === undefined) delete object.aggregationRule;
  else object.aggregationRule = aggregationRule;
  return equalJson(object, existing) ? undefined : { operation: 'update', object };
}

/** Returns the selectors of both roles. A role without an expected aggregation loses its own. */
function reconciledAggregation(existing: AnyRole, expected: AnyRole): AnyRole['aggregationRule'] {
  if (expected.aggregationRule === undefined) return undefined;
  const present = existing.aggregationRule?.clusterRoleSelectors ?? [];
  const missing = (expected.aggregationRule.clusterRoleSelectors ?? []).filter(
    (selector) => !present.some((one) => semanticDeepEqual(one, selector)),
  );
  if (missing.length === 0) return existing.aggregationRule;
  return { clusterRoleSelectors: [...present, ...missing] };
}

/** (computeReconciledRoleBinding) */
export function reconciledRoleBinding<T extends AnyBinding>(existing: T, expected: T): Reconciled<T> {
  if (isProtected(existing.metadata)) return undefined;
  if (!equalJson(existing.roleRef, expected.roleRef)) return { operation: 'recreate', object: expected };
  const subjects = existing.subjects ?? [];
  const missing = (expected.subjects ?? []).filter((subject) => !subjects.some((one) => isSame(one, subject)));
  const object: T = {
    ...existing,
    metadata: reconciledMetadata(existing.metadata, expected.metadata),
    ...(missing.length === 0 ? {} : { subjects: [...subjects, ...missing] }),
  };
  return equalJson(object, existing) ? undefined : { operation: 'update', object };
}

const isProtected = ({ annotations }: ObjectMeta): boolean => annotations?.[autoUpdateAnnotation] === 'false';

/** Adds missing labels and annotations. Existing values win. */
function reconciledMetadata<T extends ObjectMeta>(existing: T, expected: ObjectMeta): T {
  return {
    ...existing,
    annotations: { ...expected.annotations, ...existing.annotations },
    labels: { ...expected.labels, ...existing.labels },
  };
}

const isSame = (a: Subject, b: Subject): boolean =>
  a.kind === b.kind && a.name === b.name && (a.namespace ?? '') === (b.namespace ?? '') && (a.apiGroup ?? '') === (b.apiGroup ?? '');
