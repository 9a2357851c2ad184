import { FieldSet } from './field-set.ts';
import type { PathElement } from './path-element.ts';

/** Keeps part of a set. Which fields a write resets and therefore cannot own. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Drops these fields and all below them. */
export function excluding(fields: FieldSet): FieldFilter {
  return (set) => set.recursiveDifference(fields);
}

/** Any step, in a pattern. */
export const anyElement = '*';

/**
 * Keeps the paths that begin as one of the patterns does, and their parents. Patterns are steps or `anyElement`.
 * (structured-merge-diff NewIncludeMatcherFilter)
 */
export function including(...patterns: (readonly PathElement[])[]): FieldFilter {
  return (set) => keep(set, patterns);
}

function keep(set: FieldSet, patterns: readonly (readonly PathElement[])[]): FieldSet {
  if (patterns.some((pattern) => pattern.length === 0)) return set;
  const out = new FieldSet();
  for (const [element, { member, children }] of set.nodes()) {
    const matching = patterns.filter(([first]) => first === anyElement || first === element);
    if (matching.length === 0) continue;
    const rest = matching.map((pattern) => pattern.slice(1));
    out.put(element, member, children && keep(children, rest));
  }
  return out;
}
