import { FieldSet } from './field-set.ts';
import type { PathElement } from './path-element.ts';

/** A function that returns the fields of a set that a write may own. (fieldpath.Filter) */
export type FieldSetFilter = (set: FieldSet) => FieldSet;

/** Removes these fields and their children. */
export function newExcludeSetFilter(fields: FieldSet): FieldSetFilter {
  return (set) => set.recursiveDifference(fields);
}

/** The pattern that matches every path element. */
export const matchAnyPathElement = '*';

/**
 * Retains the paths that start with one of the patterns, and their parents. Patterns consist of path elements and
 * `matchAnyPathElement`. (structured-merge-diff NewIncludeMatcherFilter)
 */
export function newIncludeMatcherFilter(...patterns: (readonly PathElement[])[]): FieldSetFilter {
  return (set) => filterByPatterns(set, patterns);
}

function filterByPatterns(set: FieldSet, patterns: readonly (readonly PathElement[])[]): FieldSet {
  if (patterns.some((pattern) => pattern.length === 0)) return set;
  const out = new FieldSet();
  for (const [element, { member, children }] of set.nodes()) {
    const matching = patterns.filter(([first]) => first === matchAnyPathElement || first === element);
    if (matching.length === 0) continue;
    const remainingPatterns = matching.map((pattern) => pattern.slice(1));
    out.put(element, member, children && filterByPatterns(children, remainingPatterns));
  }
  return out;
}
