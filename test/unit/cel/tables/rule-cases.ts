import { libraryCases } from './rules/library.ts';
import { listAndMapCases } from './rules/lists-and-maps.ts';
import { nameCases } from './rules/names.ts';
import { unknownFieldCases } from './rules/nulls-and-unknown-fields.ts';
import { objectCases } from './rules/objects.ts';
import type { RuleCase } from './rules/rule-case.ts';
import { scalarCases } from './rules/scalars.ts';
import { transitionCases } from './rules/transitions.ts';

/** Every rule of the tables, in the order of upstream's tests. */
export const ruleCases: readonly RuleCase[] = [
  ...scalarCases,
  ...listAndMapCases,
  ...objectCases,
  ...unknownFieldCases,
  ...nameCases,
  ...libraryCases,
  ...transitionCases,
];
