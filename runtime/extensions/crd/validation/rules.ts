import type { FieldError } from '../../../machinery/field-error.ts';
import type { FieldPath } from '../../../machinery/field-path.ts';
import type { JsonSchema } from '../../../machinery/json-schema.ts';

export class RuleContext {
  static root(_schema: JsonSchema): RuleContext {
    return new RuleContext();
  }
  property(_schema: JsonSchema, _name: string): RuleContext {
    return this;
  }
  items(_schema: JsonSchema): RuleContext {
    return this;
  }
  additionalProperties(_schema: JsonSchema): RuleContext {
    return this;
  }
  check(_path: FieldPath, _uncorrelatable: FieldPath | undefined, _suppress: boolean): FieldError[] {
    return [];
  }
  totalErrors(_path: FieldPath): FieldError[] {
    return [];
  }
}
export const checkRuleFields = (_schema: JsonSchema, _path: FieldPath): FieldError[] => [];
export interface RuleBudget {
  left: number;
}
export const ruleBudget = (): RuleBudget => ({ left: 10_000_000 });
export function checkDefaultByRules(
  _schema: JsonSchema,
  _isRoot: boolean,
  _path: FieldPath,
  _budget: RuleBudget,
  _errors: FieldError[],
): void {}
export function resolvedField(
  path: string,
  schema: JsonSchema,
): { path: string; schema: JsonSchema } | { error: string } {
  let at = schema;
  for (const name of path.replace(/^\./, '').split('.')) {
    const next = at.properties?.[name];
    if (!next) return { error: `does not refer to a valid field` };
    at = next;
  }
  return { path, schema: at };
}
