import { newRuleValidator, validateRules } from '../../../cel/rules/validate.ts';
import type { Json } from '../../../machinery/object.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import type { Field } from '../../../machinery/validation/field.ts';

/** The cost that the CEL rules of one schema may still spend on defaults. */
export interface RuleBudget {
  /** Once it is below zero, no rule runs any more. */
  left: number;
}

/** The budget of one object. (celconfig.RuntimeCELCostBudget) */
export const newRuleBudget = (): RuleBudget => ({ left: 10_000_000 });

/**
 * Validates the default of a schema by the schema's rules, both as an unchanged value and as a new one.
 *
 * @param isRoot the schema is that of a resource
 */
export function validateDefaultByRules(schema: JsonSchema, isRoot: boolean, field: Field, budget: RuleBudget): void {
  const validator = newRuleValidator(schema, isRoot);
  if (!validator) return;
  const self = schema.default as Json;
  const unchanged = validateRules(validator, { self, oldSelf: self, path: field, budget: budget.left, ratchet: false });
  for (const error of unchanged.errors) field.errors.push(error);
  let left = unchanged.remainingBudget;
  if (unchanged.errors.length === 0) {
    const created = validateRules(validator, { self, path: field, budget: budget.left });
    for (const error of created.errors) field.errors.push(error);
    left = Math.min(left, created.remainingBudget);
  }
  budget.left = left;
}
