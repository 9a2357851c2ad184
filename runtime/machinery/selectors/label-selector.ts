import { SelectorError } from './selector-error.ts';

export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, without repeats. */
  readonly values: readonly string[];
}

export interface LabelSelector {
  /** All requirements hold. */
  matches(labels: Readonly<Record<string, string>> | undefined): boolean;
  /** By key; empty when nothing is asked, and when nothing can match (see matchesNothing). */
  readonly requirements: readonly LabelRequirement[];
  /** True when every set of labels matches. */
  readonly isEmpty: boolean;
  /** True for the selector of an absent metav1.LabelSelector. */
  readonly matchesNothing: boolean;
  toString(): string;
}

export function parseLabelSelector(text: string): LabelSelector {
  if (text !== '') throw new SelectorError('unable to parse requirement: not yet');
  return { matches: () => true, requirements: [], isEmpty: true, matchesNothing: false };
}
