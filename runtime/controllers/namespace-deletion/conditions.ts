import type { KubeObject } from '../../machinery/object.ts';
import { timeText } from '../../machinery/scalars/time.ts';

export interface NamespaceCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly lastTransitionTime?: string;
  readonly reason: string;
  readonly message: string;
}

/** What went wrong, and what is left, after one attempt to empty a namespace. */
export interface Findings {
  /** Why resources are not known. */
  readonly discoveryErrors: readonly string[];
  /** Why resources could not be deleted. */
  readonly contentErrors: readonly string[];
  /** Objects left, by `<plural>.<group>`. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Objects left that have a finalizer, by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** What each condition says when all is well. (pkg/controller/namespace/deletion/status_condition_utils.go) */
const fine: readonly (readonly [type: string, reason: string, message: string])[] = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
];

/** The conditions of a namespace after an attempt, in upstream's order, without times. */
export function conditionsOf(findings: Findings): NamespaceCondition[] {
  const wrong = new Map(problems(findings).map((condition) => [condition.type, condition]));
  return fine.map(([type, reason, message]) => wrong.get(type) ?? { type, status: 'False', reason, message });
}

function problems({ discoveryErrors, contentErrors, remaining, finalizers }: Findings): NamespaceCondition[] {
  const found: NamespaceCondition[] = [];
  const add = (type: string, reason: string, message: string): void => {
    found.push({ type, status: 'True', reason, message });
  };
  if (discoveryErrors.length > 0) {
    add('NamespaceDeletionDiscoveryFailure', 'DiscoveryFailed', discoveryErrors.join(', '));
  }
  if (contentErrors.length > 0) {
    const what = [...contentErrors].sort().join(', ');
    const message = `Failed to delete all resource types, ${contentErrors.length} remaining: ${what}`;
    add('NamespaceDeletionContentFailure', 'ContentDeletionFailed', message);
  }
  if (remaining.size > 0) {
    const what = describe(remaining, (name, count) => `${name} has ${count} resource instances`);
    add('NamespaceContentRemaining', 'SomeResourcesRemain', `Some resources are remaining: ${what}`);
  }
  if (finalizers.size > 0) {
    const what = describe(finalizers, (name, count) => `${name} in ${count} resource instances`);
    add(
      'NamespaceFinalizersRemaining',
      'SomeFinalizersRemain',
      `Some content in the namespace has finalizers remaining: ${what}`,
    );
  }
  return found;
}

const describe = (counts: ReadonlyMap<string, number>, text: (name: string, count: number) => string): string =>
  [...counts]
    .map(([name, count]) => text(name, count))
    .sort()
    .join(', ');

/**
 * Writes conditions into a namespace's status; a time changes only with the status of its condition.
 *
 * @returns whether anything changed
 */
export function setConditions(namespace: KubeObject, conditions: readonly NamespaceCondition[], now: number): boolean {
  const present: NamespaceCondition[] = [...(namespace.status?.conditions ?? [])];
  let changed = false;
  for (const condition of conditions) {
    const at = present.findIndex(({ type }) => type === condition.type);
    const old = present[at];
    if (old?.status === condition.status && old.reason === condition.reason && old.message === condition.message) {
      continue;
    }
    changed = true;
    const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : timeText(now);
    const next = { ...condition, lastTransitionTime };
    if (at < 0) present.push(next);
    else present[at] = next;
  }
  if (changed) namespace.status = { ...namespace.status, conditions: present };
  return changed;
}
