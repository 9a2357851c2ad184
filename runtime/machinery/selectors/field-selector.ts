import { SelectorError } from './selector-error.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

export interface FieldSelector {
  /** `fieldOf` gives the value of a field by its label, "" when absent. */
  matches(fieldOf: (field: string) => string): boolean;
  readonly requirements: readonly FieldRequirement[];
  readonly isEmpty: boolean;
  /** The value that the selector asks one field to have, as `metadata.name=x`; undefined when it does not. */
  requiresExactMatch(field: string): string | undefined;
  toString(): string;
}

export function parseFieldSelector(text: string): FieldSelector {
  if (text !== '') throw new SelectorError('not yet');
  return { matches: () => true, requirements: [], isEmpty: true, requiresExactMatch: () => undefined };
}
