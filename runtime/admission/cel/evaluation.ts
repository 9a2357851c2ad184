import type { AdmissionExpression } from '../../cel/admission/expression.ts';
import { type CelValue, isCelError } from '../../cel/expression.ts';
import { perCallLimit } from '../../cel/rules/limits.ts';
import { clearMemberNames } from '../../cel/values/member-names.ts';
import type { Activation } from './activation.ts';

/** The result of one expression. (cel.EvaluationResult) */
export interface EvaluationResult {
  /** The value; undefined after an error. */
  readonly value?: CelValue;
  readonly error?: string;
  /** Seconds. */
  readonly elapsed: number;
}

/** Thrown if expressions exceed their common cost budget. (cel.ErrOutOfBudget) */
export class OutOfBudgetError extends Error {
  readonly isOutOfBudget = true;

  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

export const isOutOfBudget = (error: unknown): error is OutOfBudgetError => (error as OutOfBudgetError | undefined)?.isOutOfBudget === true;

/**
 * Evaluates expressions with one set of variables. (cel.condition ForInput)
 *
 * @param budget the maximum of their total cost
 * @throws OutOfBudgetError
 * @throws EventLoopBudgetError if the evaluation takes too long for this thread
 */
export function evaluate(
  expressions: readonly AdmissionExpression[],
  activation: Activation,
  budget: number,
): { readonly results: readonly EvaluationResult[]; readonly remaining: number } {
  clearMemberNames();
  const results: EvaluationResult[] = [];
  let remaining = budget;
  let since = performance.now();
  for (const { text, result } of expressions) {
    if (result.program === undefined) {
      results.push({ error: `compilation error: ${result.error.detail}`, elapsed: 0 });
      continue;
    }
    const { value, cost } = result.program.evaluateWith(activation.resolve, perCallLimit);
    remaining -= cost + activation.takeVariableCost();
    if (remaining < 0) throw new OutOfBudgetError();
    const now = performance.now();
    const elapsed = (now - since) / 1000;
    since = now;
    if (!isCelError(value)) results.push({ value, elapsed });
    else results.push({ error: `expression '${text}' resulted in error: ${value.message}`, elapsed });
  }
  return { results, remaining };
}
