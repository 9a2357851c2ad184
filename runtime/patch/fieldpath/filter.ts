import type { FieldSet } from './field-set.ts';

/** A function that returns the fields of a set that a write may own. (fieldpath.Filter) */
export type FieldSetFilter = (set: FieldSet) => FieldSet;

/** Removes these fields and their children. */
export function newExcludeSetFilter(fields: FieldSet): FieldSetFilter {
  return (set) => set.recursiveDifference(fields);
}
