import type { Namespace, NamespaceCondition } from '../../../generated/v1.35/core/v1/types.ts';
import { withCondition } from '../../machinery/conditions.ts';

/** The result of an attempt to delete the content of a namespace. */
export interface DeletionStatus {
  /** The errors of group-versions whose resources are unknown. */
  readonly discoveryErrors: readonly string[];
  /** The errors of deletions. */
  readonly contentErrors: readonly string[];
  /** The number of remaining objects by `<plural>.<group>`. (gvrToNumRemaining) */
  readonly numRemaining: ReadonlyMap<string, number>;
  /** The number of remaining objects with a finalizer, by finalizer. (finalizersToNumRemaining) */
  readonly finalizersRemaining: ReadonlyMap<string, number>;
}

/** The conditions after a successful deletion. (pkg/controller/namespace/deletion/status_condition_utils.go okMessages, okReasons) */
const okConditions: readonly (readonly [type: string, reason: string, message: string])[] = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  ['NamespaceDeletionContentFailure', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
];

/** Returns the conditions of a namespace after an attempt, in upstream's order, without times. */
export function deletionConditions(status: DeletionStatus): NamespaceCondition[] {
  const failures = new Map(failureConditions(status).map((condition) => [condition.type, condition]));
  return okConditions.map(([type, reason, message]) => failures.get(type) ?? { type, status: 'False', reason, message });
}

function failureConditions(status: DeletionStatus): NamespaceCondition[] {
  const { discoveryErrors, contentErrors, numRemaining, finalizersRemaining } = status;
  const conditions: NamespaceCondition[] = [];
  const add = (type: string, reason: string, message: string): void => {
    conditions.push({ type, status: 'True', reason, message });
  };
  if (discoveryErrors.length > 0) {
    add('NamespaceDeletionDiscoveryFailure', 'DiscoveryFailed', discoveryErrors.join(', '));
  }
  if (contentErrors.length > 0) {
    const errors = [...contentErrors].sort().join(', ');
    const message = `Failed to delete all resource types, ${contentErrors.length} remaining: ${errors}`;
    add('NamespaceDeletionContentFailure', 'ContentDeletionFailed', message);
  }
  if (numRemaining.size > 0) {
    const counts = describe(numRemaining, (name, count) => `${name} has ${count} resource instances`);
    add('NamespaceContentRemaining', 'SomeResourcesRemain', `Some resources are remaining: ${counts}`);
  }
  if (finalizersRemaining.size > 0) {
    const counts = describe(finalizersRemaining, (name, count) => `${name} in ${count} resource instances`);
    add('NamespaceFinalizersRemaining', 'SomeFinalizersRemain', `Some content in the namespace has finalizers remaining: ${counts}`);
  }
  return conditions;
}

const describe = (counts: ReadonlyMap<string, number>, text: (name: string, count: number) => string): string =>
  [...counts]
    .map(([name, count]) => text(name, count))
    .sort()
    .join(', ');

/** Sets conditions in the status of a namespace. A transition time changes only with the status of its condition. */
export function setConditions(namespace: Namespace, conditions: readonly NamespaceCondition[], now: number): void {
  const before: readonly NamespaceCondition[] = namespace.status?.conditions ?? [];
  let after = before;
  for (const condition of conditions) {
    const old = after.find(({ type }) => type === condition.type);
    const isSame = old?.status === condition.status && old.reason === condition.reason && old.message === condition.message;
    if (!isSame) after = withCondition(after, condition, now);
  }
  if (after !== before) namespace.status = { ...namespace.status, conditions: [...after] };
}
