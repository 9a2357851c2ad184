import { newRuleValidator, validateRules } from '../../../cel/rules/validate.ts';
import type { Json } from '../../../machinery/object.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import type { FieldError } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';

export { resolveFieldPath } from '../../../cel/rules/field-path.ts';
export { CelSchemaContext, validateRuleFields } from '../../../cel/rules/schema-context.ts';

/** What rules may cost while the defaults of one schema are checked; shared by all of them. */
export interface RuleBudget {
  /** Below zero: no further rule runs. */
  left: number;
}

/** As much as rules may cost for one object. (celconfig.RuntimeCELCostBudget) */
export const ruleBudget = (): RuleBudget => ({ left: 10_000_000 });

/**
 * Appends what the rules of a schema say of its own default: as a value that stays, and as one that is new.
 *
 * @param isRoot the schema is that of a whole resource
 */
export function checkDefaultByRules(
  schema: JsonSchema,
  isRoot: boolean,
  path: FieldPath,
  budget: RuleBudget,
  errors: FieldError[],
): void {
  const tree = newRuleValidator(schema, isRoot);
  if (!tree) return;
  const self = schema.default as Json;
  const kept = validateRules(tree, { self, oldSelf: self, path, budget: budget.left, ratchet: false });
  for (const error of kept.errors) errors.push(error);
  let left = kept.remainingBudget;
  if (kept.errors.length === 0) {
    const made = validateRules(tree, { self, path, budget: budget.left });
    for (const error of made.errors) errors.push(error);
    left = Math.min(left, made.remainingBudget);
  }
  budget.left = left;
}
